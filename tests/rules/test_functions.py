"""Functions that fit on a screen."""
import re

from rule_helpers import ROOT, read, shown

LONGEST = 60  # lines
TYPICAL = 25  # nine of ten are at most so long
TABLES = {"make_table", "describe_policy"}  # one row after the other: cutting them in two would help nobody
WORDS = re.compile(r'R"(\w*)\((.*?)\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
SCOPE = re.compile(r"\bnamespace\b|\b(class|struct|enum|union)\b[^()]*$")
FUNCTION = re.compile(r"\)\s*(const|noexcept|override|final|->[\w:<>&*\s]+|:\s.*)*\s*$", re.DOTALL)
NAME = re.compile(r"([\w~]+)\s*\(")


def lengths(text):
    """(name, lines) of every function that is not within another."""
    text = WORDS.sub(lambda words: "\n" * words.group(0).count("\n") or " ", text)
    found, scopes, head, line = [], [], "", 1
    for letter in text:
        line += letter == "\n"
        if letter == "{":
            head = head.strip()
            kind = "scope" if SCOPE.search(head) else "other"
            if kind == "other" and FUNCTION.search(head) and all(scope[0] == "scope" for scope in scopes):
                kind = "function"
            name = NAME.search(head.split("requires")[0])
            scopes.append((kind, line - head.count("\n"), name.group(1) if name else ""))
        elif letter == "}" and scopes:
            kind, first, name = scopes.pop()
            if kind == "function":
                found.append((name, line - first + 1))
        head = "" if letter in "{};" else head + letter
    return found


def all_lengths():
    files = [path for folder in ("src", "apps", "include", "python/src") for path in sorted((ROOT / folder).rglob("*.[ch]pp"))]
    return [(shown(path), *one) for path in files for one in lengths(read(path))]


def test_functions_fit_on_a_screen():
    found = all_lengths()
    assert [one for one in found if one[2] > LONGEST and one[1] not in TABLES] == []
    assert sorted(lines for _, _, lines in found)[len(found) * 9 // 10] <= TYPICAL


def test_long_ones_are_seen():
    body = "  work();\n" * 70
    text = 'namespace a {\nclass B {\n  int small() const { return 1; }\n};\nvoid large(int x) {\n  if (x) { done("}"); }  // }\n' + body + "}\n}\n"
    assert lengths(text) == [("small", 1), ("large", 73)]
    assert lengths("C::C(int a)\n    : a_(a), b_{1} {\n  f();\n}\n")[0][0] == "C"
