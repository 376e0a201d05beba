"""The page's server: nothing without the token, no other host or origin, and no text that could act."""

import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from html.parser import HTMLParser

import pytest

from algeval.errors import DataError
from algeval.io.journal import Journal
from algeval.label import server
from algeval.label.texts import cell_of
from tests.label.test_sitting import label_on, sat, table, write

pytest.importorskip("flask", reason="the labelling page needs Flask")

TOKEN, HOST = "t0ken", "127.0.0.1:8123"
OWN = {"Host": HOST, "Origin": f"http://{HOST}"}


@pytest.fixture
def path(tmp_path):
    return write(tmp_path / "results.csv", table(20)[0])


@pytest.fixture
def client(path):
    sitting = sat(path, who=["anna", "ben"])
    app = server.application(sitting, TOKEN, None, lambda: None)
    client = app.test_client()
    client.sitting = sitting
    client.environ_base["SERVER_PORT"] = "8123"
    return client


def get(client, path, headers=OWN):
    return client.get(path, headers=headers, base_url=f"http://{HOST}")


def post(client, path, body, headers=OWN):
    return client.post(path, json=body, headers=headers, base_url=f"http://{HOST}")


@pytest.mark.parametrize("address", ["/", "/wrong/", "/state", "/wrong/state", f"/{TOKEN}x/", "//"])
def test_nothing_is_answered_without_the_token(client, address):
    answer = get(client, address)
    assert (answer.status_code, answer.data) == (403, b"")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example", "Origin": f"http://{HOST}"},
        {"Host": "127.0.0.1:9", "Origin": f"http://{HOST}"},
        {"Host": HOST, "Origin": "http://evil.example"},
        {"Host": HOST, "Origin": "null"},
        {"Host": HOST, "Origin": f"http://{HOST}", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_other_hosts_and_origins_are_refused_though_they_have_the_token(client, headers):
    for answer in (
        get(client, f"/{TOKEN}/state", headers),
        post(client, f"/{TOKEN}/act", {"kind": "label", "turn": 0, "label": "pass"}, headers),
    ):
        assert (answer.status_code, answer.data) == (403, b"")
    assert not client.sitting.journal.path.exists()


def test_an_act_needs_an_origin_and_json(client):
    body = {"kind": "label", "turn": 0, "label": "pass"}
    assert post(client, f"/{TOKEN}/act", body, {"Host": HOST}).status_code == 403
    form = client.post(f"/{TOKEN}/act", data=body, headers=OWN, base_url=f"http://{HOST}")
    assert form.status_code == 403
    large = post(client, f"/{TOKEN}/act", body | {"note": "x" * 100_000})
    assert large.status_code == 413
    assert not client.sitting.journal.path.exists()


def test_every_answer_forbids_what_is_not_its_own(client):
    for path in ("", "page.js", "page.css", "state"):
        answer = get(client, f"/{TOKEN}/{path}")
        assert answer.status_code == 200
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
    assert get(client, f"/{TOKEN}/server.py").status_code == 404
    assert get(client, f"/{TOKEN}/../front.py").status_code in (403, 404)


def test_the_page_names_no_other_address_and_holds_no_script_of_its_own():
    page = server.template("page.html")
    assert re.findall(r"<script(?! src=\"page.js\")", page) == []
    assert re.findall(r"\son\w+=|style=", page) == []
    for name in ("page.html", "page.js", "page.css", "offline.js"):
        addresses = set(re.findall(r"https?://[^\"'\s)]+", server.template(name)))
        assert addresses <= {"http://www.w3.org/2000/svg"}


def test_a_label_is_saved_and_the_next_item_comes(client):
    state = get(client, f"/{TOKEN}/state?who=ben").get_json()
    assert (state["who"], state["turn"], state["people"]) == ("ben", 0, ["anna", "ben"])
    answer = post(client, f"/{TOKEN}/act?who=ben", {"kind": "label", "turn": 0, "label": "fail"})
    assert answer.status_code == 200
    assert answer.get_json()["turn"] == 1
    assert [a.who for a in client.sitting.labels.acts.values()] == ["ben"]
    again = post(client, f"/{TOKEN}/act?who=ben", {"kind": "label", "turn": 0, "label": "pass"})
    assert again.status_code == 409
    assert again.get_json()["state"]["turn"] == 1
    assert get(client, f"/{TOKEN}/state?who=eve").status_code == 404


def test_neither_judges_nor_ids_are_sent(client):
    text = get(client, f"/{TOKEN}/state").get_data(as_text=True)
    for word in ("gpt4", "claude", "gemini", "output_id", "r0_0"):
        assert word not in text
    item = client.sitting.view("anna").item
    assert item not in text


def test_what_was_not_saved_is_said_and_the_item_stays(client, monkeypatch):
    def full(*records):
        raise OSError(28, "No space left on device")

    before = get(client, f"/{TOKEN}/state").get_json()
    monkeypatch.setattr(client.sitting.journal, "add", full)
    answer = post(client, f"/{TOKEN}/act", {"kind": "label", "turn": 0, "label": "pass"})
    assert answer.status_code == 507
    assert answer.get_json()["error"].startswith("NOT SAVED: No space left on device")
    assert get(client, f"/{TOKEN}/state").get_json()["item"] == before["item"]


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "label", "turn": 0, "label": "maybe"},
        {"kind": "label", "label": "pass"},
        {"kind": "magic", "turn": 0},
        {"kind": "label", "turn": "x", "label": "pass"},
        {"kind": "second", "item": "none", "label": "pass"},
        {"kind": "label", "turn": 0, "label": "pass", "seconds": float("nan")},
        {"kind": "label", "turn": 0, "label": "pass", "seconds": float("inf")},
        {"kind": "label", "turn": 0, "label": "pass", "seconds": 10**400},
        {"kind": "label", "turn": float("inf"), "label": "pass"},
        {"kind": "label", "turn": float("nan"), "label": "pass"},
        {"kind": "label", "turn": 0, "label": ["pass"]},
        [1, 2],
    ],
)
def test_nonsense_is_refused_and_not_written(client, body):
    answer = post(client, f"/{TOKEN}/act", body)
    assert answer.status_code == 400
    assert answer.get_json()["error"].startswith("Not saved")
    assert not client.sitting.journal.path.exists()


def test_an_act_nested_too_deep_is_refused_and_not_written(client):
    headers = {**OWN, "Content-Type": "application/json"}
    body = '{"kind":"label","turn":0,"label":' + "[" * 20_000 + "]" * 20_000 + "}"
    answer = client.post(f"/{TOKEN}/act", data=body, headers=headers, base_url=f"http://{HOST}")
    assert answer.status_code == 400
    assert not client.sitting.journal.path.exists()


def test_a_journal_that_was_replaced_saves_nothing_and_one_that_is_gone_is_written_anew(client):
    path, act = client.sitting.journal.path, {"kind": "label", "label": "pass"}
    for turn in range(2):
        assert post(client, f"/{TOKEN}/act", {**act, "turn": turn}).status_code == 200
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    answer = post(client, f"/{TOKEN}/act", {**act, "turn": 2})
    assert answer.status_code == 507
    assert "NOT SAVED: the file of labels was replaced, cut" in answer.get_json()["error"]
    assert path.read_bytes() == whole[: len(whole) // 2]
    path.unlink()
    state = post(client, f"/{TOKEN}/act", {**act, "turn": 2})
    assert (state.status_code, state.get_json()["done"]) == (200, 3)
    assert len(Journal(path).labels.acts) == 3


def test_undo_takes_back_the_last_act_though_the_clock_was_set_back(client, monkeypatch):
    act, times = {"kind": "label", "label": "pass"}, ["2030", "2026", "2025"]
    for turn, year in enumerate(times[:2]):
        monkeypatch.setattr(
            "algeval.label.sitting.now", lambda year=year: f"{year}-01-01T00:00:00.000Z"
        )
        post(client, f"/{TOKEN}/act", {**act, "turn": turn})
    second = client.sitting.journal.records[-1]
    assert post(client, f"/{TOKEN}/act", {"kind": "undo"}).status_code == 200
    assert client.sitting.journal.records[-1]["undoes"] == second["id"]
    assert client.sitting.view("anna").item == second["item"]


def test_judges_are_shown_in_the_review_alone(client):
    label_on(client.sitting, dict.fromkeys(client.sitting.plan.items, "fail"), 10)
    found = post(client, f"/{TOKEN}/review", {}).get_json()
    assert found["count"] == len(found["rows"]) > 0
    assert set(found["rows"][0]["judges"]) == {"gpt4", "claude", "gemini"}


def test_without_flask_a_sentence_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "flask", None)
    with pytest.raises(DataError, match=r"pip install 'algeval\[label\]'"):
        server.import_flask()


# --- Hostile texts.


HOSTILE = [
    "<script>alert(1)</script>",
    "# Title\n\n<img src=x onerror=alert(1)>\n\n**bold**",
    "[click](javascript:alert(1)) and ![pic](http://evil.example/x.png) **b**",
    "<https://evil.example> `code`",
    "```html\n<script>alert(1)</script>\n```",
    '{"a": "<script>alert(1)</script>", "b": [1, 2]}',
    "| a | b |\n|---|---|\n| <svg onload=alert(1)> | x |",
    "\x1b[31mred\x07 \x00 and \u202egnp.exe",
    "- x\n" * 3000 + "<iframe src=//evil.example>",
    "[a]: javascript:alert(1)\n\n# t\n\n[a]",
    "{" * 5000,
]


class Seen(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_becomes_elements_of_a_fixed_list_without_attributes(text):
    cell = cell_of("response", text)
    seen = Seen()
    seen.feed(cell.html)
    allowed = {"p", "h1", "h2", "h3", "strong", "em", "ul", "ol", "li", "code", "pre", "blockquote"}
    assert seen.tags <= allowed | {"table", "thead", "tbody", "tr", "th", "td", "hr", "br"}
    assert seen.attributes <= {"class", "style", "start"}
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", cell.html + cell.plain)


def test_a_huge_text_is_cut_and_says_by_how_much():
    cell = cell_of("response", "word " * 400_000)
    assert len(cell.plain) == 100_000
    assert cell.left_out == 1_900_000


def test_json_is_laid_out_and_markdown_is_too():
    assert cell_of("x", '{"b":1,"a":[1,2]}').html.startswith("<pre>{\n  &quot;b&quot;: 1")
    assert "<h2>Steps</h2>" in cell_of("x", "## Steps\n\n1. one\n2. two").html
    assert cell_of("x", "2 * 3 * 4 = 24").kind == "short"


# --- The whole program, which is killed.


def started(path, *more):
    code = "from algeval.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "label", str(path), "--who", "anna", "--no-browser", *more],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    line = process.stderr.readline()
    address = re.search(r"http://127\.0\.0\.1:\d+/\S+/", line)
    assert address, line + process.stderr.read()
    return process, address[0]


def call(address, path, body=None):
    origin = "/".join(address.split("/")[:3])
    request = urllib.request.Request(
        address + path,
        None if body is None else json.dumps(body).encode(),
        {"Origin": origin, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


def test_a_kill_in_the_middle_loses_nothing_and_ctrl_c_ends_cleanly(path):
    process, address = started(path)
    try:
        for turn in range(4):
            assert (
                call(address, "act", {"kind": "label", "turn": turn, "label": "pass"})["turn"]
                == turn + 1
            )
        with pytest.raises(urllib.error.HTTPError, match="403"):
            call("/".join(address.split("/")[:3]) + "/guess/", "state")
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
        again, address = started(path)
        try:
            state = call(address, "state")
            assert (state["turn"], state["done"]) == (4, 4)
            call(address, "act", {"kind": "label", "turn": 4, "label": "fail"})
            again.send_signal(signal.SIGINT)
            out, err = again.communicate(timeout=30)
            assert again.returncode == 0, err
            assert "5 items labelled" in out
            assert "Traceback" not in err
        finally:
            again.kill()
            again.communicate()
    finally:
        process.kill()
        process.communicate()
    journal = Journal(path.with_name("results.labels.jsonl"))
    assert len(journal.labels.acts) == 5
    assert journal.torn == []
