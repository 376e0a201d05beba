"""Write algeval/schemas from the classes themselves: their annotations, and what their docstrings say.

Run `python docs/schema_files.py`; a test compares what is there with what this would write.
"""

import dataclasses
import importlib
import json
import pkgutil
import re
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cache
from inspect import cleandoc
from pathlib import Path

import numpy as np
import sympy
from schema_shapes import COMMON, DOCUMENTS, OF_COMMANDS, PRINTED, SHAPES, WORDS

import algeval
import algeval_papers
from algeval.io import columns_file
from algeval.result import Result
from algeval.result.numbers import Quadratic

OURS = ("algeval.", "algeval_papers.")
FOLDER = Path(algeval.__file__).parent / "schemas"
PAGE = Path(__file__).parent / "reference" / "schemas.md"
BEGIN, END = "<!-- schemas: begin -->", "<!-- schemas: end -->"
TAG = "What this document is, and its version."
DRAFT = "https://json-schema.org/draft/2020-12/schema"
NUMBERS = {
    "number": {
        "description": "A number in floating point; null where there is none.",
        "anyOf": [{"type": "number"}, {"enum": ["inf", "-inf", None]}],
    },
    "fraction": {
        "description": "An exact number: a whole one, or p/q.",
        "type": "string",
        "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$",
    },
    "quadratic": {
        "description": "An exact number a + b*sqrt(d): a and b are fractions, d is whole.",
        "type": "object",
        "properties": {
            "a": {"$ref": "#/$defs/fraction", "description": "The rational part."},
            "b": {"$ref": "#/$defs/fraction", "description": "What multiplies the root."},
            "sqrt": {"type": "integer", "description": "The number under the root."},
        },
        "required": ["a", "b", "sqrt"],
        "additionalProperties": False,
    },
}
JSON = {"None": "null", "True": "true", "False": "false"}
NESTED = {"items", "additionalProperties", "anyOf", "prefixItems"}
"""Where schemas stand in schemas."""

SHAPE = re.compile(r"\([\w+ .-]+,[\w+ .,-]*\)")
"""An array's shape in a docstring: (U,) or (N, R)."""
PLAIN = {str: "string", bool: "boolean", int: "integer", None: "null", type(None): "null"}


def classes():
    """Return every class of the package by name; a name used twice keeps the first."""
    found = {}
    parts = [
        part.name
        for package in (algeval, algeval_papers)
        for part in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not part.name.endswith("__main__")
    ]
    for part in parts:
        for value in vars(importlib.import_module(part)).values():
            if isinstance(value, type) and value.__module__.startswith(OURS):
                found.setdefault(value.__name__, value)
    tagged = {name_of(kind.schema): kind for kind in results()}
    return found | tagged


def results():
    """Return the kinds of result that nothing inherits from."""

    def leaves(kind):
        parts = kind.__subclasses__()
        named = {getattr(sys.modules[part.__module__], part.__name__) for part in parts}
        return {leaf for part in named for leaf in leaves(part)} or {kind}

    return {kind for kind in leaves(Result) if kind.__module__.startswith(OURS)}


class Writer:
    """One schema: its definitions, by name."""

    def __init__(self, known):
        self.known, self.defs, self.named = known, {}, {}

    def document(self, kind):
        """Return the schema of what a class writes."""
        root = self.object(kind)
        tag = getattr(kind, "schema", None) or DOCUMENTS[kind.__name__]
        extra = OF_COMMANDS.get("*", {}) if issubclass(kind, Result) else {}
        extra = extra | OF_COMMANDS.get(name_of(tag), {})
        for name, (made, told) in extra.items():
            root["properties"].setdefault(name, self.given(made) | {"description": told})
        return root

    def printed(self, name, told, fields):
        """Return the schema of what a command prints, which no class is."""
        tag = {"const": f"algeval.{name}/1", "description": TAG}
        given = {
            n: self.given(made) | {"description": words} for n, (made, words) in fields.items()
        }
        return {
            "title": name.capitalize(),
            "description": told,
            "type": "object",
            "properties": {"schema": tag} | given,
            "required": ["schema", *fields],
            "additionalProperties": False,
        }

    def object(self, kind):
        """Return the object that a class becomes."""
        told = described(kind)
        shape = SHAPES.get(f"{kind.__module__}.{kind.__name__}") or SHAPES.get(kind.__name__, {})
        fields = {}
        if "only" not in shape:
            for field in dataclasses.fields(kind):
                if field.repr:
                    hint, text = self.hint(kind, field), told.get(field.name, ("", ""))
                    fields[field.name] = self.typed(hint, text[0]) | {
                        "description": words(kind.__name__, field.name, *text)
                    }
        for name, (made, text) in (shape.get("only") or shape.get("and") or {}).items():
            fields[name] = self.given(made) | {"description": text}
        tag = getattr(kind, "schema", None) or DOCUMENTS.get(kind.__name__)
        if isinstance(tag, str) and "untagged" not in shape:
            about = {"const": tag, "description": TAG}
            fields = {"schema": about} | fields
        return {
            "title": kind.__name__,
            "description": first_words(kind),
            "type": "object",
            "properties": fields,
            "required": [n for n in fields if n not in shape.get("optional", ())],
            "additionalProperties": False,
        }

    def given(self, made):
        """Return a schema written by hand: a class by name stands for what it becomes."""
        if isinstance(made, str):
            return self.number(made) if made in NUMBERS else self.ref(self.known[made])
        if isinstance(made, list):
            return [self.given(one) for one in made]
        if not isinstance(made, dict):
            return made
        return {key: self.given(value) if key in NESTED else value for key, value in made.items()}

    def number(self, name):
        self.defs[name] = NUMBERS[name]
        if name == "quadratic":
            self.defs["fraction"] = NUMBERS["fraction"]
        return {"$ref": f"#/$defs/{name}"}

    def ref(self, kind):
        """Return a reference to the object of a class, which is defined once."""
        name = self.named.get(kind)
        if name is None:
            name = kind.__name__
            if name in self.defs:
                name = f"{kind.__module__.split('.')[-2]}.{name}"
            self.named[kind] = name
            self.defs[name] = {}
            self.defs[name] = self.object(kind)
        return {"$ref": f"#/$defs/{name}"}

    def hint(self, kind, field):
        """Return the annotation of a field as a type."""
        home = next(k for k in kind.__mro__ if field.name in vars(k).get("__annotations__", {}))
        names = {
            "Expr": sympy.Expr,
            "AnyExpr": sympy.Expr,
        }  # some modules, which load SymPy late, call it Any
        while True:
            try:
                return eval(field.type, vars(sys.modules[home.__module__]), names)
            except NameError as error:
                names[error.name] = self.known[error.name]

    def typed(self, hint, text):
        """Return the schema of a type; `text` is what the docstring calls it."""
        origin, parts = typing.get_origin(hint), typing.get_args(hint)
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.typed(part, text) for part in parts]}
        if origin is typing.Literal:
            return {"enum": list(parts)}
        if origin is np.ndarray:
            return self.array(parts, text)
        if origin is tuple and parts[-1] is not Ellipsis:
            return self.fixed(parts)
        if origin is not None and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.typed(parts[1], "")}
        if origin in (tuple, list, frozenset, set, Sequence):
            return {"type": "array", "items": self.typed(parts[0], "")}
        return self.single(origin or hint, text)

    def fixed(self, parts):
        told = [self.typed(part, "") for part in parts]
        return {"type": "array", "prefixItems": told, "minItems": len(told), "items": False}

    def single(self, hint, text):
        if hint in PLAIN:
            return {"type": PLAIN[hint]}
        if hint is float:
            return self.number("number")
        if hint is Fraction:
            return self.number("fraction")
        if hint is Quadratic:
            return self.number("quadratic")
        if hint is typing.Any or hint is object:
            return {}
        if issubclass(hint, Enum):
            return {"enum": [one.value for one in hint]}
        if issubclass(hint, sympy.Expr):
            return {"type": "string"}
        if issubclass(hint, tuple) and hasattr(hint, "_fields"):
            fields = [types.SimpleNamespace(name=n, type=t) for n, t in raw_hints(hint)]
            return self.fixed([self.hint(hint, field) for field in fields])
        if issubclass(hint, np.ndarray):
            return {"type": "array"}
        return self.ref(hint)

    def array(self, parts, text):
        """Return nested lists, as deep as the docstring says: "(N, R) array"."""
        kind = (typing.get_args(parts[1]) or (typing.Any,))[0]
        leaf: object = {}
        if isinstance(kind, type):
            numeric = [(np.bool_, {"type": "boolean"}), (np.integer, {"type": "integer"})]
            leaf = next((made for base, made in numeric if issubclass(kind, base)), None)
            if leaf is None:
                leaf = self.number("number") if issubclass(kind, np.floating) else {}
        shape = SHAPE.search(text)
        if shape is None:
            return {"type": "array"}
        for _ in [part for part in shape[0].strip("()").split(",") if part.strip()]:
            leaf = {"type": "array", "items": leaf}
        return leaf


def raw_hints(kind):
    """Return the annotations of a named tuple as they are written."""
    for name, hint in vars(kind)["__annotations__"].items():
        yield name, getattr(hint, "__forward_arg__", hint)


def name_of(tag):
    """Return the name of a schema: algeval.plan-labels/1 is plan-labels."""
    return tag.removeprefix("algeval.").partition("/")[0]


def described(kind):
    """Return {field: (type, text)} of the docstrings of a class and those it rests on."""
    found = {}
    for one in reversed(kind.__mro__):
        if one.__module__.startswith(OURS) and one.__doc__:
            for section in ("Parameters", "Attributes"):
                found |= entries(cleandoc(one.__doc__), section)
    return found


def entries(doc, section):
    """Return {name: (type, text)} of a section of a docstring in NumPy style."""
    parts = re.split(rf"(?m)^{section}\n-+\n", doc)
    if len(parts) < 2:
        return {}
    body = re.split(r"(?m)^\w+\n-+$", parts[1])[0]
    found = {}
    for entry in re.split(r"(?m)^(?=\S)", body):
        head, _, text = entry.partition("\n")
        names, _, kind = head.partition(" : ")
        told = " ".join(text.split()).replace("`", "")
        each = [name.strip() for name in names.split(",")]
        shapes = SHAPE.findall(kind)
        kinds = shapes if len(shapes) == len(each) else [kind.strip()] * len(each)
        found |= {name: (one, told) for name, one in zip(each, kinds, strict=True)}
    return found


def words(owner, name, kind, text):
    """Return what a field means: as documented, or as everywhere; with the shape of an array."""
    text = WORDS.get(f"{owner}.{name}") or as_json(text) or COMMON.get(name, "")
    shape = SHAPE.search(kind)
    told = f"{text} Shape {shape[0]}." if shape and text else text
    return told or kind.strip().rstrip(".") + "." * bool(kind)


def as_json(text):
    """Return words with the constants of Python as JSON spells them."""
    return re.sub(r"\b(None|True|False)\b", lambda found: JSON[found[0]], text)


def first_words(kind):
    doc = cleandoc(kind.__doc__ or "")
    return " ".join(doc.partition("\n\n")[0].replace("`", "").split())


@cache
def schemas():
    """Return {name: schema} of everything that is written as JSON."""
    known = classes()
    kinds = sorted(results(), key=lambda kind: kind.__name__)
    kinds += [known[name] for name in DOCUMENTS]
    found = {}
    for kind in kinds:
        tag = getattr(kind, "schema", None) or DOCUMENTS[kind.__name__]
        writer = Writer(known)
        root = writer.document(kind)
        head = {"$schema": DRAFT, "$id": f"urn:{tag.replace('.', ':').replace('/', ':')}"}
        found[name_of(tag)] = head | root | ({"$defs": writer.defs} if writer.defs else {})
    for name, (told, fields) in PRINTED.items():
        writer = Writer(known)
        root = writer.printed(name, told, fields)
        head = {"$schema": DRAFT, "$id": f"urn:algeval:{name}:1"}
        found[name] = head | root | ({"$defs": writer.defs} if writer.defs else {})
    return found | {"columns-file": columns_file.schema()}


def text_of(schema):
    """Return a schema as it is written."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def page():
    """Return the page that lists them: the text by hand, the table anew."""
    text = PAGE.read_text(encoding="utf-8")
    rows = ["| schema | document | what it is |", "|---|---|---|"]
    for name, made in sorted(schemas().items()):
        tag = made.get("properties", {}).get("schema", {}).get("const", "-")
        rows.append(f"| `{name}` | `{tag}` | {made['description']} |")
    head, _, rest = text.partition(BEGIN)
    return "\n".join([head + BEGIN, "", *rows, "", END + rest.partition(END)[2]])


def write():
    """Write all of them anew, and the list of them."""
    FOLDER.mkdir(exist_ok=True)
    made = schemas()
    for path in FOLDER.glob("*.json"):
        if path.stem not in made:
            path.unlink()
    for name, schema in made.items():
        (FOLDER / f"{name}.json").write_text(text_of(schema), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write()
