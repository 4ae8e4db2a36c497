#include "formats/hadoop/kerberos.h"

namespace trawl {

namespace {

// As Hadoop's client, Java's Kerberos and a service's page word it.
constexpr std::string_view kSignsOfNoTicket[] = {
    "GSSException",
    "GSS initiate failed",
    "Client cannot authenticate via",
    "Failed to find any Kerberos tgt",
    "SaslException",
    "KrbException",
    "LoginException",
    "answered 401",
};

}  // namespace

std::string KerberosAdvice(std::string_view reason) {
  for (const std::string_view sign : kSignsOfNoTicket) {
    if (reason.find(sign) == std::string_view::npos) continue;
    return "; this user has no valid Kerberos ticket (klist shows it): run kinit, or set KRB5PRINCIPAL and KRB5KEYTAB, "
           "with which Hadoop's client gets tickets by itself; then run the same command again, and it goes on";
  }
  return "";
}

}  // namespace trawl
