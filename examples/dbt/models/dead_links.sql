select link.source_url, link.text, link.target_url, target.status
from {{ ref('links') }} as link
join {{ ref('urls') }} as target on target.url = link.target_url
join {{ ref('urls') }} as source on source.url = link.source_url
where target.state in ('gone', 'failing') and source.state = 'fetched'
