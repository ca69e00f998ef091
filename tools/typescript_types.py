"""The types of summary.json for the report page, from docs/outputs.toml: report/src/schema.ts. tools/generate.py writes it."""
import re

TYPES = {"text": "string", "integer": "number", "number": "number", "boolean": "boolean", "object": "Record<string, unknown>"}
# A number that is not finite is null in JSON.
LISTS = {"number": "(number | null)[]", "integer": "number[]", "text": "string[]", "boolean": "boolean[]"}
OPTIONAL = re.compile(r"^(only )?with `--|\bAbsent\b|\bAbsent without")


def name_of(place):
    """conditions[].groups[] -> ConditionGroup; summary.json is the file itself."""
    if place == "summary.json":
        return "SummaryFile"
    words = []
    for part in place.split("."):
        many = part.endswith(("[]", "{}"))
        word = part.rstrip("[]{}")
        word = word.removesuffix("s") if many and part.endswith("[]") else word
        words += [piece.capitalize() for piece in word.split("_")]
    return "Written" + "".join(words)


def inside(place, field, ending):
    return f"{field}{ending}" if place == "summary.json" else f"{place}.{field}{ending}"


def type_of(place, field, kind, places):
    plain = kind.removesuffix(" or null")
    if plain == "list of objects":
        item = inside(place, field, "[]")
        found = f"{name_of(item)}[]" if item in places else "Record<string, unknown>[]"
    elif plain.startswith("list of "):
        found = LISTS[plain.removeprefix("list of ").removesuffix("s")]
    elif plain == "object" and inside(place, field, "") in places:
        found = name_of(inside(place, field, ""))
    elif plain == "object" and inside(place, field, "{}") in places:
        found = f"Record<string, {name_of(inside(place, field, '{}'))}>"
    else:
        found = TYPES[plain]
    return found + (" | null" if plain != kind else "")


def interface(place, fields, places):
    lines = [f"export interface {name_of(place)} {{"]
    for field, (kind, text) in fields.items():
        lines += [f"  /** {text[:1].upper() + text[1:]} */".replace("*/ */", "*/"),
                  f"  {field}{'?' if OPTIONAL.search(text) else ''}: {type_of(place, field, kind, places)};"]
    return "\n".join([*lines, "}"])


def types(results):
    places = {place: fields for place, fields in results.items() if not place.endswith((".tsv", ".npz"))}
    written = [interface(place, fields, places) for place, fields in places.items()]
    return "\n\n".join(["// summary.json as a run writes it. Made by tools/generate.py from docs/outputs.toml.", *written]) + "\n"
