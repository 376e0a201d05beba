"""Make the example support-bot: two versions of a bot that answers customers, judged by three models.

``python tests/io/support_bot.py`` writes it. Nobody wrote these messages, and no model judged them: version
v1 answers well with chance 0.70 and v2 with 0.82; gpt4o errs on 8% of good and 25% of bad answers, claude on
6% and 12%, and gemini on 4% and 30%, more often the longer a bad answer is. People labelled both answers to
40 of the 200 questions, drawn at random.
"""

import csv
import random
import sys
from pathlib import Path

FILE = Path(__file__).parents[2] / "algeval" / "io" / "examples" / "support-bot.csv"

# topic, question, what a good answer says, what a bad one says
CASES = [
    (
        "billing",
        "I was charged twice for {} this month. Can I have one payment back?",
        "I see both charges. One is on its way back to your card and arrives within five days.",
        "A second charge is normal at the start of a month, so nothing needs to be done.",
    ),
    (
        "billing",
        "Why did the price of {} go up?",
        "Your first-year discount ended on the date in your last invoice; the new price is the regular one.",
        "Prices have not changed, so your bank must have added a fee.",
    ),
    (
        "billing",
        "Please send me an invoice for {} with our VAT number on it.",
        "Add the number under Settings, Billing; the invoice is made again with it and mailed to you.",
        "Invoices cannot show a VAT number.",
    ),
    (
        "billing",
        "I want to pay for {} by bank transfer instead of card.",
        "Yearly plans can be paid by transfer: choose it under Billing and use the reference shown there.",
        "Sure, just send the amount to our usual account.",
    ),
    (
        "cancel",
        "How do I cancel {}?",
        "Open Settings, Plan, and choose Cancel. You keep access until the end of the paid period.",
        "Please stop paying and the account will close by itself.",
    ),
    (
        "cancel",
        "I cancelled {} last week and was billed again. What now?",
        "Your cancellation reached us after the renewal, so I have refunded the new charge in full.",
        "We never refund renewals.",
    ),
    (
        "cancel",
        "Can I pause {} over the summer?",
        "Yes, for up to three months: Settings, Plan, Pause. Nothing is charged while it is paused.",
        "Pausing deletes your data after 24 hours, so I would not do it.",
    ),
    (
        "account",
        "I cannot log in to {} since I changed my phone.",
        "Use one of your recovery codes at the second step; if you have none, confirm by mail instead.",
        "Try the old phone.",
    ),
    (
        "account",
        "How do I move {} to another email address?",
        "Change it under Profile; we mail both addresses and the change counts once both agree.",
        "Make a new account with the new address and buy the plan again.",
    ),
    (
        "account",
        "Can two people share one seat of {}?",
        "No, a seat belongs to one person, but it can be handed to somebody else at any time.",
        "Yes, as many people as you like can use one password.",
    ),
    (
        "account",
        "Please delete my data in {}.",
        "Settings, Privacy, Delete account. All of it is gone after 30 days, and we confirm by mail.",
        "Your data is already deleted.",
    ),
    (
        "technical",
        "{} shows a blank page after the update.",
        "Clear the cache for our site and reload; if it stays blank, tell me your browser and its version.",
        "We have no known problems at the moment.",
    ),
    (
        "technical",
        "The export from {} stops at 10,000 rows.",
        "That is the limit of the button; the API or a scheduled export has none.",
        "Split your data into smaller accounts.",
    ),
    (
        "technical",
        "Does {} work offline?",
        "You can read what was opened before; changes are kept and sent when you are online again.",
        "Yes, everything works offline.",
    ),
    (
        "technical",
        "How do I connect {} to our calendar?",
        "Integrations, Calendar, Connect, then allow access; events show up within ten minutes.",
        "There is no such feature, and none is planned.",
    ),
    (
        "technical",
        "{} is very slow since Monday. Is something wrong?",
        "Yes: one region has been slow since Monday 9:00. Our status page is updated every hour.",
        "It is most likely your computer.",
    ),
    (
        "shipping",
        "Where is the hardware for {}? It should have come on Friday.",
        "It is at the depot in your town and comes tomorrow; here is the number to follow it.",
        "It was delivered on Friday.",
    ),
    (
        "shipping",
        "The box for {} arrived broken. What should I do?",
        "Keep it and send one photo; a new one leaves today and the courier takes the old one back.",
        "Please ask the courier, as we are not responsible for shipping.",
    ),
    (
        "shipping",
        "Can I return {} after three weeks?",
        "Yes, within 30 days. Print the label under Orders and bring the parcel to any shop.",
        "Returns are possible within a year.",
    ),
    (
        "shipping",
        "Do you deliver {} to Norway?",
        "Yes, in four to six days. Customs are included in the price you see at checkout.",
        "We deliver everywhere for free.",
    ),
]
PLANS = [
    "the Basic plan",
    "the Team plan",
    "the Pro plan",
    "the Studio plan",
    "the Family plan",
    "the Student plan",
    "the Notes app",
    "the Board app",
    "the Vault add-on",
    "the Reports add-on",
]
SOFT = {
    "v1": ["Hi!", "Hello,", "Thanks for asking."],
    "v2": [
        "Thank you for reaching out, I am happy to help.",
        "Thanks for the details, let me look into it.",
        "I understand, and I am sorry for the trouble.",
    ],
}
MORE = [
    "Let me know if anything is unclear.",
    "Is there anything else I can do for you today?",
    "Our help pages describe each step with pictures.",
    "You can always answer this message and a colleague will look at it as well.",
    "We value your trust and work every day to make our service better for you.",
]
GOOD = {"v1": 0.70, "v2": 0.82}
ERRS = {
    "gpt4o": (0.08, 0.25),
    "claude": (0.06, 0.12),
    "gemini": (0.04, 0.30),
}  # on good, on bad answers


def rows():
    """Rows of the table, the header first."""
    draw = random.Random(2026)
    cases = [
        (topic, ask.format(plan), good, bad) for topic, ask, good, bad in CASES for plan in PLANS
    ]
    draw.shuffle(cases)
    labelled = set(draw.sample(range(len(cases)), 40))
    yield [
        "output_id",
        "question",
        "topic",
        "system",
        "response",
        "tokens",
        "gpt4o",
        "claude",
        "gemini",
        "human",
    ]
    number = 1000
    for case, (topic, question, good, bad) in enumerate(cases):
        question = question[0].upper() + question[1:]
        hard = draw.random() < 0.25
        for system in ("v1", "v2"):
            is_good = draw.random() < GOOD[system] - (0.3 if hard else -0.1)
            length = draw.randrange(2) + (draw.randrange(1, 4) if system == "v2" else 0)
            words = [
                draw.choice(SOFT[system]),
                good if is_good else bad,
                *draw.sample(MORE, length),
            ]
            response = " ".join(words)
            verdicts = []
            for judge, (on_good, on_bad) in ERRS.items():
                wrong = on_good if is_good else on_bad
                if judge == "gemini" and not is_good:
                    wrong += 0.12 * length
                failed = draw.random() < 0.008
                says = is_good != (draw.random() < wrong)
                verdicts.append("timeout" if failed else "pass" if says else "fail")
            person = ("pass" if is_good else "fail") if case in labelled else ""
            tokens = round(len(response) / 4.2)
            yield [f"out_{number}", question, topic, system, response, tokens, *verdicts, person]
            number += 1


def write(path):
    """Write the table."""
    with open(path, "w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows())


if __name__ == "__main__":
    write(sys.argv[1] if len(sys.argv) > 1 else FILE)
