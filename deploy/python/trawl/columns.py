"""The columns of each table as the newest version writes them. Older files lack the last ones, which read as zero; newer files may have more."""

from __future__ import annotations

import pyarrow as pa

# A name without a type is text.
_COLUMNS = {
    "urls":
        "key removed:int8 spelling kind:int8 state:int8 outcome:int8 reason due_ms:int64 interval_ms:int64 "
        "fixed_interval_ms:int64 discovered_ms:int64 via depth:int32 is_seed:int8 fetched_ms:int64 changed_ms:int64 "
        "status:int32 fetches:int32 retries:int32 unchanged:int32 change_rate:int32 response_ms:int32 content_type "
        "bytes:int64 truncated:int8 etag:binary last_modified:binary body_digest:binary content_digest:binary "
        "body_segment body_file body_row:int64 redirect_to canonical_to score:int32 inlinks:int32 parser:int32 metadata "
        "tier:int8 fixed_score:int8 due_set_ms:int64 stated_priority:int32 stated_interval_ms:int64 "
        "stated_lastmod_ms:int64 sitemap entries:int32 parse_segment parse_file parse_row:int64 read_policy:int64 "
        "signals:int32 duplicate_of near_duplicate_of distance:int32 simhash:int64 shares_body:int8 text_sketch:binary",
    "hosts":
        "key removed:int8 blocked:int8 operator_delay_ms:int32 operator_pages_a_day:int32 answered_ms:int64 "
        "not_before_ms:int64 response_ms:int32 delay_ms:int32 surcharge_ms:int32 throttle_factor:int32 "
        "good_answers:int32 window_start_ms:int64 window_requests:int32 window_failures:int32 slow_until_ms:int64 "
        "breaker:int8 breaker_until_ms:int64 breaker_openings:int32 failures_in_a_row:int32 day_start_ms:int64 "
        "pages_today:int32 pages:int64 bytes:int64 discovered:int64 fetched:int64 suspected_trap:int8 trap_cleared:int8 "
        "addresses linking_hosts:int64 operator_pages:int64 operator_reason discovered_ms:int64 round_pages_today:int32 "
        "round_pages:int64 domain_blocked:int8 domain_operator_reason domain_operator_delay_ms:int32 "
        "domain_operator_pages_a_day:int64 domain_operator_pages:int64 domain_day_start_ms:int64 "
        "domain_pages_today:int64 domain_pages:int64 default_sitemap_ms:int64 lastmods_checked:int32 "
        "lastmods_wrong:int32 priorities_stated:int32 priorities_top:int32 probe_ms:int64 error_digest:binary "
        "error_simhash:int64 discovered_day_ms:int64 discovered_today:int32 cleared_discovered:int64 "
        "cleared_fetched:int64",
    "robots":
        "key removed:int8 outcome:int8 status:int32 fetched_ms:int64 due_ms:int64 failures:int32 text:binary "
        "text_ms:int64 redirect_to history is_dead:int8 dead_rounds:int32 url began_ms:int64 address http_version "
        "tls_version request_headers:binary response_headers:binary kept_codings wire_bytes:int64 truncated:int8 "
        "hops:binary",
    "seeds":
        "key removed:int8 added_ms:int64",
    "outlinks":
        "key removed:int8 fetched_ms:int64 links:int32 listed:int32 list:binary",
    "inlinks":
        "key removed:int8 links:int64 elsewhere:int64 listed:int32 list:binary",
    "host_edges":
        "key removed:int8 links:int64",
    "domain_edges":
        "key removed:int8 links:int64",
    "ranks":
        "key removed:int8 pagerank_bits:int64 harmonic_bits:int64 in_hosts:int64 out_hosts:int64 pages:int64 "
        "authority:int32 pagerank_place:int64 harmonic_place:int64",
    "digests":
        "key removed:int8 representative pages:int64 named:binary order:binary canonical_to simhash:int64 "
        "body_digest:binary body_segment body_file body_row:int64 bytes:int64 text_sketch:binary",
    "fingerprints":
        "key removed:int8 content distance:int32 simhash:int64 page order:binary text_sketch:binary",
    "patterns":
        "key removed:int8 fetched:int64 fresh:int64 duplicates:int64 near_duplicates:int64 soft_errors:int64 "
        "links:int64 counted_ms:int64 budget:int32 fetched_ever:int64 is_ignored:int8 likes:int64 sample:binary "
        "spread:int32",
}


def _field(word: str) -> pa.Field:
    name, _, kind = word.partition(":")
    return pa.field(name, pa.type_for_alias(kind or "string"))


SCHEMAS: dict[str, pa.Schema] = {table: pa.schema(map(_field, words.split())) for table, words in _COLUMNS.items()}
