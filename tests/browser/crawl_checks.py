"""Checks of the pages that trawl serve shows of a real crawl, whose site attacks whoever looks at it."""

from urllib.parse import quote, urlsplit

from axe_playwright_python.sync_playwright import Axe

from browser.places import places_of


def _logged_in(subject, **how):
    page = subject.opened("served", **how)
    page.goto("/login")
    page.get_by_label("Token").fill(subject.served.token)
    page.locator("main").get_by_role("button", name="Log in").click()
    page.get_by_role("button", name="Log out").wait_for()
    return page


def every_page_of_a_hostile_crawl_is_quiet_and_accessible(subject):
    page = _logged_in(subject)
    places = places_of(page)
    assert {"round", "host", "url", "page", "job"} <= places.keys(), places
    places["url-private"] = "/url?url=" + quote(subject.served.site.url + "/private/diary.html", safe="")
    places["url-unknown"] = "/url?url=" + quote("https://elsewhere.example/new", safe="")
    places["prefix"] = "/search?prefix=" + quote(subject.served.site.url + "/", safe="")
    axe = Axe()
    page.heard.clear()
    for name, place in places.items():
        answer = page.goto(place)
        assert answer.status == 200, f"{name}: {answer.status} {place}"
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
        assert page.locator(".note.warning:has-text('cannot be shown')").count() == 0, f"{name}: {page.locator('.note').all_inner_texts()}"
        rules = [(each["id"], each["nodes"][0]["html"][:200]) for each in axe.run(page).response["violations"]]
        assert not rules, f"{name}: {rules}"
        assert page.title() != "ran", name
    assert not page.heard, page.heard
    own = urlsplit(subject.served.address).netloc
    elsewhere = [url for url in page.asked if urlsplit(url).netloc != own]
    assert not elsewhere, elsewhere


def the_attack_is_shown_as_text(subject):
    """Without it the check above could pass because nothing hostile was stored."""
    page = _logged_in(subject)
    page.goto("/search?state=fetched")
    page.locator("main table a").first.click()
    page.get_by_role("link", name="The stored page").click()
    page.wait_for_url("**/page/*")
    assert "<script>alert(1)</script>" in page.locator("h1").inner_text()
    assert "<script>alert(1)</script>" in page.locator("table:has(#response-table)").inner_text()


def a_stored_body_is_a_download(subject):
    page = _logged_in(subject)
    page.goto("/search?state=fetched")
    page.locator("main table a").first.click()
    page.get_by_role("link", name="The stored page").click()
    page.wait_for_url("**/page/*")
    with page.expect_download() as body:
        page.get_by_role("link", name="Download the stored body").click()
    assert "<script>" in open(body.value.path()).read()
    assert not page.heard


def who_is_not_logged_in_cannot_write(subject):
    page = subject.opened("served")
    page.goto("/seeds")
    assert page.locator("textarea").count() == 0
    answer = page.request.post("/seeds", form={"urls": "https://a.example/", "form_token": "guess"})
    assert answer.status in (401, 403), answer.status


def seeds_blocks_and_delays_are_made_by_forms(subject):
    page = _logged_in(subject)
    page.goto("/seeds")
    page.get_by_label("URLs, one per line").fill(subject.served.site.url + "/p77\nno url")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("heading", name="The seeds are in the crawl").wait_for()
    assert page.locator("dt:has-text('New to the crawl') + dd").inner_text() == "1"
    assert "no url" in page.locator("table:has(#bad-table)").inner_text()
    host = "/hosts/127.0.0.1"
    page.goto(host)
    page.get_by_label("Why").fill("asked by mail <b>")
    page.get_by_role("button", name="Block this host").click()
    page.get_by_text("Blocked. No round asks it from now on.").wait_for()
    assert "asked by mail <b>" in page.locator("main").inner_text()
    page.get_by_role("button", name="Unblock this host").click()
    page.get_by_text("Unblocked.").wait_for()
    page.get_by_label("Delay between requests in ms").fill("2500")
    page.get_by_role("button", name="Set the delay").click()
    page.get_by_text("The delay is set.").wait_for()
    assert "2.5 s: as the operator set it" in page.locator("main").inner_text()
    page.goto("/url?url=" + quote(subject.served.site.url + "/p77", safe=""))
    page.get_by_role("button", name="Drop this URL").click()
    page.get_by_text("Dropped.").wait_for()


CHECKS = [every_page_of_a_hostile_crawl_is_quiet_and_accessible, the_attack_is_shown_as_text, a_stored_body_is_a_download,
          who_is_not_logged_in_cannot_write, seeds_blocks_and_delays_are_made_by_forms]
