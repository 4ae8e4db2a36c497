#include "formats/hadoop/kerberos.h"

#include <gmock/gmock.h>

namespace trawl {

TEST(KerberosAdvice, IsForAnExpiredTicketAlone) {
  // Seen from Hadoop 3.5.
  for (const char* reason :
       {"GSSException: No valid credentials provided (Mechanism level: Failed to find any Kerberos tgt)",
        "DestHost:destPort nn:8020 , LocalHost:localPort vm/127.0.0.1:0. Failed on local exception: "
        "java.io.IOException: org.apache.hadoop.security.AccessControlException: Client cannot authenticate "
        "via:[TOKEN, KERBEROS]",
        "answered 401"}) {
    EXPECT_THAT(KerberosAdvice(reason), testing::HasSubstr("kinit")) << reason;
    EXPECT_THAT(KerberosAdvice(reason), testing::HasSubstr("KRB5KEYTAB")) << reason;
  }
  EXPECT_EQ(KerberosAdvice("ConnectException: Connection refused"), "");
  EXPECT_EQ(KerberosAdvice("answered 503"), "");
  EXPECT_EQ(KerberosAdvice("AccessControlException: Permission denied: user=a, access=WRITE"), "");
}

}  // namespace trawl
