"""Every page over the made-up values (tests/support/pages), by a name for its picture."""

PLACES = {
    "crawl": "/",
    "rounds": "/rounds",
    "round": "/rounds/20261118T000000Z-10000000",
    "round-running": "/rounds/20261118T009900Z-10000099",
    "hosts": "/hosts",
    "hosts-search": "/hosts?prefix=host",
    "host": "/hosts/host1.example",
    "url": "/url?url=https%3A%2F%2Fhost1.example%2Fprivate%2Fdiary.html",
    "url-unknown": "/url?url=https%3A%2F%2Felsewhere.example%2Fnew",
    "search": "/search",
    "search-results": "/search?prefix=https%3A%2F%2Fhost1.example%2F&state=denied",
    "page": "/page/cGFnZQ",
    "workers": "/workers",
    "jobs": "/jobs",
    "job": "/jobs/a-job",
    "seeds": "/seeds",
    "login": "/login",
}
ERRORS = {"missing": "/nothing", "unknown-host": "/hosts/none.example"}
EMPTY = {name: PLACES[name] for name in ("crawl", "rounds", "hosts", "search", "workers", "jobs")}
SCREENS = {"light": ("light", 1280), "dark": ("dark", 1280), "phone": ("light", 390), "phone-dark": ("dark", 390)}


def places_of(page):
    """The pages of a server that runs: of each kind the first that its tables lead to."""

    def first(place, start):
        page.goto(place)
        return next((link.get_attribute("href") for link in page.locator(f'main a[href^="{start}"]').all()), None)

    places = {"crawl": "/", "rounds": "/rounds", "hosts": "/hosts", "search": "/search", "workers": "/workers", "jobs": "/jobs", "login": "/login",
              "round": first("/rounds", "/rounds/"), "host": first("/hosts", "/hosts/"), "job": first("/jobs", "/jobs/"),
              "search-results": "/search?state=fetched", "url": first("/search?state=fetched", "/url?")}
    if places["url"]:
        places["page"] = first(places["url"], "/page/")
    return {name: place for name, place in places.items() if place}
