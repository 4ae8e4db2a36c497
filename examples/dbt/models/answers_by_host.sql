select host, status, count(*) as urls, sum(bytes)::bigint as bytes
from {{ ref('urls') }}
where status <> 0
group by all
