"""What the tour does not meet, and why it is there all the same."""

# Verbs of which no answer in JSON is asked.
WITHOUT_AN_ANSWER = {
    "serve",  # its answers are those of /openapi.json
    "jobs kill",  # on a cluster
    "completion",  # it answers with a script for a shell
}

# Forms of answers and documents.
FORMS = {
    "jobs-kill",  # on a cluster
}

MEMBERS = {
    # On a cluster; tests/soak/streaming has one.
    *("application", "queue", "application_state", "tracking_url", "maps", "reduces", "failed_attempts", "changed"),
    # Orders of a server's clients, and a job that lost a race; tests/jobs/writes and tests/soak/races have them.
    *("orders", "order", "verb", "name", "fingerprint", "counts", "lost"),
    # Of a job that failed, and of a crawl that went on with what another one left.
    *("reason", "segment"),
    # Counts of what goes wrong, or of limits: the tests of fetch, inject and updatedb have a crawl for each.
    *("failures", "requests", "skipped_for_delay", "robots_unreachable_allowed", "retries", "retries_left", "hops", "hops_known", "bodies_shared", "bytes_shared",
      "probes", "known_refused", "known_gone", "known_denied", "not_parsed", "gone", "throttled", "refused", "late", "given_back", "links_too_deep", "links_trap",
      "links_over_limit", "removed", "links_foreign", "lists_over_limit", "entries_over_limit", "due_by_lastmod", "outlinks_cut", "redirected"),
    # Of pages of which the test web has none: those in other languages, and parameters that change nothing.
    *("language", "url", "parameters_learned", "pattern", "parameter", "pairs", "taken_back", "rule"),
    # Answers of a server that cuts them off.
    "truncated_by",
}
