"""Tables as tools and teams write them, with the roles their columns have."""

import json

import numpy as np
import pandas as pd

N = 60
TOPICS = ("refunds", "shipping", "accounts", "returns", "invoices")


def truth(rng, n=N, share=0.65):
    return rng.random(n) < share


def verdicts(rng, true, words=("pass", "fail"), right=0.85):
    said = np.where(rng.random(len(true)) < right, true, ~true)
    return [words[0] if s else words[1] for s in said]


def some(rng, values, share=0.4):
    return [v if rng.random() < share else None for v in values]


def grades(rng, true, low=1, high=5):
    middle = np.where(true, high - 0.8, low + 1)
    return [int(np.clip(round(m + rng.normal(0, 0.8)), low, high)) for m in middle]


def numbers(rng, true, digits=3):
    return np.round(
        np.clip(np.where(true, 0.8, 0.4) + rng.normal(0, 0.15, len(true)), 0, 1), digits
    ).tolist()


def words(stem, n=N):
    return [
        f"{stem} number {k} about {TOPICS[k % 5]}, written in some more words" for k in range(n)
    ]


def uuids(rng, n=N):
    return ["".join(rng.choice(list("0123456789abcdef"), 12)) for _ in range(n)]


def merged_sheet(rng):
    t = truth(rng)
    head = [
        ["Review round 3", "", "", "LLM graders", "", "People", "", ""],
        ["No.", "Customer question", "Bot reply", "GPT-4o", "Claude", "Anna", "Ben", "Comments"],
    ]
    rows = zip(
        range(1, N + 1),
        words("Question"),
        words("Reply"),
        verdicts(rng, t, ("OK", "Not OK")),
        verdicts(rng, t, ("OK", "Not OK")),
        some(rng, verdicts(rng, t, ("OK", "Not OK"), 0.95)),
        some(rng, verdicts(rng, t, ("OK", "Not OK"), 0.95), 0.3),
        some(rng, words("Remark"), 0.1),
        strict=True,
    )
    return (
        head + [list(r) for r in rows],
        {
            "No.": ["item", "ignored"],
            "Customer question": "text",
            "Bot reply": "text",
            "LLM graders/GPT-4o": "judge",
            "LLM graders/Claude": "judge",
            "People/Anna": "human",
            "People/Ben": "human",
            "People/Comments": "reason",
        },
        "OK",
    )


def reason_json(rng):
    t = truth(rng)
    v = verdicts(rng, t)
    return (
        pd.DataFrame(
            {
                "trace_id": uuids(rng),
                "input": words("Question"),
                "output": words("Reply"),
                "verdict": v,
                "verdict_reason": [
                    json.dumps({"score": g, "explanation": f"because of {k}"})
                    for k, g in enumerate(grades(rng, t))
                ],
                "second_opinion": verdicts(rng, t),
                "latency_ms": rng.integers(200, 3000, N),
                "human_verdict": some(rng, verdicts(rng, t, right=0.97)),
            }
        ),
        {
            "trace_id": "item",
            "input": "text",
            "output": "text",
            "verdict": "judge",
            "verdict_reason": "reason",
            "second_opinion": "judge",
            "latency_ms": "covariate",
            "human_verdict": "human",
        },
        "pass",
    )


def inspect_table(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "eval_id": ["eX8b"] * N,
                "sample_id": uuids(rng),
                "id": [f"q{k // 2}" for k in range(N)],
                "epoch": [k % 2 + 1 for k in range(N)],
                "model": ["openai/gpt-4o-mini"] * N,
                "input": [words("Question")[k // 2] for k in range(N)],
                "target": [f"answer {k // 2}" for k in range(N)],
                "metadata/topic": [TOPICS[k // 2 % 5] for k in range(N)],
                "scores/match/value": verdicts(rng, t, ("C", "I"), 0.8),
                "scores/match/answer": words("Short"),
                "scores/model_graded_qa/value": verdicts(rng, t, ("C", "I"), 0.9),
                "scores/model_graded_qa/explanation": words("Because"),
                "scores/human_review/value": some(rng, verdicts(rng, t, ("C", "I"), 0.97)),
                "total_time": rng.random(N).round(3) * 10,
                "error": [None] * N,
            }
        ),
        {
            "eval_id": "ignored",
            "sample_id": "item",
            "id": "prompt",
            "epoch": "trial",
            "model": ["system", "ignored"],
            "input": "text",
            "target": "text",
            "metadata/topic": "slice",
            "scores/match/value": "judge",
            "scores/match/answer": "text",
            "scores/model_graded_qa/value": "judge",
            "scores/model_graded_qa/explanation": "reason",
            "scores/human_review/value": "human",
            "total_time": "covariate",
            "error": "ignored",
        },
        "C",
    )


def openai_evals(rng):
    t = truth(rng)
    rows = [
        {
            "spec": {
                "completion_fns": ["gpt-4o-mini"],
                "eval_name": "faq.dev.v0",
                "base_eval": "faq",
                "split": "dev",
                "run_id": "2403",
            }
        }
    ]
    correct = verdicts(rng, t, (True, False))
    event = 0
    for k in range(N):
        rows.append(
            {
                "run_id": "2403",
                "event_id": event,
                "sample_id": f"faq.dev.{k}",
                "type": "sampling",
                "data": {
                    "prompt": [{"role": "user", "content": words("Question")[k]}],
                    "sampled": [words("Reply")[k]],
                },
                "created_by": "",
                "created_at": f"2024-03-01 10:{k % 60:02d}:01+00:00",
            }
        )
        rows.append(
            {
                "run_id": "2403",
                "event_id": event + 1,
                "sample_id": f"faq.dev.{k}",
                "type": "match",
                "data": {
                    "correct": correct[k],
                    "expected": f"answer {k}",
                    "picked": f"answer {k}" if correct[k] else None,
                    "sampled": words("Reply")[k],
                },
                "created_by": "",
                "created_at": f"2024-03-01 10:{k % 60:02d}:02+00:00",
            }
        )
        event += 2
    rows.append({"final_report": {"accuracy": float(np.mean(correct)), "boostrap_std": 0.05}})
    roles = {"sample_id": "item", "prompt": "text", "response": "text", "verdict": "judge"}
    return rows, roles | {"reference": ["text", "ignored"], "system": ["system", "ignored"]}, "true"


def ragas(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "user_input": words("Question"),
                "retrieved_contexts": [str([w]) for w in words("Context")],
                "response": words("Reply"),
                "reference": words("Reference"),
                "llm_context_precision_with_reference": numbers(rng, t),
                "faithfulness": numbers(rng, t),
                "factual_correctness(mode=f1)": numbers(rng, t, 2),
                "semantic_similarity": numbers(rng, t, 4),
                "maliciousness": verdicts(rng, ~t, (1, 0), 0.9),
                "nv_accuracy": [round(v * 4) / 4 for v in numbers(rng, t)],
                "domain_expert": some(rng, verdicts(rng, t, (1, 0), 0.95)),
            }
        ),
        {
            "user_input": "text",
            "retrieved_contexts": "text",
            "response": "text",
            "reference": "text",
            "llm_context_precision_with_reference": "score",
            "faithfulness": "score",
            "factual_correctness(mode=f1)": "score",
            "semantic_similarity": ["score", "covariate"],
            "maliciousness": ["judge", "slice", "ignored"],
            "nv_accuracy": ["score", "judge"],
            "domain_expert": "human",
        },
        None,
    )


def mlflow_table(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "inputs": words("Question"),
                "ground_truth": words("Reference"),
                "outputs": words("Reply"),
                "token_count": rng.integers(20, 300, N),
                "latency": rng.random(N).round(3),
                "toxicity/v1/score": np.round(rng.random(N) / 50, 5),
                "flesch_kincaid_grade_level/v1/score": np.round(rng.random(N) * 12, 1),
                "answer_correctness/v1/score": grades(rng, t),
                "answer_correctness/v1/justification": words("Because"),
                "answer_correctness_llama/v1/score": grades(rng, t),
                "answer_correctness_llama/v1/justification": words("As it says"),
                "human_rating": some(rng, grades(rng, t)),
            }
        ),
        {
            "inputs": "text",
            "ground_truth": "text",
            "outputs": "text",
            "token_count": "covariate",
            "latency": "covariate",
            "toxicity/v1/score": ["score", "covariate"],
            "flesch_kincaid_grade_level/v1/score": ["score", "covariate"],
            "answer_correctness/v1/score": "judge",
            "answer_correctness/v1/justification": "reason",
            "answer_correctness_llama/v1/score": "judge",
            "answer_correctness_llama/v1/justification": "reason",
            "human_rating": "human",
        },
        None,
    )


def phoenix_spans(rng):
    t = truth(rng)
    v, w = (
        verdicts(rng, t, ("correct", "incorrect")),
        verdicts(rng, t, ("correct", "incorrect"), 0.8),
    )
    h = some(rng, verdicts(rng, t, ("correct", "incorrect"), 0.96))
    return (
        pd.DataFrame(
            {
                "context.span_id": uuids(rng),
                "context.trace_id": uuids(rng),
                "name": ["ChatCompletion"] * N,
                "span_kind": ["LLM"] * N,
                "attributes.input.value": words("Question"),
                "attributes.output.value": words("Reply"),
                "start_time": [f"2024-05-01T10:{k:02d}:00Z" for k in range(60)],
                "attributes.llm.token_count.total": rng.integers(100, 900, N),
                "eval.correctness_gpt4.label": v,
                "eval.correctness_gpt4.score": [int(x == "correct") for x in v],
                "eval.correctness_gpt4.explanation": words("Because"),
                "eval.correctness_claude.label": w,
                "eval.correctness_claude.score": [int(x == "correct") for x in w],
                "eval.correctness_claude.explanation": words("As it says"),
                "annotation.correctness.label": h,
                "annotation.correctness.score": [
                    None if x is None else int(x == "correct") for x in h
                ],
                "annotation.correctness.updated_by": [
                    None if x is None else "maria@team.org" for x in h
                ],
            }
        ),
        {
            "context.span_id": "item",
            "context.trace_id": ["ignored", "prompt"],
            "name": "ignored",
            "span_kind": "ignored",
            "attributes.input.value": "text",
            "attributes.output.value": "text",
            "start_time": "time",
            "attributes.llm.token_count.total": "covariate",
            "eval.correctness_gpt4.label": "judge",
            "eval.correctness_gpt4.score": ["ignored", "score"],
            "eval.correctness_gpt4.explanation": "reason",
            "eval.correctness_claude.label": "judge",
            "eval.correctness_claude.score": ["ignored", "score"],
            "eval.correctness_claude.explanation": "reason",
            "annotation.correctness.label": "human",
            "annotation.correctness.score": ["ignored"],
            "annotation.correctness.updated_by": ["ignored", "slice"],
        },
        "correct",
    )


def weave(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "id": uuids(rng),
                "op_name": ["Evaluation.predict_and_score"] * N,
                "started_at": [f"2024-06-01T09:{k:02d}:10" for k in range(60)],
                "inputs.example.question": words("Question"),
                "output.model_output": words("Reply"),
                "output.scores.correctness_scorer.correct": verdicts(rng, t, (True, False)),
                "output.scores.correctness_scorer.reason": words("Because"),
                "output.scores.HallucinationFreeScorer.has_hallucination": verdicts(
                    rng, ~t, (True, False)
                ),
                "output.scores.HallucinationFreeScorer.reasonings": words("As it says"),
                "output.model_latency": rng.random(N).round(4),
                "summary.weave.status": ["success"] * N,
                "summary.weave.latency_ms": rng.integers(200, 2000, N),
                "feedback.[wandb.annotation.human_ok]": some(
                    rng, verdicts(rng, t, (True, False), 0.96)
                ),
                "feedback.[wandb.reaction.1]": some(rng, verdicts(rng, t, ("👍", "👎")), 0.2),
            }
        ),
        {
            "id": "item",
            "op_name": "ignored",
            "started_at": "time",
            "inputs.example.question": "text",
            "output.model_output": "text",
            "output.scores.correctness_scorer.correct": "judge",
            "output.scores.correctness_scorer.reason": "reason",
            "output.scores.HallucinationFreeScorer.has_hallucination": ["judge"],
            "output.scores.HallucinationFreeScorer.reasonings": "reason",
            "output.model_latency": "covariate",
            "summary.weave.status": "ignored",
            "summary.weave.latency_ms": "covariate",
            "feedback.[wandb.annotation.human_ok]": "human",
            "feedback.[wandb.reaction.1]": ["human", "slice"],  # a thumb is no annotation
        },
        "true",
    )


def winners(rng):
    models = ["atlas-7b", "boreal-13b", "cirrus-2"]
    a = [models[k % 3] for k in range(N)]
    b = [models[(k + 1 + k // 3 % 2) % 3] for k in range(N)]

    def pick(right):
        return [
            (
                "tie"
                if rng.random() < 0.1
                else (x if x < y else y)
                if rng.random() < right
                else (y if x < y else x)
            )
            for x, y in zip(a, b, strict=True)
        ]

    return (
        pd.DataFrame(
            {
                "question_id": range(81, 81 + N),
                "category": [TOPICS[k % 5] for k in range(N)],
                "model_a": a,
                "model_b": b,
                "answer_a": words("Reply"),
                "answer_b": words("Other reply"),
                "gpt-4o winner": pick(0.8),
                "claude winner": pick(0.75),
                "human winner": some(rng, pick(0.8), 0.5),
            }
        ),
        {
            "question_id": ["item", "prompt"],
            "category": "slice",
            "model_a": "system",
            "model_b": "system",
            "answer_a": "text",
            "answer_b": "text",
            "gpt-4o winner": "judge",
            "claude winner": "judge",
            "human winner": "human",
        },
        None,
    )


def turns(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "conversation_id": [f"conv-{k // 4:03d}" for k in range(N)],
                "turn": [k % 4 + 1 for k in range(N)],
                "user_message": words("Question"),
                "assistant_message": words("Reply"),
                "judge_4o": verdicts(rng, t, ("good", "bad")),
                "judge_sonnet": verdicts(rng, t, ("good", "bad")),
                "annotation": [
                    h if k % 4 == 3 else None
                    for k, h in enumerate(verdicts(rng, t, ("good", "bad"), 0.96))
                ],
                "conversation_resolved": [["yes", "no"][k // 4 % 3 == 0] for k in range(N)],
            }
        ),
        {
            "conversation_id": "prompt",
            "turn": "item",
            "user_message": "text",
            "assistant_message": "text",
            "judge_4o": "judge",
            "judge_sonnet": "judge",
            "annotation": "human",
            "conversation_resolved": ["slice", "ignored"],
        },
        "good",
    )


def likert(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "sample": [f"s{k:03d}" for k in range(N)],
                "prompt": words("Question"),
                "completion": words("Reply"),
                "prompt_version": [["v3", "v4"][k % 2] for k in range(N)],
                "gpt-4o verdict": verdicts(rng, t),
                "haiku verdict": verdicts(rng, t),
                "likert (Anna)": some(rng, grades(rng, t), 0.5),
                "likert (Ben)": some(rng, grades(rng, t), 0.5),
                "difficulty": rng.integers(1, 6, N),
            }
        ),
        {
            "sample": "item",
            "prompt": "text",
            "completion": "text",
            "prompt_version": "system",
            "gpt-4o verdict": "judge",
            "haiku verdict": "judge",
            "likert (Anna)": "human",
            "likert (Ben)": "human",
            "difficulty": "covariate",
        },
        "pass",
    )


def spanish(rng):
    t = truth(rng)
    w = ("aprobado", "suspenso")
    return (
        pd.DataFrame(
            {
                "id": [f"c-{k:03d}" for k in range(N)],
                "pregunta": words("Pregunta"),
                "respuesta": words("Respuesta"),
                "sistema": [["bot1", "bot2"][k % 2] for k in range(N)],
                "juez_gpt": verdicts(rng, t, w),
                "juez_claude": verdicts(rng, t, w),
                "evaluador_humano": some(rng, verdicts(rng, t, w, 0.96)),
                "motivo": some(rng, words("Porque"), 0.5),
                "fecha": [f"2024-05-{k % 28 + 1:02d}" for k in range(N)],
                "costo": [f"0,{rng.integers(10, 99)}" for _ in range(N)],
            }
        ),
        {
            "id": "item",
            "pregunta": "text",
            "respuesta": "text",
            "sistema": "system",
            "juez_gpt": "judge",
            "juez_claude": "judge",
            "evaluador_humano": "human",
            "motivo": "reason",
            "fecha": "time",
            "costo": ["covariate", "ignored"],
        },
        "aprobado",
    )


def german(rng):
    t = truth(rng)
    w = ("bestanden", "nicht bestanden")
    return (
        pd.DataFrame(
            {
                "Nr": range(1, N + 1),
                "Frage": words("Frage"),
                "Antwort": words("Antwort"),
                "Richter 1": verdicts(rng, t, w),
                "Richter 2": verdicts(rng, t, w),
                "Mensch": some(rng, verdicts(rng, t, w, 0.96)),
                "Begründung": some(rng, words("Weil"), 0.6),
                "Kategorie": [TOPICS[k % 5] for k in range(N)],
                "Dauer (s)": rng.random(N).round(2),
            }
        ),
        {
            "Nr": ["item", "ignored"],
            "Frage": "text",
            "Antwort": "text",
            "Richter 1": "judge",
            "Richter 2": "judge",
            "Mensch": "human",
            "Begründung": "reason",
            "Kategorie": "slice",
            "Dauer (s)": "covariate",
        },
        "bestanden",
    )


def argilla_flat(rng):
    t = truth(rng)
    rows = []
    s, a, b = (
        verdicts(rng, t, ("good", "bad")),
        verdicts(rng, t, ("good", "bad"), 0.95),
        verdicts(rng, t, ("good", "bad"), 0.95),
    )
    for k in range(N):
        people = [x for x in (a[k] if k % 2 else None, b[k] if k % 3 == 0 else None) if x]
        rows.append(
            {
                "id": f"{k:08x}",
                "status": "completed" if people else "pending",
                "_server_id": f"{k:012x}",
                "prompt": words("Question")[k],
                "response": words("Reply")[k],
                "model": ["m1", "m2"][k % 2],
                "quality.responses": people or None,
                "quality.responses.users": [f"u-{i}" for i in range(len(people))] or None,
                "quality.responses.status": ["submitted"] * len(people) or None,
                "quality.suggestion": s[k],
                "quality.suggestion.score": round(float(rng.random()), 3),
                "quality.suggestion.agent": "gpt-4o",
            }
        )
    return (
        rows,
        {
            "id": "item",
            "prompt": "text",
            "response": "text",
            "model": "system",
            "quality.responses": "human",
            "quality.suggestion": "judge",
            "quality.suggestion.score": ["ignored", "score", "covariate"],
            "quality.suggestion.agent": "ignored",
        },
        "good",
    )


def argilla_csv(rng):
    rows, roles, good = argilla_flat(rng)
    return (
        pd.DataFrame(rows).rename(
            columns={
                "prompt": "fields.prompt",
                "response": "fields.response",
                "model": "metadata.model",
            }
        ),
        {
            {
                "prompt": "fields.prompt",
                "response": "fields.response",
                "model": "metadata.model",
            }.get(k, k): v
            for k, v in roles.items()
        },
        good,
    )


def argilla_hub(rng):
    rows, _, good = argilla_flat(rng)
    new = [
        {
            "prompt": r["prompt"],
            "response": r["response"],
            "quality": [
                {"user_id": u, "value": v, "status": "submitted"}
                for u, v in zip(
                    r["quality.responses.users"] or [], r["quality.responses"] or [], strict=True
                )
            ],
            "quality-suggestion": r["quality.suggestion"],
            "quality-suggestion-metadata": {
                "type": "model",
                "score": r["quality.suggestion.score"],
                "agent": "gpt-4o",
            },
            "external_id": r["id"],
            "metadata": json.dumps({"model": r["model"]}),
        }
        for r in rows
    ]
    return (
        new,
        {
            "external_id": "item",
            "prompt": "text",
            "response": "text",
            "quality": "human",
            "quality-suggestion": "judge",
        },
        good,
    )


def vertex(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "prompt": words("Question"),
                "response": words("Reply"),
                "reference": words("Reference"),
                "rouge_l_sum/score": numbers(rng, t, 5),
                "groundedness/score": verdicts(rng, t, (1.0, 0.0)),
                "groundedness/explanation": words("Because"),
                "groundedness/confidence": numbers(rng, t, 1),
                "autorater_2/score": verdicts(rng, t, (1.0, 0.0)),
                "human_groundedness": some(rng, verdicts(rng, t, (1, 0), 0.96)),
            }
        ),
        {
            "prompt": "text",
            "response": "text",
            "reference": "text",
            "rouge_l_sum/score": ["score", "covariate"],
            "groundedness/score": "judge",
            "groundedness/explanation": "reason",
            "groundedness/confidence": ["score", "covariate", "ignored"],
            "autorater_2/score": "judge",
            "human_groundedness": "human",
        },
        "1",
    )


def azure(rng):
    t = truth(rng)
    g = grades(rng, t)
    return (
        pd.DataFrame(
            {
                "inputs.query": words("Question"),
                "inputs.response": words("Reply"),
                "inputs.reviewer_label": some(rng, verdicts(rng, t, right=0.97)),
                "outputs.groundedness.groundedness": g,
                "outputs.groundedness.gpt_groundedness": g,
                "outputs.groundedness.groundedness_reason": words("Because"),
                "outputs.groundedness.groundedness_result": [
                    "pass" if x >= 3 else "fail" for x in g
                ],
                "outputs.groundedness.groundedness_threshold": [3] * N,
                "outputs.intent_resolution.intent_resolution_result": verdicts(rng, t),
                "outputs.violence.violence": [
                    "Very low" if rng.random() < 0.9 else "Low" for _ in range(N)
                ],
                "outputs.violence.violence_score": rng.integers(0, 2, N),
                "line_number": range(N),
            }
        ),
        {
            "inputs.query": "text",
            "inputs.response": "text",
            "inputs.reviewer_label": "human",
            "outputs.groundedness.groundedness": ["judge", "score", "ignored"],
            "outputs.groundedness.gpt_groundedness": "ignored",
            "outputs.groundedness.groundedness_reason": "reason",
            "outputs.groundedness.groundedness_result": "judge",
            "outputs.groundedness.groundedness_threshold": "ignored",
            "outputs.intent_resolution.intent_resolution_result": "judge",
            "outputs.violence.violence": ["slice", "ignored"],
            "outputs.violence.violence_score": ["score", "covariate", "slice", "ignored"],
            "line_number": ["item", "ignored"],
        },
        "pass",
    )


def initials(rng):
    t = truth(rng)
    w = ("Y", "N")
    return (
        pd.DataFrame(
            {
                "Ref": [f"SR-{k:04d}" for k in range(N)],
                "Customer query": words("Question"),
                "Bot reply": words("Reply"),
                "AI check": verdicts(rng, t, w),
                "2nd AI check": verdicts(rng, t, w),
                "PB": some(rng, verdicts(rng, t, w, 0.95), 0.5),
                "KM": some(rng, verdicts(rng, t, w, 0.95), 0.5),
                "Agreed outcome": some(rng, verdicts(rng, t, w, 0.98), 0.5),
                "Escalated?": verdicts(rng, t, w, 0.5),
            }
        ),
        {
            "Ref": "item",
            "Customer query": "text",
            "Bot reply": "text",
            "AI check": "judge",
            "2nd AI check": "judge",
            "PB": "human",
            "KM": "human",
            "Agreed outcome": "human",
            "Escalated?": "slice",
        },
        "Y",
    )


def toloka(rng):
    t = truth(rng, 20)
    rows = []
    for w in range(5):
        v = verdicts(rng, t, ("OK", "BAD"), 0.8)
        for k in range(20):
            if rng.random() < 0.8:
                rows.append(
                    {
                        "INPUT:question": words("Question", 20)[k],
                        "INPUT:answer": words("Reply", 20)[k],
                        "OUTPUT:result": v[k],
                        "GOLDEN:result": ("OK" if t[k] else "BAD") if k < 5 else None,
                        "HINT:text": None,
                        "ASSIGNMENT:link": f"https://x.org/{w}{k}",
                        "ASSIGNMENT:task_id": f"t{k:04d}",
                        "ASSIGNMENT:worker_id": f"w{w:02d}f",
                        "ASSIGNMENT:status": "APPROVED",
                        "ASSIGNMENT:started": f"2024-02-01T10:{k:02d}:00",
                    }
                )
    return (
        pd.DataFrame(rows),
        {
            "INPUT:question": "text",
            "INPUT:answer": "text",
            "OUTPUT:result": "answer",
            "GOLDEN:result": "human",
            "HINT:text": "ignored",
            "ASSIGNMENT:link": "ignored",
            "ASSIGNMENT:task_id": "item",
            "ASSIGNMENT:worker_id": "rater",
            "ASSIGNMENT:status": "ignored",
            "ASSIGNMENT:started": "time",
        },
        "OK",
    )


def trulens(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "app_id": [["rag_v1", "rag_v2"][k % 2] for k in range(N)],
                "app_version": ["base"] * N,
                "record_id": [f"record_hash_{k:06d}" for k in range(N)],
                "input": [words("Question")[k // 2] for k in range(N)],
                "output": words("Reply"),
                "tags": ["-"] * N,
                "record_json": [json.dumps({"a": k}) for k in range(N)],
                "cost_json": [json.dumps({"c": k}) for k in range(N)],
                "ts": [f"2024-03-01 10:{k:02d}:00" for k in range(60)],
                "Answer Relevance": numbers(rng, t, 1),
                "Groundedness": numbers(rng, t),
                "Groundedness_calls": words("Call"),
                "latency": rng.random(N).round(2),
                "total_tokens": rng.integers(100, 900, N),
                "total_cost": rng.random(N).round(5),
                "Human Feedback": some(rng, verdicts(rng, t, (1, 0), 0.95)),
            }
        ),
        {
            "app_id": "system",
            "app_version": "ignored",
            "record_id": "item",
            "input": ["prompt", "text"],
            "output": "text",
            "tags": "ignored",
            "record_json": ["ignored", "text"],
            "cost_json": ["ignored", "text"],
            "ts": "time",
            "Answer Relevance": "score",
            "Groundedness": "score",
            "Groundedness_calls": ["text", "ignored", "reason"],
            "latency": "covariate",
            "total_tokens": "covariate",
            "total_cost": "covariate",
            "Human Feedback": "human",
        },
        None,
    )


def vertex_pairs(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "prompt": words("Question"),
                "baseline_model_response": words("Reply"),
                "response": words("Other reply"),
                "pairwise_fluency/pairwise_choice": verdicts(rng, t, ("CANDIDATE", "BASELINE")),
                "pairwise_fluency/explanation": words("Because"),
                "gemini_pairwise/pairwise_choice": verdicts(rng, t, ("CANDIDATE", "BASELINE")),
                "rater_choice": some(rng, verdicts(rng, t, ("CANDIDATE", "BASELINE"), 0.95)),
            }
        ),
        {
            "prompt": "text",
            "baseline_model_response": "text",
            "response": "text",
            "pairwise_fluency/pairwise_choice": "judge",
            "pairwise_fluency/explanation": "reason",
            "gemini_pairwise/pairwise_choice": "judge",
            "rater_choice": "human",
        },
        None,
    )


def confident_ai(rng):  # DeepEval's frame
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "name": [f"test_case_{k}" for k in range(N)],
                "input": words("Question"),
                "actual_output": words("Reply"),
                "expected_output": words("Reference"),
                "Correctness [GEval]": numbers(rng, t, 2),
                "Correctness [GEval] reason": words("Because"),
                "Answer Relevancy": numbers(rng, t, 2),
                "success": verdicts(rng, t, (True, False)),
                "reviewer": [["amy", "bo"][k % 2] for k in range(N)],
                "reviewer_decision": some(rng, verdicts(rng, t, ("Approved", "Rejected"), 0.96)),
            }
        ),
        {
            "name": "item",
            "input": "text",
            "actual_output": "text",
            "expected_output": "text",
            "Correctness [GEval]": ["score"],
            "Correctness [GEval] reason": "reason",
            "Answer Relevancy": "score",
            "success": "judge",
            "reviewer": "slice",
            "reviewer_decision": "human",
        },
        None,
    )


def patronus(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "log_id": uuids(rng),
                "evaluator_id": ["lynx-large"] * N,
                "criteria": ["patronus:hallucination"] * N,
                "evaluated_model_input": words("Question"),
                "evaluated_model_output": words("Reply"),
                "evaluated_model_name": [["m1", "m2"][k % 2] for k in range(N)],
                "pass": verdicts(rng, t, (True, False)),
                "score_raw": numbers(rng, t),
                "explanation": words("Because"),
                "annotation.pass": some(rng, verdicts(rng, t, (True, False), 0.96)),
                "tags": ["{}"] * N,
            }
        ),
        {
            "log_id": "item",
            "evaluator_id": "ignored",
            "criteria": "ignored",
            "evaluated_model_input": "text",
            "evaluated_model_output": "text",
            "evaluated_model_name": ["system", "slice"],
            "pass": "judge",
            "score_raw": ["score", "ignored", "covariate"],
            "explanation": "reason",
            "annotation.pass": "human",
            "tags": "ignored",
        },
        "true",
    )


def humanloop(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "log.id": [f"data_{u}" for u in uuids(rng)],
                "datapoint.inputs.question": [words("Question")[k // 2] for k in range(N)],
                "prompt_version": [["pv_a", "pv_b"][k % 2] for k in range(N)],
                "log.output": words("Reply"),
                "evaluator: gpt4-judge": verdicts(rng, t, (True, False)),
                "evaluator: claude-judge": verdicts(rng, t, (True, False)),
                "evaluator: Expert review": some(rng, verdicts(rng, t, (True, False), 0.97)),
                "latency": rng.random(N).round(2),
            }
        ),
        {
            "log.id": "item",
            "datapoint.inputs.question": ["prompt", "text"],
            "prompt_version": "system",
            "log.output": "text",
            "evaluator: gpt4-judge": "judge",
            "evaluator: claude-judge": "judge",
            "evaluator: Expert review": "human",
            "latency": "covariate",
        },
        "true",
    )


def surge(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "task_id": uuids(rng),
                "prompt": words("Question"),
                "response_1": words("Reply"),
                "response_2": words("Other"),
                "preferred": verdicts(rng, t, ("response_1", "response_2")),
                "llm_preferred": verdicts(rng, t, ("response_1", "response_2")),
                "reward_margin": numbers(rng, t),
                "worker_email": [f"w{k % 4}@surge.com" for k in range(N)],
            }
        ),
        {
            "task_id": "item",
            "prompt": "text",
            "response_1": "text",
            "response_2": "text",
            "preferred": "human",
            "llm_preferred": "judge",
            "reward_margin": ["score", "covariate"],
            "worker_email": ["slice", "ignored"],
        },
        None,
    )


def triage(rng):
    t = truth(rng)
    w = ("Accept", "Reject", "Escalate")

    def three(p):
        return [x if rng.random() < 0.9 else "Escalate" for x in verdicts(rng, t, w[:2], p)]

    return (
        pd.DataFrame(
            {
                "Case #": [f"C{k + 100}" for k in range(N)],
                "Claim text": words("Claim"),
                "Model recommendation": three(0.85),
                "Second model recommendation": three(0.8),
                "Adjuster decision": some(rng, three(0.97), 0.5),
                "Amount": rng.integers(100, 9000, N),
                "Region": [["N", "S"][k % 2] for k in range(N)],
            }
        ),
        {
            "Case #": "item",
            "Claim text": "text",
            "Model recommendation": "judge",
            "Second model recommendation": "judge",
            "Adjuster decision": "human",
            "Amount": "covariate",
            "Region": "slice",
        },
        None,
    )


def radiology(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "study_uid": [f"1.2.840.{k}" for k in range(N)],
                "ai_finding": verdicts(rng, t, ("positive", "negative")),
                "cad_finding": verdicts(rng, t, ("positive", "negative")),
                "reader1": verdicts(rng, t, ("positive", "negative"), 0.95),
                "reader2": verdicts(rng, t, ("positive", "negative"), 0.95),
                "biopsy": some(rng, verdicts(rng, t, ("positive", "negative"), 1), 0.3),
                "age": rng.integers(30, 80, N),
                "sex": [["F", "M"][k % 2] for k in range(N)],
            }
        ),
        {
            "study_uid": "item",
            "ai_finding": "judge",
            "cad_finding": "judge",
            "reader1": "human",
            "reader2": "human",
            "biopsy": "human",
            "age": "covariate",
            "sex": "slice",
        },
        None,
    )


def long_kinds(rng):
    t = truth(rng)
    rows = []
    for who, kind, p, sh in (
        ("gpt-4o", "model", 0.85, 1),
        ("llama-70b", "model", 0.8, 1),
        ("worker_17", "crowd", 0.95, 0.4),
        ("worker_9", "crowd", 0.95, 0.4),
    ):
        for k, x in enumerate(verdicts(rng, t, ("yes", "no"), p)):
            if rng.random() < sh:
                rows.append(
                    {"example": f"e{k}", "grader_type": kind, "grader": who, "is_correct": x}
                )
    return (
        pd.DataFrame(rows),
        {"example": "item", "grader_type": ["slice"], "grader": "rater", "is_correct": "answer"},
        "yes",
    )


def french(rng):
    t = truth(rng)
    w = ("conforme", "non conforme")
    return (
        pd.DataFrame(
            {
                "n°": range(1, N + 1),
                "question": words("Question"),
                "réponse": words("Réponse"),
                "modèle": [["m1", "m2"][k % 2] for k in range(N)],
                "avis_gpt4": verdicts(rng, t, w),
                "avis_mistral": verdicts(rng, t, w),
                "avis_humain": some(rng, verdicts(rng, t, w, 0.96)),
                "remarques": some(rng, words("Parce"), 0.4),
            }
        ),
        {
            "n°": ["item", "ignored"],
            "question": "text",
            "réponse": "text",
            "modèle": "system",
            "avis_gpt4": "judge",
            "avis_mistral": "judge",
            "avis_humain": "human",
            "remarques": "reason",
        },
        None,
    )


def helm(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "instance_id": [f"id{k}" for k in range(N)],
                "train_trial_index": [0] * N,
                "model": ["openai_gpt-4o"] * N,
                "exact_match": verdicts(rng, t, (1.0, 0.0), 0.8),
                "quasi_exact_match": verdicts(rng, t, (1.0, 0.0), 0.85),
                "annotations.gpt_judge": verdicts(rng, t, (1, 0)),
                "annotations.claude_judge": verdicts(rng, t, (1, 0)),
                "human_eval": some(rng, verdicts(rng, t, (1, 0), 0.96)),
                "num_output_tokens": rng.integers(1, 99, N),
            }
        ),
        {
            "instance_id": "item",
            "train_trial_index": "ignored",
            "model": ["ignored", "system"],
            "exact_match": "judge",
            "quasi_exact_match": "judge",
            "annotations.gpt_judge": "judge",
            "annotations.claude_judge": "judge",
            "human_eval": "human",
            "num_output_tokens": "covariate",
        },
        "1",
    )


def csat(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "ticket_id": range(9000, 9000 + N),
                "agent": [["bot", "human"][k % 2] for k in range(N)],
                "resolved_by_llm_judge": verdicts(rng, t, ("yes", "no")),
                "qa_llm_2": verdicts(rng, t, ("yes", "no")),
                "csat": some(rng, grades(rng, t), 0.3),
                "qa_manual": some(rng, verdicts(rng, t, ("yes", "no"), 0.96)),
                "handle_time": rng.integers(30, 900, N),
            }
        ),
        {
            "ticket_id": "item",
            "agent": ["system", "slice"],
            "resolved_by_llm_judge": "judge",
            "qa_llm_2": "judge",
            "csat": ["human", "covariate", "score"],
            "qa_manual": "human",
            "handle_time": "covariate",
        },
        "yes",
    )


def confidence_cols(rng):
    t = truth(rng)
    return (
        pd.DataFrame(
            {
                "uid": uuids(rng),
                "gpt4o": verdicts(rng, t),
                "gpt4o_conf": numbers(rng, t, 2),
                "gpt4o_rationale": words("Because"),
                "claude": verdicts(rng, t),
                "claude_conf": rng.integers(1, 6, N),
                "SME": some(rng, verdicts(rng, t, right=0.97)),
                "SME_conf": some(rng, grades(rng, t), 0.4),
            }
        ),
        {
            "uid": "item",
            "gpt4o": "judge",
            "gpt4o_conf": ["score", "covariate"],
            "gpt4o_rationale": "reason",
            "claude": "judge",
            "claude_conf": ["score", "covariate"],
            "SME": "human",
            "SME_conf": ["score", "covariate", "ignored"],
        },
        "pass",
    )


def majority(rng):
    t = truth(rng)
    j = [verdicts(rng, t) for _ in range(3)]
    maj = ["pass" if sum(x[k] == "pass" for x in j) > 1 else "fail" for k in range(N)]
    return (
        pd.DataFrame(
            {
                "id": [f"x{k}" for k in range(N)],
                "gpt-4o": j[0],
                "claude": j[1],
                "gemini": j[2],
                "majority_vote": maj,
                "n_pass": [sum(x[k] == "pass" for x in j) for k in range(N)],
                "final_label": some(rng, verdicts(rng, t, right=0.97), 0.4),
            }
        ),
        {
            "id": "item",
            "gpt-4o": "judge",
            "claude": "judge",
            "gemini": "judge",
            "majority_vote": ["ignored"],
            "n_pass": ["covariate", "ignored"],
            "final_label": "human",
        },
        "pass",
    )


TABLES = (
    merged_sheet,
    reason_json,
    inspect_table,
    openai_evals,
    ragas,
    mlflow_table,
    phoenix_spans,
    weave,
    winners,
    turns,
    likert,
    spanish,
    german,
    argilla_flat,
    argilla_csv,
    argilla_hub,
    vertex,
    azure,
    initials,
    toloka,
    trulens,
    vertex_pairs,
    confident_ai,
    patronus,
    humanloop,
    surge,
    triage,
    radiology,
    long_kinds,
    french,
    helm,
    csat,
    confidence_cols,
    majority,
)


def written(table, folder, seed=1):
    """Return the path of the table's file, its columns' roles and its good label."""
    made, roles, good = table(np.random.default_rng([seed, len(table.__name__)]))
    name = table.__name__
    if name == "merged_sheet" or getattr(made, "columns", [""])[0] == 0:
        path = folder / f"{name}.csv"
        pd.DataFrame(made).to_csv(path, index=False, header=False)
    elif isinstance(made, list):
        path = folder / f"{name}.jsonl"
        path.write_text("\n".join(json.dumps(r) for r in made), encoding="utf-8")
    elif name in ("spanish", "dutch"):
        path = folder / f"{name}.csv"
        made.to_csv(path, index=False, sep=";")
    else:
        path = folder / f"{name}.csv"
        made.to_csv(path, index=False)
    return path, roles, good
