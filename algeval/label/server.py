"""The labelling page on this machine: one address with a token, bound to 127.0.0.1, that asks nobody else."""

from __future__ import annotations

import logging
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import asdict
from hmac import compare_digest
from importlib.resources import files
from secrets import token_urlsafe
from threading import Thread
from typing import TYPE_CHECKING, Any

from algeval.errors import DataError, option
from algeval.label.answer import Live
from algeval.label.sitting import OutOfTurnError, Sitting, agreement_text, question_of
from algeval.label.texts import cells_of

if TYPE_CHECKING:
    from flask import Flask, Request, Response

HOST = "127.0.0.1"
MOST_REVIEWED = 100  # chosen: disagreements that a page holds, those of most judges first
MOST_SENT = 64 * 1024  # bytes of an act: a note is 10,000 characters at most

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_TYPES = {"page.html": "text/html", "page.css": "text/css", "page.js": "text/javascript"}


def template(name: str) -> str:
    """Text of a part of the page."""
    return files("algeval.label").joinpath(f"templates/{name}").read_text(encoding="utf-8")


def shown_live(answer: Live) -> dict[str, Any]:
    """The answer so far as JSON types."""
    return {
        "sentence": answer.sentence,
        "stop": answer.stop,
        "more": answer.more,
        "ends": list(answer.ends),
        "mark": answer.mark,
        "bars": [bar.to_dict() for bar in answer.bars],
    }


def state(sitting: Sitting, who: str, question: str | None = None) -> dict[str, Any]:
    """All that the page of one person shows; the id of the item is not among it, as it may name a system."""
    view = sitting.view(who)
    labels, plan = sitting.labels, sitting.plan
    item = None
    if view.item is not None:
        item = {
            "cells": [asdict(cell) for cell in view.cells],
            "again": view.again,
            "partner": view.partner,
            "number": view.number,
        }
    return {
        "who": who,
        "people": list(sitting.people),
        "question": question_of(plan, question),
        "labels": list(plan.settings.labels),
        "good": plan.counted,
        "goal": plan.settings.goal,
        "turn": view.turn,
        "item": item,
        "done": sum(1 for entry in labels.by_item if labels.truth(entry)),
        "total": sum(map(len, plan.units)),
        "pace": sitting.pace(who),
        "live": shown_live(sitting.live),
        "agree": agreement_text(sitting.humans),
        "judges": plan.votes is not None,
    }


def review(sitting: Sitting, who: str) -> dict[str, Any]:
    """Disagreements of this person with the judges, with the texts; the judges are shown now."""
    plan = sitting.plan
    rows = [row for row in sitting.disagreements() if row["who"] == who]
    shown = []
    for row in rows[:MOST_REVIEWED]:
        cells = cells_of(plan.results, plan.row_of[row["item"]], sitting.show)
        shown.append({**row, "cells": [asdict(cell) for cell in cells]})
    return {"rows": shown, "count": len(rows), "labels": list(plan.settings.labels)}


def saved(
    sitting: Sitting, who: str, said: dict[str, Any], question: str | None = None
) -> tuple[dict[str, Any], int]:
    """What the page is told of an act, and the code of the answer; 200 only once it is on the disk."""
    try:
        kind, note = str(said.get("kind")), str(said.get("note") or "")
        if kind == "undo":
            sitting.undo(who)
        elif kind == "second":
            sitting.second_look(who, str(said["item"]), str(said["label"]), note)
            return {"saved": True}, 200
        else:
            spent, turn, label = float(said.get("seconds") or 0), said["turn"], said.get("label")
            if not isinstance(turn, int):
                raise DataError(f"turn must be a whole number; got {turn!r}; reload the page")
            sitting.act(who, kind, turn=turn, label=label, note=note, seconds=spent)
    except OutOfTurnError:
        text = "This page was behind: the item was answered, perhaps in another tab. Nothing was saved twice."
        return {"error": text, "state": state(sitting, who, question)}, 409
    except OSError as error:
        why = error.strerror or str(error)
        return {
            "error": f"NOT SAVED: {why}. The item stays; mend that, then give the label again."
        }, 507
    except (DataError, KeyError, TypeError, ValueError, OverflowError) as error:
        return {"error": f"Not saved: {error}"}, 400
    return state(sitting, who, question), 200


def allowed(request: Request, token: str) -> bool:
    """Whether a request is of this page: its host and origin are ours, and its path begins with the token."""
    port = request.environ.get("SERVER_PORT", "")
    hosts = {f"{HOST}:{port}", f"localhost:{port}"}
    origin = request.headers.get("Origin")
    sent = request.path.split("/")[1] if "/" in request.path else ""
    if not compare_digest(sent.encode(), token.encode()):
        return False
    if request.headers.get("Host", "") not in hosts:
        return False
    if request.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
        return False
    own = origin in {f"http://{host}" for host in hosts}
    if request.method == "POST":
        return own and request.is_json
    return own or origin is None


def hardened(answer: Response) -> Response:
    """The answer with the headers that keep a page from running or loading anything else."""
    answer.headers.extend(HEADERS)
    return answer


def import_flask() -> Any:
    """Flask, or the sentence that names the extra it comes with."""
    try:
        import flask
    except ImportError:
        raise DataError(
            "the labelling page needs Flask; got a Python without it; run pip install 'algeval[label]', or "
            f"label with {option('terminal')}"
        ) from None
    return flask


def application(
    sitting: Sitting, token: str, question: str | None, stop: Callable[[], None]
) -> Flask:
    """The Flask application of a sitting; the address of everything in it begins with the token."""
    flask = import_flask()
    jsonify, request = flask.jsonify, flask.request

    def refuse(code: int) -> None:
        flask.abort(flask.Response("", code))

    app: Flask = flask.Flask("algeval.label", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MOST_SENT

    app.before_request(lambda: None if allowed(request, token) else refuse(403))
    app.after_request(hardened)

    def person() -> str:
        who = str(request.args.get("who", sitting.people[0]))
        if who not in sitting.people:
            refuse(404)
        return who

    def page(name: str = "page.html") -> Any:
        if name not in _TYPES:
            refuse(404)
        return flask.Response(template(name), mimetype=_TYPES[name])

    def act() -> Any:
        try:
            said = request.get_json()
        except RecursionError:
            return jsonify({"error": "Not saved: an act must be a flat object of JSON"}), 400
        document, code = saved(sitting, person(), said if isinstance(said, dict) else {}, question)
        return jsonify(document), code

    def end() -> Any:
        Thread(target=stop, daemon=True).start()
        return jsonify({"stopped": True, "summary": sitting.result().summary()})

    app.get(f"/{token}/")(page)
    app.get(f"/{token}/<name>", endpoint="part")(page)
    app.get(f"/{token}/state", endpoint="state")(
        lambda: jsonify(state(sitting, person(), question))
    )
    app.post(f"/{token}/act")(act)
    app.post(f"/{token}/review", endpoint="review")(lambda: jsonify(review(sitting, person())))
    app.post(f"/{token}/stop")(end)
    return app


def serve(
    sitting: Sitting,
    question: str | None = None,
    *,
    browser: bool = True,
    port: int = 0,
    announce: Callable[[str], Any] | None = None,
) -> None:
    """Serve the page until it is stopped, there or by Ctrl-C.

    announce : what the address is said to; by default it is written to standard error.
    """
    token = token_urlsafe(24)
    servers: list[Any] = []
    app = application(sitting, token, question, lambda: servers[0].shutdown())
    from werkzeug.serving import make_server

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    try:
        server = make_server(HOST, port, app, threaded=True)
    except (OSError, SystemExit):
        raise DataError(
            f"port must be free; got {port}, which is in use; leave --port out and any that is free is taken"
        ) from None
    servers.append(server)
    address = f"http://{HOST}:{server.server_port}/{token}/"
    say = announce or (lambda text: sys.stderr.write(text + "\n") and sys.stderr.flush())
    say(
        f"Label at {address}\nLabels go to {sitting.journal.path}. Stop with Ctrl-C, or on the page."
    )
    if browser:
        webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        say("stopped; every label is saved")
    finally:
        server.server_close()
