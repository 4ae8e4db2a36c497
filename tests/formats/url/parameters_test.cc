#include "formats/url/parameters.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

using Role = ParameterRole;

TEST(UrlParameters, RolesGoByNameInAnyCase) {
  struct {
    const char* name;
    const char* value;
    Role role;
  } cases[] = {
      {"utm_source", "x", Role::kTracking},
      {"UTM_anything", "", Role::kTracking},
      {"utm_", "", Role::kTracking},
      {"utm", "", Role::kContent},
      {"gclid", "", Role::kTracking},
      {"GCLID", "", Role::kTracking},
      {"gclidx", "", Role::kContent},
      {"gcli", "", Role::kContent},
      {"_ga", "", Role::kTracking},
      {"ysclid", "", Role::kTracking},
      {"JSESSIONID", "1", Role::kSession},
      {"phpsessid", "1", Role::kSession},
      {"ASPSESSIONIDABCDEFGH", "1", Role::kSession},
      {"sid", "12", Role::kContent},
      {"sid", "0123456789abcdef01234567", Role::kSession},
      {"sid", "0123456789abcdef0123456", Role::kContent},       // too short to look random
      {"sid", "a-story-of-12345-long-enough", Role::kContent},  // more than letters and digits
      {"session_id", "abcdefghijklmnopqrstuvwx123", Role::kContent},
      {"session_id", "abcdefghijklmnopqrstuvw1234", Role::kSession},
      {"s", "cats", Role::kContent},
      {"ref", "x", Role::kReferrer},
      {"Source", "x", Role::kReferrer},
      {"", "x", Role::kContent},
      {"id", "1", Role::kContent},
      {"a_name_that_is_longer_than_any_listed", "1", Role::kContent},
  };
  for (const auto& c : cases) EXPECT_EQ(RoleOfParameter(c.name, c.value), c.role) << c.name << "=" << c.value;
}

TEST(UrlParameters, DefaultDocumentsGoByNameInAnyCase) {
  for (const char* name : {"index.html", "INDEX.HTM", "default.aspx", "index.php5", "Default.asp"}) {
    EXPECT_TRUE(IsDefaultDocument(name)) << name;
  }
  for (const char* name : {"", "index", "index.html5", "index.html.bak", "xindex.html", "default", "home.html"}) {
    EXPECT_FALSE(IsDefaultDocument(name)) << name;
  }
}

}  // namespace
}  // namespace trawl
