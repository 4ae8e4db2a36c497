"""Checks of the pages in a browser (tests/scripts/pages_test runs them)."""

import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe

from browser import environment
from browser.places import EMPTY, ERRORS, PLACES, SCREENS
from tests.harness import Skipped


class Subject:
    """A browser, and the pages on servers by the name of what they show."""

    def __init__(self, chromium, servers, served):
        self.chromium = chromium
        self.served = served
        self.addresses = {**{name: server.address for name, server in servers.items()}, "served": served.address}
        self.servers = servers

    def opened(self, server="busy", scheme="light", width=1280, **how):
        """A tab that keeps what it heard: messages of the console, faults of scripts, dialogs, addresses that were asked."""
        context = self.chromium.new_context(color_scheme=scheme, viewport={"width": width, "height": 800},
                                            base_url=self.addresses[server], **how)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.heard, page.asked = [], []
        page.on("console", lambda message: page.heard.append(message.text))
        page.on("pageerror", lambda error: page.heard.append(str(error)))
        page.on("dialog", lambda dialog: (page.heard.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: page.asked.append(request.url))
        return page


def every_page(subject, server, places, check):
    for screen, (scheme, width) in SCREENS.items():
        page = subject.opened(server, scheme, width)
        for name, place in places.items():
            page.goto(place)
            check(page, f"{name} ({server}, {screen})")
        page.context.close()


def no_page_breaks_a_rule_of_axe(subject):
    axe = Axe()

    def check(page, name):
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
        found = axe.run(page)
        rules = [(each["id"], each["nodes"][0]["html"][:200]) for each in found.response["violations"]]
        assert not rules, f"{name}: {rules}"

    every_page(subject, "busy", PLACES, check)
    every_page(subject, "empty", EMPTY, check)
    every_page(subject, "reader", {"host": PLACES["host"], "url": PLACES["url"], "missing": ERRORS["missing"]}, check)


def axe_finds_a_fault_that_is_planted(subject):
    page = subject.opened()
    page.goto("/")
    page.evaluate("document.querySelector('main').append(document.createElement('img'))")
    assert "image-alt" in [each["id"] for each in Axe().run(page).response["violations"]]


def no_page_says_anything_on_the_console_or_asks_elsewhere(subject):
    for server, places in (("busy", PLACES), ("empty", EMPTY)):
        page = subject.opened(server)
        for name, place in places.items():
            page.goto(place)
            for part in page.query_selector_all("details"):
                part.evaluate("part => { part.open = true }")
            page.wait_for_timeout(50)
            assert not page.heard, f"{name}: {page.heard}"
        own = urlsplit(subject.servers[server].address).netloc
        elsewhere = [url for url in page.asked if urlsplit(url).netloc != own]
        assert not elsewhere, elsewhere
        assert len(page.asked) > len(places)
        page.context.close()


def a_planted_script_is_heard(subject):
    """Without it the check above could pass because it hears nothing."""
    page = subject.opened()
    page.goto("/")
    page.evaluate("document.querySelector('main').setAttribute('style', 'color: red'); "
                  "const s = document.createElement('script'); s.textContent = 'alert(1)'; document.body.append(s)")
    page.wait_for_timeout(50)
    assert any("Content Security Policy" in text for text in page.heard), page.heard


def no_page_is_wider_than_a_phone(subject):
    for width in (320, 390):
        page = subject.opened(width=width)
        for name, place in {**PLACES, **ERRORS}.items():
            page.goto(place)
            page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{name} at {width}: {wide}"
        page.context.close()


def the_w3c_checker_finds_no_error(subject):
    try:
        checker = environment.html_checker()
    except OSError as error:
        raise Skipped(error) from None
    with tempfile.TemporaryDirectory() as folder:
        for server, places in (("busy", {**PLACES, **ERRORS}), ("empty", EMPTY), ("reader", PLACES)):
            for name, place in places.items():
                (Path(folder) / f"{server}-{name}.html").write_text(subject.servers[server].ask("GET", place)["body"])
        done = subprocess.run([*checker, "--errors-only", *map(str, sorted(Path(folder).glob("*.html")))],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, done.stdout[:3000]


def every_page_is_whole_without_a_script(subject):
    with_script, without = subject.opened(), subject.opened(java_script_enabled=False)
    count = "document.querySelectorAll('main table tbody tr').length"
    for name, place in PLACES.items():
        with_script.goto(place)
        answer = without.goto(place)
        rows = answer.text().count("<tr") - answer.text().count("<thead><tr")
        assert with_script.evaluate(count) == rows, name
        assert without.locator("h1").count() == 1, name
    without.goto("/")
    without.get_by_label("URL or host").fill("https://host1.example/private/diary.html")
    without.get_by_role("button", name="Look up").click()
    without.wait_for_url("**/url?**")
    assert without.locator("h1").inner_text() == "https://host1.example/private/diary.html"
    without.goto("/search")
    without.get_by_label("Begins with").fill("https://host1.example/")
    without.get_by_label("State").select_option("denied")
    without.get_by_role("button", name="Search").click()
    without.wait_for_url("**state=denied**")
    without.goto(PLACES["host"])
    without.get_by_label("Why").fill("asked by mail")
    without.get_by_role("button", name="Block this host").click()
    without.get_by_text("Blocked. No round asks it from now on.").wait_for()


def pages_can_be_used_by_keyboard(subject):
    page = subject.opened()
    for name, place in PLACES.items():
        page.goto(place)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip", name
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main", name
        # Each stop shows where it is, and all are reached.
        stops = page.evaluate("""[...document.querySelectorAll('main a, main button, main input:not([type=hidden]), main select, '
            + 'main textarea, main summary, main [tabindex="0"]')].filter((part) => part.checkVisibility()).length""")
        seen = 0
        for _ in range(min(stops, 60)):
            page.keyboard.press("Tab")
            where = page.evaluate("""(() => { const part = document.activeElement;
                const style = getComputedStyle(part);
                return [document.querySelector('main').contains(part), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
                        part.outerHTML.slice(0, 120)]; })()""")
            if not where[0]:
                break
            assert where[1], f"{name}: no outline on {where[2]}"
            seen += 1
        assert seen == min(stops, 60), f"{name}: {seen} of {stops} stops were reached"
    page.goto("/jobs")
    button = page.get_by_role("button", name="Took")
    button.focus()
    page.keyboard.press("Enter")
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("Took")


def tables_are_sorted_by_numbers_and_texts(subject):
    page = subject.opened()
    page.goto(PLACES["round"])

    def column():
        return page.evaluate("[...document.querySelector('#lists-table').closest('table').tBodies[0].rows]"
                             ".map((row) => Number(row.cells[3].dataset.order))")

    button = page.locator("table:has(#lists-table)").get_by_role("button", name="Took", exact=True)
    button.click()
    assert column() == sorted(column(), reverse=True)
    button.click()
    assert column() == sorted(column())


def a_sheet_is_copied(subject):
    page = subject.opened()
    page.goto(PLACES["host"])
    page.get_by_text("Show it").click()
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("# How we visit host1.example")


def a_live_page_reads_itself_again_and_keeps_its_place(subject):
    page = subject.opened()
    page.clock.install()
    page.goto("/")
    page.locator("details").first.evaluate("part => { part.open = true }")
    page.evaluate("scrollTo(0, 600)")
    page.evaluate("document.querySelector('main').firstElementChild.textContent = 'of yesterday'")
    with page.expect_response(lambda answer: urlsplit(answer.url).path == "/"):
        page.clock.run_for(11_000)
    # Not by a function to be evaluated: where the first look fails, the page's policy forbids the next.
    page.get_by_text("of yesterday").wait_for(state="detached")
    assert page.evaluate("scrollY") == 600
    assert page.locator("details").first.evaluate("part => part.open")
    page.get_by_role("button", name="Stop refreshing").click()
    before = len(page.asked)
    page.clock.run_for(60_000)
    assert len(page.asked) == before, "it was stopped"


def nobody_is_disturbed_at_a_form(subject):
    page = subject.opened()
    page.clock.install()
    page.goto("/rounds")
    page.locator("main a").first.focus()
    before = len(page.asked)
    page.clock.run_for(30_000)
    assert len(page.asked) == before


def four_questions_are_answered_in_two_clicks(subject):
    page = subject.opened()
    page.goto("/")
    page.get_by_label("URL or host").fill("https://host1.example/private/diary.html")
    page.keyboard.press("Enter")
    page.wait_for_url("**/url?**")
    assert "denied by line 3" in page.locator("main").inner_text()
    assert "State: denied, robots_denied: line 3" in page.locator(".note").first.inner_text()
    page.get_by_role("link", name="robots.txt").click()
    page.wait_for_url("**/hosts/host1.example?line=3#robots")
    assert page.locator("li.deciding").inner_text().startswith("Disallow: /private/")
    page.get_by_role("link", name="Hosts", exact=True).click()
    page.wait_for_url("**/hosts")
    assert "its breaker is open" in page.locator("table:has(#waiting-table)").inner_text()
    page.get_by_role("link", name="Rounds", exact=True).click()
    page.locator("table:has(#applied-table) a").first.click()
    page.wait_for_url("**/rounds/*")
    assert page.locator(".note").first.inner_text().startswith("List 0 is the straggler")
    page.get_by_label("URL or host").fill("host1.example")
    page.keyboard.press("Enter")
    page.wait_for_url("**/hosts/host1.example")
    with page.expect_download() as sheet:
        page.get_by_role("link", name="Download it").click()
    assert Path(sheet.value.path()).read_text().startswith("# How we visit host1.example")


CHECKS = [no_page_breaks_a_rule_of_axe, axe_finds_a_fault_that_is_planted, no_page_says_anything_on_the_console_or_asks_elsewhere,
          a_planted_script_is_heard, no_page_is_wider_than_a_phone, the_w3c_checker_finds_no_error, every_page_is_whole_without_a_script,
          pages_can_be_used_by_keyboard, tables_are_sorted_by_numbers_and_texts, a_sheet_is_copied,
          a_live_page_reads_itself_again_and_keeps_its_place, nobody_is_disturbed_at_a_form, four_questions_are_answered_in_two_clicks]
