#include "formats/address/address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <random>

namespace trawl {
namespace {

TEST(Address, ParsesAndPrints) {
  // RFC 5952 section 4: no leading zeros, "::" for the first longest run of two or more groups, lower case.
  const struct {
    const char* text;
    const char* printed;
  } kCases[] = {
      {"192.0.2.1", "192.0.2.1"},
      {"255.255.255.255", "255.255.255.255"},
      {"::", "::"},
      {"::1", "::1"},
      {"[::1]", "::1"},
      {"2001:0DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a"},
      {"2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"},
      {"2001:0:0:1:0:0:0:1", "2001:0:0:1::1"},
      {"2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"},
      {"1::", "1::"},
      {"::ffff:127.0.0.1", "::ffff:7f00:1"},
      {"64:ff9b::192.0.2.33", "64:ff9b::c000:221"},
  };
  for (const auto& c : kCases) {
    const auto address = IpAddress::Parse(c.text);
    ASSERT_TRUE(address) << c.text;
    EXPECT_EQ(address->ToString(), c.printed);
  }
  EXPECT_EQ(IpAddress::Parse("::1")->ToUrlHost(), "[::1]");
  EXPECT_EQ(IpAddress::Parse("127.0.0.1")->ToUrlHost(), "127.0.0.1");
}

TEST(Address, RefusesWhatIsNotAnAddress) {
  for (const char* text : {"",
                           ".",
                           "1.2.3",
                           "1.2.3.4.5",
                           "1.2.3.256",
                           "01.2.3.4",
                           "0x7f.0.0.1",
                           "2130706433",
                           "1.2.3.4 ",
                           "-1.2.3.4",
                           "1..2.3",
                           ":",
                           ":::",
                           "1:2:3:4:5:6:7",
                           "1:2:3:4:5:6:7:8:9",
                           "1::2::3",
                           "12345::",
                           "g::",
                           "::1%eth0",
                           "[::1",
                           "::1]",
                           "[127.0.0.1]",
                           "1:2:3:4:5:6:7::8",
                           "::1.2.3",
                           "1.2.3.4::",
                           "::-1",
                           "1:",
                           ":1:2:3:4:5:6:7",
                           "::+1"}) {
    EXPECT_FALSE(IpAddress::Parse(text)) << text;
  }
}

TEST(Address, TextAndSystemAgree) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::array<uint8_t, 16> bytes = {};
    for (auto& byte : bytes) byte = random() % 3 == 0 ? static_cast<uint8_t>(random()) : 0;
    const IpAddress address = IpAddress::V6(bytes);
    std::array<uint8_t, 16> read = {};
    ASSERT_EQ(inet_pton(AF_INET6, address.ToString().c_str(), read.data()), 1) << address.ToString();
    ASSERT_EQ(read, bytes);
    char text[INET6_ADDRSTRLEN];
    ASSERT_NE(inet_ntop(AF_INET6, bytes.data(), text, sizeof text), nullptr);
    ASSERT_EQ(IpAddress::Parse(text), address) << text;
  }
}

TEST(Address, ClassesOfTheRegistries) {
  const struct {
    const char* text;
    const char* name;
  } kCases[] = {
      {"93.184.216.34", "public"},
      {"8.8.8.8", "public"},
      {"2606:2800:220:1::1", "public"},
      {"2001:4860:4860::8888", "public"},
      {"0.0.0.0", "unspecified"},
      {"0.1.2.3", "unspecified"},
      {"::", "unspecified"},
      {"127.0.0.1", "loopback"},
      {"127.255.255.255", "loopback"},
      {"::1", "loopback"},
      {"10.0.0.1", "private"},
      {"172.16.0.1", "private"},
      {"172.31.255.255", "private"},
      {"172.15.255.255", "public"},
      {"172.32.0.0", "public"},
      {"192.168.1.1", "private"},
      {"169.254.0.1", "link-local"},
      {"169.254.169.254", "metadata"},
      {"169.254.170.2", "link-local"},
      {"fd00:ec2::254", "metadata"},
      {"100.100.100.200", "metadata"},
      {"168.63.129.16", "metadata"},
      {"fe80::1", "link-local"},
      {"febf::1", "link-local"},
      {"100.64.0.1", "cgnat"},
      {"100.127.255.255", "cgnat"},
      {"100.63.255.255", "public"},
      {"100.128.0.0", "public"},
      {"fc00::1", "unique-local"},
      {"fdff::1", "unique-local"},
      {"fec0::1", "unique-local"},
      {"224.0.0.1", "multicast"},
      {"239.255.255.255", "multicast"},
      {"ff02::1", "multicast"},
      {"255.255.255.255", "broadcast"},
      {"240.0.0.1", "reserved"},
      {"192.0.2.1", "documentation"},
      {"198.51.100.7", "documentation"},
      {"203.0.113.9", "documentation"},
      {"2001:db8::1", "documentation"},
      {"3fff:1::1", "documentation"},
      {"198.18.0.1", "benchmarking"},
      {"198.19.255.255", "benchmarking"},
      {"2001:2::1", "benchmarking"},
      {"192.0.0.1", "protocol"},
      {"192.0.0.9", "public"},
      {"2001:10::1", "protocol"},
      {"5f00::1", "protocol"},
      {"::ffff:8.8.8.8", "v4-mapped"},
      {"::ffff:127.0.0.1", "v4-mapped"},
      {"::ffff:0:8.8.8.8", "v4-mapped"},
      {"::127.0.0.1", "v4-compatible"},
      {"2002:7f00:1::", "6to4"},
      {"192.88.99.1", "6to4"},
      {"64:ff9b::8.8.8.8", "nat64"},
      {"64:ff9b:1::1", "nat64"},
      {"2001::1", "teredo"},
      {"2001:0:4136:e378::1", "teredo"},
      {"4000::1", "reserved"},
      {"100::1", "reserved"},
  };
  for (const auto& c : kCases) {
    const auto address = IpAddress::Parse(c.text);
    ASSERT_TRUE(address) << c.text;
    const AddressVerdict verdict = CheckAddress(*address);
    EXPECT_EQ(AddressClassName(verdict.address_class), c.name) << c.text;
    EXPECT_EQ(verdict.allowed, std::string_view(c.name) == "public") << c.text;
  }
}

}  // namespace
}  // namespace trawl
