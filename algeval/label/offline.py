"""The labelling as one file: labels stay in the browser, are downloaded as a journal, and merged."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from dataclasses import asdict
from hashlib import sha256

from algeval.io.journal import SCHEMA, Labels, new_id, now
from algeval.label.choosing import Plan, Share
from algeval.label.server import template
from algeval.label.sitting import question_of
from algeval.label.texts import cells_of
from algeval.result.files import write_text
from algeval.result.numbers import how_many

MOST_ITEMS = 300  # chosen: items of a page, some megabytes of text


def offline_page(
    plan: Plan,
    labels: Labels,
    who: str,
    path: str | os.PathLike[str],
    *,
    question: str | None = None,
    share: Share | None = None,
    show: tuple[str, ...] = (),
) -> str:
    """Sentence on the page that was written, with the items that are next for a person.

    The page asks nobody anything: its policy allows its own script alone, by its digest.
    """
    share = share or Share()
    rows: list[int] = []
    for number, unit in enumerate(plan.units):
        if share.holds(number):
            rows += [row for row in unit if (plan.items[row], who) not in labels.acts]
        if len(rows) >= MOST_ITEMS:
            break
    rows = rows[:MOST_ITEMS]
    start = {"schema": SCHEMA, "kind": "start", "id": new_id(), "time": now(), **plan.start}
    items = [
        {
            "id": plan.items[row],
            "cells": [
                asdict(cell)
                for cell in cells_of(
                    plan.results, row, show, swapped=plan.swapped(plan.items[row], who)
                )
            ],
            "swapped": plan.swapped(plan.items[row], who),
        }
        for row in rows
    ]
    data = {
        "start": start,
        "who": who,
        "question": question_of(plan, question),
        "labels": list(plan.settings.labels),
        "good": plan.counted,
        "items": items,
        "other_side": plan.other_side,
        "file": f"{plan.results.name.rsplit('.', 1)[0]}.{who}.labels.jsonl",
    }
    script = template("offline.js") + template("page.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    page = template("page.html")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    page = page.replace('<meta name="robots"', f'{meta}\n<meta name="robots"')
    page = page.replace(
        '<link rel="stylesheet" href="page.css">', f"<style>\n{template('page.css')}</style>"
    )
    text = json.dumps(data, ensure_ascii=True).replace("<", "\\u003c")
    embedded = (
        f'<script type="application/json" id="data">{text}</script>\n<script>{script}</script>'
    )
    page = page.replace('<script src="page.js"></script>', embedded)
    write_text(path, page)
    return (
        f"{path}: {how_many(len(rows), 'item')} for {who}. Labels stay in that browser; download them "
        "there, and add them with --merge"
    )
