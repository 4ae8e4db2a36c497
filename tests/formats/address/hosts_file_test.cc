#include "formats/address/hosts_file.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(HostsFile, NamesAddressesAndPorts) {
  FixedHosts hosts;
  AddHostsFile(
      "# a comment\n"
      "127.0.0.1\tlocalhost Here.Test\r\n"
      "::1 localhost # behind\n"
      "127.0.0.1 localhost\n"
      "127.0.1.2:8080 plain.test\n"
      "127.0.1.3:8080:8443 both.test\n"
      "[::1]:81 six.test",
      &hosts);
  ASSERT_EQ(hosts.size(), 5u);
  ASSERT_EQ(hosts["localhost"].addresses.size(), 2u);
  EXPECT_EQ(hosts["localhost"].addresses[1].ToString(), "::1");
  EXPECT_EQ(hosts["here.test"].http_port, 0);
  EXPECT_EQ(hosts["plain.test"].http_port, 8080);
  EXPECT_EQ(hosts["plain.test"].https_port, 0);
  EXPECT_EQ(hosts["both.test"].https_port, 8443);
  EXPECT_EQ(hosts["six.test"].addresses[0].ToString(), "::1");
  EXPECT_EQ(hosts["six.test"].http_port, 81);
}

TEST(HostsFile, SkipsLinesThatDoNotRead) {
  FixedHosts hosts;
  AddHostsFile(
      "\n\n   \nname.test\n127.0.0.1\n300.1.1.1 a.test\n127.0.0.1: b.test\n127.0.0.1:0 c.test\n127.0.0.1:99999 d.test\n"
      "127.0.0.1:1:2:3 e.test\n[::1 f.test\n127.0.0.1:x g.test\n",
      &hosts);
  EXPECT_TRUE(hosts.empty());
}

TEST(HostsFile, AddressesOfANameAreBounded) {
  FixedHosts hosts;
  std::string text;
  for (int i = 0; i < 200; ++i) text += "10.0.0." + std::to_string(i) + " many.test\n";
  AddHostsFile(text, &hosts);
  EXPECT_EQ(hosts["many.test"].addresses.size(), 16u);
}

}  // namespace
}  // namespace trawl
