"""What the schemas cannot be told by annotations: documents of an own form, and words for every field."""

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
WHOLE = {"type": "integer"}
WHOLES = {"type": "array", "items": WHOLE}
ROWS = {"type": "array", "items": WHOLES}
NUMBERS = {"type": "array", "items": "number"}
FREE: dict[str, object] = {}
OBJECT = {"type": "object"}

DOCUMENTS = {
    "Votes": "algeval.votes/1",
    "Sketch": "algeval.sketch/1",
    "KeyedSketch": "algeval.keyed_sketch/1",
    "GroupedSketch": "algeval.grouped_sketch/1",
    "Summary": "algeval.summary/1",
    "Scores": "algeval.scores/1",
    "Evaluation": "algeval.evaluation/1",
    "Specification": "algeval.specification/1",
    "Certificate": "algeval.certificate/1",
    "FloorCertificate": "algeval.floor/1",
    "LabelStream": "algeval.label-stream/1",
    "VerdictStream": "algeval.verdict-stream/1",
    "Monitor": "algeval.monitor/1",
}
"""Documents that are no results: by class, the tag."""

_AXES = {
    "judges": (TEXTS, "Names of the judges, in the order of every list about judges."),
    "labels": (TEXTS, "The possible true labels, in the order of every list about labels."),
    "answers": (TEXTS, "What judges may answer: the labels first, then answers never correct."),
}
_CODES = "Places in answers, -1 where a judge did not answer"
_DIGEST = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
_STATEMENT = {
    "claim": (TEXT, "The statement that is proved."),
    "given": (TEXTS, "The hypotheses."),
    "define": (
        {"type": "object", "additionalProperties": TEXT},
        "Names of the asker's own, and what they stand for.",
    ),
    "model": (TEXT, "What is assumed of the judges."),
    "judges": (TEXTS, "Names of the judges in the statement."),
    "labels": (TEXTS, "Names of the labels in the statement."),
    "denominators": (
        {"type": "array", "items": OBJECT},
        "What the statement divides by, and its sign.",
    ),
    "domain": ({"type": "array", "items": FREE}, "Steps that bring the statement to a polynomial."),
    "strict": ({"type": "boolean"}, "Whether > is proved, not only >=."),
    "proof": (
        {"type": "object", "properties": {"kind": TEXT}, "required": ["kind"]},
        "What the verifier checks; its fields are told in the reference of certificates.",
    ),
}
_POINT = {
    "type": "object",
    "properties": {
        "key_counts": {"type": "array", "items": {"type": "integer"}},
        "correct": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    },
    "required": ["key_counts", "correct"],
    "additionalProperties": False,
}

_CARRIED = {
    "type": "object",
    "properties": {
        "correct": {**ROWS, "description": "Right answers by judge and label."},
        "held": {**ROWS, "description": "Items each judge is held to, by label."},
        "key": {**WHOLES, "description": "Items of each label."},
        "levels": {
            "anyOf": [
                {"type": "array", "items": {"type": "array", "items": TEXT}},
                {"type": "null"},
            ],
            "description": "Levels asked, by judge and label; null before any were.",
        },
    },
    "required": ["correct", "held", "key", "levels"],
    "additionalProperties": False,
}
_FIRST = {
    "type": "object",
    "properties": {
        "n_items": {**WHOLE, "description": "Items at that moment."},
        "order": {
            "anyOf": [WHOLE, {"enum": ["full"]}],
            "description": "Order of the alarm of then.",
        },
        "counts": {**WHOLES, "description": "Items of each decision tuple at that moment."},
    },
    "required": ["n_items", "order", "counts"],
    "additionalProperties": False,
}
_SPLIT = {
    "type": "object",
    "properties": {
        "kind": {
            "enum": ["human", "system", "slice", "prompt"],
            "description": "What the column holds.",
        },
        "name": {"type": "string", "description": "Name of the column."},
        "values": {**TEXTS, "description": "Its values; of human labels the labels."},
        "codes": {**WHOLES, "description": "The place of each cell's value, -1 for none."},
    },
    "required": ["kind", "name", "values", "codes"],
    "additionalProperties": False,
}

SHAPES = {
    "Overview": {"optional": ["answers", "about_judges", "cards"]},  # not in documents before 0.3
    "Threshold": {"optional": ["ladder", "keys"]},  # nor is this
    "Aggregation": {"optional": ["learned"]},
    "ScoreAggregation": {"optional": ["learned"]},
    "Votes": {
        "only": {
            "items": (TEXTS, "Item ids."),
            **_AXES,
            "codes": (ROWS, f"A row per item: {_CODES}. Shape (n_items, n_judges)."),
            "key": (
                {"anyOf": [WHOLES, {"type": "null"}]},
                "The place in labels of each item's true label, -1 where it is not known; or null.",
            ),
        }
    },
    "Sketch": {
        "only": {
            **_AXES,
            "codes": (ROWS, f"A row per decision tuple: {_CODES}. Shape (U, N)."),
            "counts": (WHOLES, "How many items have each decision tuple. Shape (U,)."),
            "digest": (_DIGEST, "SHA-256 of the other fields as canonical JSON."),
        }
    },
    "KeyedSketch": {
        "only": {
            "sketch": ("Sketch", "The decision tuples."),
            "keyed": (ROWS, "Items with each tuple and true label. Shape (U, R)."),
        }
    },
    "GroupedSketch": {
        "only": {
            **_AXES,
            "codes": (ROWS, f"A row per cell: {_CODES}. Shape (K, N)."),
            "counts": (WHOLES, "How many items are in each cell. Shape (K,)."),
            "splits": (
                {"type": "array", "items": _SPLIT},
                "Columns that items are counted by.",
            ),
            "pairs": (
                ROWS,
                "A row per pair of outputs of two systems for one prompt: a cell, another, and on how many "
                "prompts. Shape (P, 3).",
            ),
            "systems": (
                {"type": "array", "items": {"type": "string"}},
                "Systems in the order of the rows, where that is no natural one; no part of the digest.",
            ),
            "n_parts": (
                {"type": "integer"},
                "Of how many counts it is the sum, where of several; no part of the digest.",
            ),
            "digest": (
                _DIGEST,
                "SHA-256 of the other fields but `systems` and `n_parts` as canonical JSON.",
            ),
        },
        "optional": ["pairs", "systems", "n_parts"],
    },
    "Summary": {
        "only": {
            **_AXES,
            "counts": (ROWS, "How often each judge gave each answer. Shape (N, A)."),
            "n_items": (WHOLE, "Number of items, Q."),
            "digest": (_DIGEST, "SHA-256 of the other fields as canonical JSON."),
        }
    },
    "Scores": {
        "only": {
            "items": (TEXTS, "Item ids."),
            "judges": (TEXTS, "Names of the judges."),
            "values": (
                {"type": "array", "items": NUMBERS},
                "A row per item: the score of each judge, null where there is none.",
            ),
            "key": (
                {"anyOf": [{"type": "array", "items": FREE}, {"type": "null"}]},
                "The truth of each item, null where it is not known.",
            ),
            "key_kind": (
                {"anyOf": [TEXT, {"type": "null"}]},
                "Whether the key is of classes or of scores.",
            ),
            "attributes": (
                {"type": "object", "additionalProperties": {"type": "array", "items": FREE}},
                "What else is known of the items, a value each.",
            ),
        }
    },
    "Evaluation": {
        "only": {
            **_AXES,
            "exact": ({"type": "boolean"}, "Whether numbers are exact, else in floating point."),
            "prevalence": (
                {"type": "array", "items": {"anyOf": ["fraction", "quadratic", "number"]}},
                "Share of each label among the items. Shape (R,).",
            ),
            "confusion": (
                {"type": "array", "items": {"type": "array", "items": {"type": "array"}}},
                "Of the items of each label a judge answered, the share it gave each answer: judge, "
                "true label, answer. Shape (N, R, A).",
            ),
            "coverage": (
                {"anyOf": [{"type": "array", "items": {"type": "array"}}, {"type": "null"}]},
                "Share of the items of each label that each judge answered; null where it answered "
                "all. Shape (N, R).",
            ),
        }
    },
    "Specification": {
        "only": {
            "conditions": (
                {"type": "array", "items": "Condition"},
                "What is asked, all of it together.",
            ),
            "min_judges": (
                {"anyOf": [WHOLE, {"type": "null"}]},
                "How many judges it is asked of; null for every one.",
            ),
        }
    },
    "Condition": {
        "only": {
            "quantity": ({"enum": ["accuracy", "grade", "prevalence"]}, "What is bounded."),
            "judge": ({"type": ["string", "null"]}, "Of which judge; null for every one."),
            "label": ({"type": ["string", "null"]}, "On which label; null for every one."),
            "sense": ({"enum": [">=", ">", "<="]}, "On which side."),
            "value": ("fraction", "The bound, a share from 0 to 1."),
        },
        "untagged": True,
    },
    "Certificate": {
        "optional": ["read"],
        "only": {
            "read": (TEXT, "What the data are about, for people; not verified."),
            "claim": (
                {
                    "type": "object",
                    "properties": {
                        "verdict": {"enum": ["possible", "impossible", "keys"]},
                        "data": _DIGEST,
                        "order": {"anyOf": [{"type": "integer"}, {"const": "full"}]},
                        "missing": {"enum": ["excluded", "wrong"]},
                        "specification": OBJECT,
                        "held": {"type": "array", "items": OBJECT},
                        "keys": {"type": "array", "items": {"type": "array"}},
                        "every": {"type": "boolean"},
                    },
                    "required": ["verdict", "data", "order", "missing", "specification"],
                    "additionalProperties": False,
                },
                "What is proved, of which counts.",
            ),
            "evidence": (
                {
                    "type": "object",
                    "properties": {
                        "kind": {
                            "enum": [
                                "witness",
                                "cap",
                                "weights",
                                "multipliers",
                                "branches",
                                "conflicts",
                                "tallies",
                                "together",
                                "chains",
                                "keys",
                            ]
                        }
                    },
                    "required": ["kind"],
                },
                "What the verifier checks; its fields are told in the reference of certificates.",
            ),
        },
    },
    "FloorCertificate": {
        "only": {
            "claim": (
                {
                    "type": "object",
                    "properties": {
                        "data": _DIGEST,
                        "order": {"anyOf": [{"const": 1}, {"const": "full"}]},
                        "judges": TEXTS,
                        "right": {"type": ["integer", "string"]},
                        "weights": {"type": "array", "items": {"type": ["integer", "string"]}},
                        "label_counts": ROWS,
                        "labelled": {"type": "array", "items": {"type": "array"}},
                    },
                    "required": ["data", "order", "judges", "right"],
                    "additionalProperties": False,
                },
                "How many verdicts of which judges are right at most, in which counts.",
            ),
            "evidence": (
                {
                    "type": "object",
                    "properties": {"kind": {"enum": ["tallies"]}},
                    "required": ["kind"],
                },
                "What the verifier checks; its fields are told in the reference of certificates.",
            ),
        }
    },
    "Monitor": {
        "only": {
            "specification": ("Specification", "What is asked of the judges."),
            **_AXES,
            "order": ({"anyOf": [WHOLE, {"enum": ["full"]}]}, "Order of the alarm."),
            "missing": ({"enum": ["excluded", "wrong"]}, "What an unanswered item means."),
            "min_items": (WHOLE, "No verdict before so many items."),
            "growth": ("fraction", "From one time the alarm is asked from scratch to the next."),
            "time_limit": (
                {"anyOf": ["number", {"type": "null"}]},
                "Seconds for each time; null where work is counted.",
            ),
            "codes": (ROWS, f"A row per decision tuple: {_CODES}. Shape (U, N)."),
            "counts": (WHOLES, "How many items had each. Shape (U,)."),
            "triggered": ({"enum": [True, False, None]}, "The verdict on the items so far."),
            "next_ask": (WHOLE, "Items at which the alarm is asked from scratch again."),
            "carried": (_CARRIED, "An assignment of labels to the items so far."),
            "first": (
                {"anyOf": [_FIRST, {"type": "null"}]},
                "When the alarm first went off; null where it did not.",
            ),
        }
    },
    "VerdictStream": {
        "only": {
            "baseline": (
                {"anyOf": ["number", {"type": "null"}]},
                "The rate to defend; null where it was estimated.",
            ),
            "counted": (
                {"anyOf": [{"type": "array", "items": WHOLE}, {"type": "null"}]},
                "Passes and verdicts that the baseline was estimated from.",
            ),
            "level": ("number", "Chance that there is never a false alarm."),
            "side": ({"enum": ["both", "below", "above"]}, "Which change is looked for."),
            "mode": ({"enum": ["anytime", "fast"]}, "Which guarantee against false alarms."),
            "every": (WHOLE, "Verdicts to a false alarm on average, at least, of the fast mode."),
            "n": (WHOLE, "Verdicts so far."),
            "passes": (WHOLE, "Passes so far."),
            "recent": (WHOLE, "Passes in the window of 200 that is open."),
            "alarm_at": (
                {"anyOf": [WHOLE, {"type": "null"}]},
                "The verdict that brought the alarm, from 1.",
            ),
            "alarm_side": (
                {"enum": ["below", "above", None]},
                "Whether the rate is below or above the baseline.",
            ),
            "sums": ({"type": "array", "items": NUMBERS}, "Of the fast mode, by side."),
        }
    },
    "LabelStream": {
        "only": {
            "fbar": ("number", "Mean score of all items, from 0 to 1."),
            "level": ("number", "Of the interval."),
            "against": ("fraction", "The rate to compare with."),
            "width": (
                {"anyOf": ["number", {"type": "null"}]},
                "Stop when the interval is this narrow.",
            ),
            "n_items": (
                {"anyOf": [WHOLE, {"type": "null"}]},
                "How many items there are, where each is labelled once at most.",
            ),
            "sums": (OBJECT, "Sums over the labels so far."),
            "torn": ({"type": "boolean"}, "Whether the interval was empty at some time."),
            "first": (WHOLE, "Place of the first rate of the grid that is still possible."),
            "above": (NUMBERS, "Log wealth against each rate of the grid from above, in nats."),
            "below": (NUMBERS, "Log wealth against each rate of the grid from below, in nats."),
        },
        "optional": ["n_items"],
    },
    "Theorem": {"only": _STATEMENT, "optional": ["given", "define", "domain"]},
    "Contradiction": {"only": _STATEMENT, "optional": ["given", "define", "domain"]},
    "Correlations": {
        "and": {
            "gammas": (
                {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"judges": TEXTS, "label": TEXT, "value": TEXT},
                        "required": ["judges", "label", "value"],
                        "additionalProperties": False,
                    },
                },
                "The correlation of each group of judges on each true label, all answers correct; "
                "fractions.",
            )
        }
    },
    "Partition": {
        "and": {
            "expected_errors": (
                {"anyOf": ["fraction", "quadratic", "number"]},
                "Items that the decisions label wrong by the method's own account.",
            )
        }
    },
    "Nearest": {
        "and": {
            "key_counts": (WHOLES, "Items of each label in the nearest evaluation. Shape (R,)."),
            "tables": (
                {"type": "array", "items": ROWS},
                "Items of each label that got each answer: judge, true label, answer. Shape (N, R, A).",
            ),
        }
    },
    "Basis": {"and": {"polynomials": (TEXTS, "The basis, a polynomial each, as text.")}},
    "SelfConsistency": {
        "and": {
            "sentences": (TEXTS, "What is proved, the strongest first."),
            "certificates": (OBJECT, "By name: a certificate that the verifier checks."),
        }
    },
    "Leaderboard": {"and": {"meaning": (TEXT, "What the ratings do not mean.")}},
    "Replication": {"only": {"claims": ({"type": "array", "items": "Replicated"}, "The claims.")}},
    "Replicated": {
        "only": {
            name: (TEXT, text)
            for name, text in {
                "id": "Number of the paper, a dash, and the place in short.",
                "paper": "Number of the paper.",
                "place": "Where it is printed.",
                "paraphrase": "What is claimed there, in our words; numbers and formulas as printed.",
                "quote": "The paper's own words, where a verdict hangs on them; otherwise empty.",
                "ours": "The value computed now; empty where nothing can be.",
                "verdict": "What the computation bears out.",
                "tolerance": "How near the value must come.",
                "note": "What is to be said of it.",
            }.items()
        }
        | {
            "confirmed": (
                {"type": ["boolean", "null"]},
                "Whether the computation bears the verdict out; null where nothing was computed.",
            ),
            "machine_read": (
                {"type": "boolean"},
                "Whether the formula may have been misread when the page was turned into text.",
            ),
            "proofs": (TEXTS, "What was proved and refuted, a sentence each."),
        }
    },
    "algeval.algebra.proving.Step": {
        "only": {
            "name": (TEXT, "What the step is called."),
            "claim": (TEXT, "The polynomial that is zero."),
            "terms": (
                {"type": "array", "items": OBJECT},
                "Generator and cofactor of each product, as text.",
            ),
        }
    },
    "Section": {
        "only": {
            "title": (TEXT, "The heading."),
            "lines": (TEXTS, "What is said, a sentence each."),
            "caveat": (TEXT, "What this does not mean."),
            "results": (OBJECT, "The results it was made from, each a document of its own schema."),
        }
    },
}
"""By class: `only` these fields, or those of the class `and` these; (schema or class, words)."""

_VERIFIED = {"verified": (TEXTS, "The command line: what the verifier says of each certificate.")}
OF_COMMANDS = {
    "*": {
        "source": (TEXT, "The command line: name of the file or example that was read."),
        "read": (
            TEXT,
            "The command line: what was read: how many items, whose answers, which labels.",
        ),
        "notes": (TEXTS, "The command line: what reading did, a sentence each."),
    },
    "alarm": _VERIFIED,
    "threshold": _VERIFIED,
    "panel": _VERIFIED,
    "bounds": _VERIFIED,
    "evaluations": {
        "points": (
            {"type": "array", "items": _POINT},
            "The command line: the first evaluations: items of each label, correct answers per judge.",
        )
    },
    "program": {"solution": ("program-solution", "The command line, --solve: the solution.")},
    "decoding": {"ladder": ("ladder", "The command line, --show-algebra: every step.")},
    "aggregation": {
        "intervals": ("aggregation_bootstrap", "The command line: intervals of every number."),
        "score": ("score", "The command line, --key: the labels scored."),
    },
    "score_aggregation": {"score": ("score", "The command line, --key: the labels scored.")},
    "verdict-stream": {
        "alarm": ({"type": "boolean"}, "The command line: whether the pass rate has moved."),
        "rate": ("number", "The command line: share of the verdicts so far that pass."),
        "message": (TEXT, "The command line: where the stream stands, in a sentence."),
        "left_out": (
            OBJECT | {"additionalProperties": WHOLE},
            "The command line: words that were no verdicts, and how many of each.",
        ),
    },
}
"""What the command line adds to a document, all of it optional."""


def _each(**fields: tuple[dict[str, object], str]) -> dict[str, object]:
    """A list of objects with these fields: {name: (shape, what it says)}."""
    shapes = {name: made | {"description": words} for name, (made, words) in fields.items()}
    one = {"type": "object", "properties": shapes, "required": [*fields]}
    return {"type": "array", "items": one | {"additionalProperties": False}}


PRINTED = {
    "verdict": (
        "What algeval verify --json prints.",
        {
            "ok": ({"type": "boolean"}, "Whether the certificate holds."),
            "sentence": (TEXT, "What was proved, or what is wrong."),
            "claim": ({"type": ["object", "null"]}, "The claim, if it could be read."),
        },
    ),
    "examples": (
        "What algeval examples --json prints: where each example comes from.",
        {
            "examples": (
                OBJECT | {"additionalProperties": TEXTS},
                "By the name of the example, sentences on where it comes from.",
            )
        },
    ),
    "outcomes": (
        "What algeval prove --only --json prints: an outcome for each equation.",
        {"outcomes": ({"type": "array", "items": "outcome"}, "An outcome for each equation.")},
    ),
    "columns": (
        "What algeval columns --json prints: what each column of a table is read as.",
        {
            "columns": (
                _each(
                    column=(TEXT, "Name of the column."),
                    role=(
                        TEXT,
                        "What it is read as: item, judge, human, ...; ask where it is asked.",
                    ),
                    why=(TEXT, "What the role rests on."),
                    coverage=(
                        {"type": "number"},
                        "Share of the rows in which it is filled, 0 to 1.",
                    ),
                    example=(TEXT, "One of its values."),
                ),
                "The columns, in the order of the table.",
            ),
            "questions": (
                _each(
                    question=(TEXT, "What must be answered before anything is computed."),
                    columns=(TEXTS, "The columns it is about."),
                    answers=(TEXTS, "The options that answer it, one of which is to be typed."),
                ),
                "What the table leaves open.",
            ),
            "answers": (
                _each(
                    question=(TEXT, "A question that the table answers as it is."),
                    command=(TEXT, "The command that asks it."),
                ),
                "What the table can answer.",
            ),
            "missing": (
                _each(
                    question=(TEXT, "A question that the table does not answer yet."),
                    needs=(TEXT, "What it takes."),
                ),
                "What the table cannot answer yet.",
            ),
        },
    ),
}
"""Documents that single commands print: by name, what each is and {field: (shape, what it says)}."""

COMMON = {
    "status": "How the attempt ended: ok, or what stood in the way.",
    "message": "One plain sentence: the verdict and what it rests on.",
    "judges": "Names of the judges, in the order of every list about judges.",
    "labels": "The possible true labels, in the order of every list about labels.",
    "answers": "What judges may answer: the labels first, then answers never correct.",
    "items": "Item ids.",
    "label": "Name of the label.",
    "judge": "Name of the judge.",
    "other": "Name of the other judge.",
    "system": "Name of the system.",
    "method": "Name of the method.",
    "assumes": "What the method assumes.",
    "assumption": "What the numbers rest on, in a sentence.",
    "n_items": "Number of items.",
    "n_judges": "Number of judges.",
    "n_gold": "Number of items with a true label.",
    "n_keyed": "Number of items with a true label.",
    "n_missing": "Number of votes not given.",
    "n_correct": "Number of items labelled right.",
    "n_bins": "Number of bins.",
    "n_battles": "Number of battles.",
    "n_clusters": "Number of clusters.",
    "n_anchors": "Number of items whose truth set the scale.",
    "n_samples": "Number of resamples.",
    "n_repeats": "Number of repetitions.",
    "n_starts": "Number of starts.",
    "n_iter": "Steps of the iteration.",
    "converged": "Whether the iteration came to rest.",
    "folds": "Parts held out in turn.",
    "patience": "Steps without a gain after which the search stops.",
    "sketch_digest": "Digest of the counts it was made from.",
    "settings": "Every setting that produced the result.",
    "seed": "Seed of the random draws.",
    "random": "Seed of the random draws.",
    "level": "Level of confidence, from 0 to 1.",
    "low": "Lower end.",
    "high": "Upper end.",
    "rate": "Share of the items with the label, from 0 to 1.",
    "prevalence": "Share of the items with the label, from 0 to 1.",
    "warnings": "What to beware of, a sentence each.",
    "remark": "What is to be said beside.",
    "remarks": "What is to be said beside, a sentence each.",
    "notes": "What reading did, a sentence each.",
    "order": "How many judges' joint answers were used: 1, 2, ... or full.",
    "missing_rule": "What an unanswered item means: excluded or wrong.",
    "missing_counts": "Items each judge left unanswered.",
    "time_limit": "Seconds after which a search gives up; null for none.",
    "specification": "What was asked of the judges.",
    "witness": "Certificate that the lower end can be reached.",
    "refutation": "Certificate that nothing above the upper end can be reached.",
    "keys": "Certificate of the answer keys that attain the lower end; null where there is none.",
    "evaluation": "Prevalences and confusion tables.",
    "name": "What it is called.",
    "holds": "Whether the statement was proved; null where that is not known.",
}
"""What fields mean that classes do not explain, for they mean the same everywhere."""

WORDS = {
    "AxiomSet.judges": "Names of the judges in the axioms.",
    "AxiomSet.labels": "Names of the labels in the axioms.",
    "Basis.time_limit": "Seconds after which the computation gives up; null for none.",
    "Bin.low": "Lower end of the bin, a share.",
    "Bin.high": "Upper end of the bin, a share.",
    "Disagreement.method": "Name of the model.",
    "Counterexample.holds": "False: the statement was refuted.",
    "Proof.holds": "True: the statement was proved.",
    "Proof.identity": "The statement, as it was given.",
    "Undecided.holds": "Null: it is not known.",
    "Undecided.claim": "The statement that was asked about.",
    "Undecided.given": "The hypotheses.",
    "Undecided.define": "Names of the asker's own, and what they stand for.",
    "Undecided.model": "What was assumed of the judges.",
    "Undecided.judges": "Names of the judges in the statement.",
    "Undecided.labels": "Names of the labels in the statement.",
    "Quartets.n_replicates": "How many exams were drawn.",
    "Suspect.min_shared": "The setting: items that two judges must share to be compared.",
    "Nearest.evaluation": "The nearest evaluation that is possible, in exact numbers.",
    "Outcome.number": "Number of the equation in the paper.",
    "Variable.low": "The least value it may have.",
    "Variable.high": "The greatest value it may have.",
    "Minor.counts": "The counts that the minor is made of. Shape (3, 3).",
    "Overview.badge": "The verdict in two or three words.",
    "Overview.verdict": "The verdict in two sentences.",
    "Badge.kind": "What kind of verdict: alarm, quiet, open, ceiling, or rate where human labels settle one.",
    "Badge.text": "The verdict in two or three words.",
    "Card.name": "Name of the file with the card.",
    "Card.title": "What the number is of.",
    "Card.value": "The rate or the difference, as text.",
    "Card.interval": "Its confidence interval, as text.",
    "Card.size": "How many labels, items and judges it rests on.",
    "Card.caveat": "What it assumes, and what it does not mean.",
    "Card.low": "Lower end of the interval.",
    "Card.point": "The rate or the difference.",
    "Card.high": "Upper end of the interval.",
    "Card.ends": "Ends of the scale that the card draws.",
    "OrderEffect.effect": "What being shown first adds to a rating; 0 is no effect.",
    "PanelSize.judges": "Number of judges.",
    "PanelSize.rho2": "Squared correlation of their vote share with the truth, from 0 to 1.",
    "Repeats.half_width": "Half the width of the interval of the rate.",
    "Repeats.items": "Number of items.",
    "Repeats.m": "Labels for each item.",
    "RepeatPlan.items": "Number of items.",
    "RepeatPlan.labels_per_item": "Labels for each item.",
    "ResidualPair.correlation": "Correlation of what one factor leaves of their scores.",
    "ScoreTest.confusion": "Chance of each answer: judge, true label, answer.",
    "Step.call": "The command, or Python.",
    "Step.purpose": "What it is for.",
    "Table.columns": "Names of the columns.",
    "Table.rows": "Rows of text cells.",
    "Table.note": "What is said under the table.",
    "Table.words": "Columns that hold sentences.",
    "Table.download": "Name of the file that a page offers; empty for none.",
    "Table.file_rows": "Rows of that file.",
    "SplitGroup.majority": "What the majority says, and by whom.",
    "SplitGroup.model": "What the model says, and by whom.",
    "FactorCount.k": "Number of factors.",
    "Association.attribute": "Name of the attribute.",
    "Equation.left": "The left side, as text of SymPy.",
    "Equation.right": "The right side, as text of SymPy.",
    "Diagnosis.recommendation": "What to use, in a sentence.",
    "Identifiability.model": "Name of the model.",
    "Identifiability.identifiable": "Whether these judges can teach it.",
    "Suspect.at_most": "The setting: kappa with the others up to which a judge is named.",
    "FalsePositives.cut": "Score from which a response counts as positive.",
    "Group.group": "Name of the group.",
    "Leaderboard.ties": "What is made of ties.",
    "Drift.rows": "A row for each judge.",
    "Drift.only_before": "Items in the first table alone.",
    "Drift.only_after": "Items in the second table alone.",
    "Drift.people": "Labels that people gave, of items in both tables.",
    "Drift.to_label": "Changed items without a label, in the order in which to label them.",
    "Drift.good": "The label whose share is the pass rate; null where that is not known.",
    "Drift.random": "Seed of the order in which to label.",
    "Drift.anytime": "Whether verdicts rest on the interval that is valid at every look.",
    "DriftRow.before": "Name of the judge before.",
    "DriftRow.after": "Name of the judge after.",
    "DriftRow.n": "Items with both verdicts.",
    "DriftRow.changed": "Items whose verdict changed.",
    "DriftRow.pass_rate": "Change of the share of good verdicts; null where good is not known.",
    "DriftRow.passes": "Good verdicts before and after; null where good is not known.",
    "DriftRow.certain": "Ends of the change of accuracy, whatever the truth of items without a label.",
    "DriftRow.least_wrong": "Verdicts of both versions that are wrong whatever the truth.",
    "DriftRow.labelled": "Changed items with a label.",
    "DriftRow.new_right": "Of these, on how many the new verdict is right.",
    "DriftRow.old_right": "Of these, on how many the old verdict is right.",
    "DriftRow.change": "Change of accuracy, at a number of labels fixed beforehand.",
    "DriftRow.anytime": "Change of accuracy, valid at every look.",
    "DriftRow.recall": "By label: change of recall.",
    "DriftRow.labels_needed": "More labels that decide with a chance of 80%; null where not known.",
    "DriftRow.verdict": "Whether the new version is better, worse, the same, or not decided.",
    "Slices.table": "A row for each slice, and of each slice one for each system.",
    "Slices.changes": "Of two systems: a row for each slice of prompts, the smallest p first.",
    "Slices.systems": "Names of the systems, the old one first where two are compared.",
    "Slices.good": "The label whose share is the pass rate; empty where it is not known.",
    "Slices.n_labelled": "Outputs that people labelled.",
    "SliceRow.by": "The column of the slice.",
    "SliceRow.value": "Name of the group.",
    "SliceRow.system": "Name of the system; empty where systems are not apart.",
    "SliceRow.n": "Number of outputs.",
    "SliceRow.labelled": "How many of them people labelled.",
    "SliceRow.good": "How many of these have the good label.",
    "SliceRow.rate": "Pass rate with its own interval; the first is null where labels are too few.",
    "SliceRow.together": "The same with the interval that holds for all slices at once.",
    "SliceRow.least_wrong": "Verdicts that are wrong whatever the truth.",
    "SliceRow.n_verdicts": "Number of verdicts on these outputs.",
    "SliceRow.labels_needed": "More labels that are needed here; null where there are enough.",
    "SliceRow.method": "What the interval rests on: strata, clusters, chances or none.",
    "SliceChange.by": "The column of the slice.",
    "SliceChange.value": "Name of the group.",
    "SliceChange.n": "Prompts that both systems answered.",
    "SliceChange.labelled": "Prompts labelled for both systems.",
    "SliceChange.change": "New pass rate less the old, with its own interval.",
    "SliceChange.p": "One-sided, of no fall; null where nothing is tested.",
    "SliceChange.p_adjusted": "Adjusted for all slices (Holm); null where nothing is tested.",
    "SliceChange.visible": "Drop that would have been shown with a chance of about 80%; null without a test.",
    "SliceChange.verdict": "Whether the slice regressed, is not shown to have, or has too few labels.",
    "JudgeBias.lines": "A line for each judge and column, the smallest adjusted p first.",
    "JudgeBias.n_labelled": "Items that people labelled.",
    "JudgeBias.groups": "Without people's labels: groups of outputs, described.",
    "JudgeBias.positions": "A line for each judge of pairs that were shown in both orders.",
    "PositionLine.n_pairs": "Pairs judged in both orders.",
    "PositionLine.n_first": "Pairs where it took the answer shown first both times.",
    "PositionLine.n_second": "Pairs where it took the answer shown second both times.",
    "PositionLine.share": "Share of choices of the answer shown first.",
    "PositionLine.p": "Of the test that neither side is preferred.",
    "JudgeBias.good": "The label whose share moves; empty where right verdicts are counted.",
    "BiasLine.by": "The column that the verdict may depend on.",
    "BiasLine.value": "Group that differs most from the others; null for a column of numbers.",
    "BiasLine.n": "Labelled items with a verdict and a value.",
    "BiasLine.points": "By how much the share moves, in points; null where not known.",
    "BiasLine.p": "Of the test by itself; null where there is none.",
    "BiasLine.p_adjusted": "Adjusted for all lines (Holm); null where there is none.",
    "BiasLine.method": "How p was computed: exact, permutations, normal or clusters.",
    "GroupDescription.by": "The column of the group.",
    "GroupDescription.value": "Name of the group.",
    "GroupDescription.n": "Number of its items.",
    "GroupDescription.least_wrong": "Verdicts that are wrong whatever the truth.",
    "GroupDescription.n_verdicts": "Number of verdicts in the group.",
    "GroupDescription.shares": "By judge: share of the good label; null where it has no verdict.",
    "SelfConsistency.most_right": "Verdicts that can be right together at most.",
    "SelfConsistency.least_wrong": "Verdicts that are wrong at least, whatever the truth.",
    "SelfConsistency.ceiling": "Share of the verdicts that can be right at most.",
    "SelfConsistency.mean_accuracy_ceiling": "The judges' own accuracies are at most this on average.",
    "SelfConsistency.by_counts": "Wrong verdicts that each judge's counts alone prove.",
    "SelfConsistency.by_pairs": "Wrong verdicts that pairs of judges alone prove; null for a summary.",
    "SelfConsistency.pairs": "Pairs of judges, those that differ most often first.",
    "SelfConsistency.below": "By share of the items: judges that are right on less, at least.",
    "SelfConsistency.complete": "Whether every judge answered every item.",
    "SelfConsistency.least_wrong_with_labels": "Wrong verdicts if people's labels are right; else null.",
    "SelfConsistency.least_wrong_confident": "The same with confidence, if labels are a random sample.",
    "SelfConsistency.least_wrong_with_counts": "Wrong verdicts by the label counts stated; else null.",
    "SelfConsistency.repeats": "Judges that judged outputs more than once.",
    "SelfConsistency.label_counts": "By label: least and most items that have it, as stated.",
    "SelfConsistency.n_verdicts": "Number of verdicts, missing ones left out.",
    "Repeats.n_verdicts": "Number of its verdicts on them.",
    "Repeats.n_changed": "Items on which two of its answers differ.",
    "Repeats.most_right": "Verdicts that can be right together at most.",
    "Pair.n_differing": "Items on which they differ.",
    "JudgeCard.judges": "A row for each judge, in the order of the table.",
    "JudgeCard.constant": "A judge that always gives the label people give most.",
    "JudgeCard.base_rates": "By label: how often people give it, with the ends of its interval.",
    "JudgeCard.clusters": "Clusters of the labelled items; null where none were named.",
    "JudgeCard.humans": "How far several people agree on the same items; null where one labelled each.",
    "HumanAgreement.people": "Names of the people.",
    "HumanAgreement.n": "Items that at least two people answered.",
    "HumanAgreement.split": "Of these, items on which no label is the most frequent.",
    "HumanAgreement.agreement": "Chance that two people agree on an item, and the ends of its interval.",
    "HumanAgreement.ceiling": "The most that any judge can agree with these people on these items.",
    "HumanAgreement.single": "Accuracy of one person, if all are alike and err independently; else null.",
    "HumanAgreement.judges": "Each judge beside the people.",
    "HumanGap.n": "Items that the judge and at least two people answered.",
    "HumanGap.agreement": "Share on which it agrees with a person drawn at random.",
    "HumanGap.difference": "By how much more often than another person, and the ends of its interval.",
    "AltTest.judges": "A row for each judge, in the order of the card.",
    "AltTest.constant": "A judge that always gives the label people give most.",
    "AltTest.eps": "By how much a judge may be worse than a person.",
    "AltTest.false_discoveries": "Level of the Benjamini-Yekutieli procedure over people.",
    "AltTest.distance": "Whether answers were compared by how near they are.",
    "AltTestRow.winning_rate": "Share of people against whom it wins; null where too few items.",
    "AltTestRow.advantage": "Chance that it is at least as near to the others as a person is.",
    "AltTestRow.passes": "Whether it wins against half of the people or more.",
    "AltTestRow.people": "The test against each person.",
    "AltTestRow.by_label": "By what most others said: agreement with a person less another person's.",
    "AltTestPerson.person": "Name of the person.",
    "AltTestPerson.n": "Items that the person, another person and the judge answered.",
    "AltTestPerson.difference": "Share of items on which the person is as near, less that of the judge.",
    "AltTestPerson.p": "Of the test that the difference is below eps; null where it is eps throughout.",
    "AltTestPerson.rejected": "Whether the judge wins against this person.",
    "LabelsNeeded.pair": "What would tell the two best judges apart; null of a single judge.",
    "LabelsNeeded.widths": "More labels, drawn at random, for intervals of the half width, by judge.",
    "LabelsNeeded.half_width": "Half the expected width of intervals.",
    "LabelsNeeded.n_unlabelled": "Items without a label.",
    "PairNeeded.first": "The judge that is right most often.",
    "PairNeeded.second": "The judge that is right next to most often.",
    "PairNeeded.only_first": "Labelled items on which only the first is right.",
    "PairNeeded.only_second": "Labelled items on which only the second is right.",
    "PairNeeded.differ": "Items without a label on which their verdicts differ.",
    "PairNeeded.these_items": "How many of these decide, with a chance of 80%, who is right more often here.",
    "PairNeeded.like_these": "How many items on which they differ decide for items like these.",
    "WidthNeeded.accuracy": "More labels for the accuracy.",
    "WidthNeeded.recall": "By label: more labels for its recall; null where no label is of it.",
    "JudgeRow.n": "Labelled items that the judge answered.",
    "JudgeRow.accuracy": "Share of them it has right, and the ends of its interval.",
    "JudgeRow.balanced_accuracy": "Mean recall of the labels, and the ends of its interval.",
    "JudgeRow.kappa": "Cohen's kappa, null where not defined, and the ends of its interval.",
    "JudgeRow.ac1": "Gwet's AC1, and the ends of its interval.",
    "JudgeRow.quadratic_kappa": "Kappa with quadratic weights, of grades; else null.",
    "JudgeRow.recall": "By label: share of people's that it found, and the ends of its interval.",
    "JudgeRow.precision": "By label: share of its own that people share, and the ends of its interval.",
    "JudgeRow.confusion": "Items by what it said (labels, then any other answer) and what people said.",
    "Rated.battles": "Number of battles.",
    "Rated.wins": "Battles won.",
    "Rated.losses": "Battles lost.",
    "Rated.ties": "Battles tied.",
    "Way.rests_on": "What the way rests on.",
    "Alternative.win": "Chance that the better is found.",
    "Alternative.tie": "Chance of a tie.",
    "Alternative.loss": "Chance that the worse is taken for the better.",
    "Constraint.equal": "Whether both sides are equal; else the left is at least the right.",
    "Constraint.bound": "The right side.",
    "Minor.determinant": "The determinant of the counts.",
    "Relation.degree": "Degree of the polynomial.",
    "RiskRow.bayes": "Share of items labelled wrong by the best rule.",
    "RiskRow.independent": "Share labelled wrong by weighing votes as if independent.",
    "RiskLimit.bayes": "Share of items labelled wrong by the best rule.",
    "RiskLimit.independent": "Share labelled wrong by weighing votes as if independent.",
    "SystemComparison.names": "Names of the two systems.",
    "Pair.first": "Name of the first system.",
    "Pair.second": "Name of the second.",
}
"""The same of one class."""
