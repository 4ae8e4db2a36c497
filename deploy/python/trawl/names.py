"""The words for the numbers of stored enumerations. A number never gets another meaning."""

STATE = ("", "unfetched", "fetched", "redirected", "failing", "gone", "denied", "refused", "duplicate")
KIND = ("", "page", "sitemap", "feed", "probe")
TIER = ("", "high", "medium", "low")
OUTCOME = ("", "fetched", "not_modified", "redirect", "redirect_loop", "redirect_limit", "redirect_refused", "gone", "client_error",
           "throttled", "server_error", "robots_denied", "robots_deferred", "address_refused", "scheme_refused", "type_refused",
           "header_limit", "too_slow", "timeout", "dns_failed", "connect_failed", "tls_failed", "connection_reset", "protocol_error",
           "decode_error", "breaker_open", "not_reached", "dropped")
TRUNCATED = ("", "size", "ratio", "time", "incomplete", "coding")
BREAKER = ("closed", "open", "half-open")

# By table and column.
WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "urls": {"state": STATE, "kind": KIND, "tier": TIER, "outcome": OUTCOME, "truncated": TRUNCATED},
    "hosts": {"breaker": BREAKER},
    "robots": {"outcome": OUTCOME},
}


def word(words: tuple[str, ...], number: int) -> str:
    return words[number] if 0 <= number < len(words) else f"unknown-{number}"
