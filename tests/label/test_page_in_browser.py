"""The page in a real browser: labels by keyboard, reload, undo, two people, a kill, and hostile texts."""

import json
import time
from threading import Thread

import pytest

from algeval.io.journal import Journal
from algeval.label import server
from algeval.label.choosing import Share
from algeval.label.offline import offline_page
from algeval.label.sitting import journal_path
from tests.label.test_server import HOSTILE, started
from tests.label.test_sitting import pairs, sat, table, write

pytest.importorskip("flask", reason="the labelling page needs Flask")


@pytest.fixture
def path(tmp_path):
    return write(tmp_path / "results.csv", table(60)[0])


class Served:
    """A page that is served by a thread until the test ends."""

    def __init__(self, sitting):
        said = []
        self.sitting = sitting
        work = {"browser": False, "announce": said.append}
        self.thread = Thread(target=server.serve, args=(sitting,), kwargs=work, daemon=True)
        self.thread.start()
        while not said:
            time.sleep(0.01)
        self.address = said[0].split()[2]


@pytest.fixture
def served(path, browser):
    pages = []

    def begin(**settings):
        pages.append(Served(sat(path, **settings)))
        browser.open(pages[-1].address)
        browser.wait("document.querySelector('#item section') && 1")
        return pages[-1]

    yield begin
    for page in pages:
        if page.thread.is_alive():
            browser.open(page.address)
            browser.wait("document.querySelector('#done').textContent")
            browser.ask("document.querySelector('#to-stop').click()")
            page.thread.join(30)
        assert not page.thread.is_alive()


def turn(browser):
    return int(browser.ask("document.body.dataset.turn"))


def press(browser, key):
    before = turn(browser)
    browser.press(key)
    browser.wait(f"Number(document.body.dataset.turn) > {before}")


def test_forty_labels_by_keyboard_a_reload_and_an_undo(served, browser):
    page = served()
    began = time.monotonic()
    for k in range(40):
        press(browser, "2" if k % 5 == 0 else "1")
    spent = time.monotonic() - began
    assert 40 / spent * 60 > 60, f"{40 / spent * 60:.0f} labels a minute"
    text = browser.ask("document.querySelector('#item').textContent")
    browser.open(page.address)
    browser.wait("document.querySelector('#item section') && 1")
    assert browser.ask("document.querySelector('#item').textContent") == text
    assert browser.ask("document.querySelector('#done').textContent").startswith("40 of 60")
    press(browser, "u")
    assert browser.ask("document.querySelector('#done').textContent").startswith("39 of 60")
    press(browser, "0")
    press(browser, "s")
    labels = Journal(page.sitting.journal.path).labels
    assert sorted(a.kind for a in labels.acts.values()) == ["label"] * 39 + ["skip", "unsure"]
    assert sum(a.label == "fail" for a in labels.acts.values()) == 8
    own = browser.complaints()
    assert all(line.startswith(page.address) for line in own), own


def test_a_note_is_kept_and_keys_in_it_are_no_labels(served, browser):
    page = served()
    browser.press("n")
    browser.wait("document.activeElement.id === 'note'")
    for key in "1s2":
        browser.press(key)
    assert browser.ask("document.querySelector('#note').value") == "1s2"
    assert turn(browser) == 0
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Escape", windowsVirtualKeyCode=27)
    press(browser, "1")
    assert [a.note for a in page.sitting.labels.acts.values()] == ["1s2"]


def test_a_second_tab_that_is_behind_says_so_and_shows_what_is_next(served, browser):
    page = served()
    view = page.sitting.view("anna")
    page.sitting.act("anna", "label", turn=view.turn, label="pass")  # as another tab does
    browser.press("2")
    browser.wait("!document.querySelector('#error').hidden")
    assert "Nothing was saved twice" in browser.ask("document.querySelector('#error').textContent")
    assert turn(browser) == 1
    assert [a.label for a in page.sitting.labels.acts.values()] == ["pass"]
    press(browser, "2")
    assert browser.ask("document.querySelector('#error').hidden")


def test_two_people_take_turns_at_one_page(served, browser):
    page = served(who=["anna", "ben"], share=Share(overlap=1.0))
    press(browser, "1")
    browser.ask(
        "(s => { s.value = 'ben'; s.dispatchEvent(new Event('change')); })(document.querySelector('#who'))"
    )
    browser.wait("document.body.dataset.turn === '0'")
    press(browser, "2")
    acts = page.sitting.labels.acts.values()
    assert {(a.who, a.label) for a in acts} == {("anna", "pass"), ("ben", "fail")}
    assert len({a.item for a in acts}) == 1
    assert "agree on 0% of 1 item" in browser.ask("document.querySelector('#answer').textContent")


def test_what_a_full_disk_did_not_take_is_said_and_the_item_stays(served, browser, monkeypatch):
    page = served()
    text = browser.ask("document.querySelector('#item').textContent")

    def full(*records):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(page.sitting.journal, "add", full)
        browser.press("1")
        browser.wait("!document.querySelector('#error').hidden")
    assert "NOT SAVED: No space left" in browser.ask("document.querySelector('#error').textContent")
    assert browser.ask("document.querySelector('#item').textContent") == text
    assert not page.sitting.journal.path.exists()
    press(browser, "1")
    assert len(page.sitting.labels.acts) == 1


def test_the_judges_are_shown_when_asked_for_and_a_second_look_is_no_label(served, browser):
    page = served()
    for _ in range(6):
        press(browser, "2")
    assert "gpt4" not in browser.ask("document.documentElement.outerHTML")
    browser.ask("document.querySelector('#to-review').click()")
    browser.wait("document.querySelectorAll('.row').length")
    assert "gpt4" in browser.ask("document.querySelector('#review').textContent")
    browser.ask("document.querySelector('.row .second button').click()")
    browser.wait("document.querySelector('.row .second').textContent.includes('Second look: pass')")
    labels = Journal(page.sitting.journal.path).labels
    assert len(labels.second) == 1
    assert all(a.label == "fail" for a in labels.acts.values())


def test_hostile_texts_run_nothing_and_ask_nobody(tmp_path, browser):
    rows, _ = table(60)
    for k, row in enumerate(rows):
        text = HOSTILE[k % len(HOSTILE)].replace('"', "'").replace("\x00", "")
        row["response"] = f"A response to read, of some words: {k}\n\n{text}"
    path = write(tmp_path / "results.csv", rows)
    page = Served(sat(path))
    browser.open(page.address)
    browser.wait("document.querySelector('#item section') && 1")
    for _ in range(25):
        press(browser, "1")
        acting = "#item script, #item img, #item iframe, #item svg, #item a"
        assert browser.ask(f"document.querySelectorAll('{acting}').length") == 0
    wrong = [line for line in browser.complaints() if not line.startswith(page.address)]
    assert wrong == []
    browser.ask("document.querySelector('#to-stop').click()")
    browser.wait("document.body.textContent.includes('Stopped. Every label is saved')")
    page.thread.join(30)
    assert not page.thread.is_alive()


def test_a_page_whose_server_was_killed_says_that_nothing_is_saved(path, browser):
    process, address = started(path)
    try:
        browser.open(address)
        browser.wait("document.querySelector('#item section') && 1")
        press(browser, "1")
        process.kill()
        process.communicate()
        browser.press("1")
        browser.wait("!document.querySelector('#error').hidden")
        said = browser.ask("document.querySelector('#error').textContent")
        assert said.startswith("NOT SAVED: the labelling has stopped")
    finally:
        process.kill()
        process.communicate()
    assert len(Journal(journal_path(path)).labels.acts) == 1


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1200])
def test_the_page_fits_and_its_text_can_be_read(served, browser, width, dark):
    page = served()
    browser.open(page.address, width=width, height=800, dark=dark)
    browser.wait("document.querySelector('#item section') && 1")
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask("document.querySelector('#labels').getBoundingClientRect().bottom") <= 800
    ink, paper = (
        browser.ask(f"getComputedStyle(document.body).{p}") for p in ("color", "backgroundColor")
    )
    assert (sum(map(int, ink[4:-1].split(","))) > sum(map(int, paper[4:-1].split(",")))) == dark


def test_a_page_for_offline_keeps_its_labels_and_gives_them_back(path, tmp_path, browser):
    sitting = sat(path)
    target = tmp_path / "page.html"
    assert "60 items for anna" in offline_page(sitting.plan, sitting.labels, "anna", target)
    browser.open(target)
    browser.wait("document.querySelector('#item section') && 1")
    assert "gpt4" not in target.read_text()
    for key in ("1", "2", "0", "1", "u", "s"):
        press(browser, key)
    browser.open(target)
    browser.wait("document.querySelector('#item section') && 1")
    assert browser.ask("document.querySelector('#done').textContent").startswith("2 of 60")
    browser.ask(
        "HTMLAnchorElement.prototype.click = function () {"
        " globalThis.saved = decodeURIComponent(this.href.split(',').slice(1).join(',')); }"
    )
    browser.ask("document.querySelector('#to-stop').click()")
    other = tmp_path / "anna.labels.jsonl"
    other.write_text(browser.wait("globalThis.saved"))
    assert [line for line in browser.complaints() if "page.html" not in line] == []
    from algeval.label.sitting import merged

    assert merged(sitting, [other]).startswith("6 records of 1 journal added")
    labels = sitting.labels
    assert sorted(a.kind for a in labels.acts.values()) == ["label", "label", "skip", "unsure"]
    first = sat(path, journal=tmp_path / "own.jsonl").view("anna").item
    assert labels.truth(first) == {"pass": 1}


@pytest.fixture
def of_pairs(tmp_path):
    return write(tmp_path / "pairs.csv", pairs()[0])


def test_pairs_stand_side_by_side_and_labels_are_of_the_answers(of_pairs, browser):
    truth = pairs()[1]
    page = Served(sat(of_pairs))
    browser.open(page.address, width=1200, height=800)
    browser.wait("document.querySelector('#item .first') && 1")
    places = "['.first', '.second'].map(s => document.querySelector('#item ' + s).getBoundingClientRect())"
    assert browser.ask(f"(([a, b]) => a.top === b.top && a.right <= b.left)({places})")
    for _ in range(20):
        first = browser.ask("document.querySelector('#item .first').textContent")
        press(browser, "1" if "good" in first else "2")
    acts = page.sitting.labels.acts.values()
    assert len(acts) == 20
    assert all(act.label == truth[act.item] for act in acts)
    assert 2 < sum(r["swapped"] for r in page.sitting.journal.records if r["kind"] == "label") < 18
    browser.open(page.address, width=400, height=800)
    browser.wait("document.querySelector('#item .first') && 1")
    assert browser.ask(f"(([a, b]) => a.bottom <= b.top)({places})")
    assert browser.ask("document.documentElement.scrollWidth") <= 400
    browser.ask("document.querySelector('#to-stop').click()")
    page.thread.join(30)


def test_pairs_in_a_page_for_offline_are_labelled_alike(of_pairs, tmp_path, browser):
    truth = pairs()[1]
    sitting = sat(of_pairs)
    target = tmp_path / "page.html"
    offline_page(sitting.plan, sitting.labels, "anna", target)
    browser.open(target)
    browser.wait("document.querySelector('#item .first') && 1")
    for _ in range(12):
        first = browser.ask("document.querySelector('#item .first').textContent")
        press(browser, "1" if "good" in first else "2")
    kept = json.loads(browser.ask("JSON.stringify(Object.values(localStorage)[0])"))
    records = json.loads(kept)
    assert len(records) == 12
    assert all(r["label"] == truth[r["item"]] for r in records)
    assert 0 < sum(r["swapped"] for r in records) < 12
