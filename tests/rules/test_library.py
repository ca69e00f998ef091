"""The library never prints, exits or starts threads outside one file."""
import re
import subprocess

import pytest
from rule_helpers import ROOT, built, read, shown

SOURCES = sorted([*ROOT.glob("src/*/*.[ch]pp"), *ROOT.glob("include/disc/*.hpp")])
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

# Undefined symbols that only printing or ending code refers to. What the standard library pulls in by itself
# (std::terminate, snprintf, fwrite to a file) is none of them.
FORBIDDEN_SYMBOLS = {
    "std::cout", "std::cerr", "std::clog", "std::wcout", "std::wcerr", "stdout", "stderr",
    "printf", "__printf_chk", "vprintf", "__vprintf_chk", "puts", "putchar", "perror", "psignal",
    "exit", "_exit", "_Exit", "quick_exit", "abort",
}
FORBIDDEN_WORDS = re.compile(
    r"\bstd::(cout|cerr|clog)\b|#\s*include\s*<iostream>|(?<![\w:>.])(?:std::)?(?:printf|fprintf|puts|putchar|perror)\s*\("
    r"|(?<![\w:>.])(?:std::)?(?:_?exit|quick_exit|abort|terminate)\s*\(")
# std::thread::hardware_concurrency and std::this_thread start nothing.
STARTS_THREADS = re.compile(r"\bstd::j?thread\b(?!::)|\bstd::async\b|\bpthread_create\b|#\s*pragma\s+omp|\bstd::execution\b")
THREADS_START_IN = ROOT / "src" / "base" / "parallel.cpp"


def code(path):
    """The file without comments."""
    return COMMENT.sub(" ", read(path))


def undefined_symbols():
    """(object file, symbol) of everything libdisc.a takes from elsewhere."""
    listing = subprocess.run(["nm", "--demangle", "--undefined-only", "--print-file-name", built("libdisc.a")],
                             check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    for line in listing.splitlines():
        place, _, symbol = line.partition(" U ")
        if symbol:
            yield place.split(":")[1], symbol.strip().split("@")[0]


def test_no_printing_or_exiting_symbols():
    found = sorted({(place, symbol) for place, symbol in undefined_symbols() if symbol in FORBIDDEN_SYMBOLS})
    assert found == []


def test_the_symbol_list_is_real():
    symbols = {symbol for _, symbol in undefined_symbols()}
    assert any("openblas" in symbol or symbol.startswith("cblas_") for symbol in symbols), "nm showed nothing of the library"


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_no_printing_or_exiting_in_the_source(path):
    assert [match.group() for match in FORBIDDEN_WORDS.finditer(code(path))] == []


@pytest.mark.parametrize("path", [path for path in SOURCES if path != THREADS_START_IN], ids=shown)
def test_threads_start_in_one_file_only(path):
    assert STARTS_THREADS.findall(code(path)) == []


def test_that_file_does_start_threads():
    assert STARTS_THREADS.search(code(THREADS_START_IN))


@pytest.mark.parametrize("text", ["std::cout << 1;", "printf(\"x\");", "  std::exit(1);", "#include <iostream>", "abort();"])
def test_the_rule_notices_printing(text):
    assert FORBIDDEN_WORDS.search(text)


@pytest.mark.parametrize("text", ["std::snprintf(a, b);", "task.exit(1);", "at_exit(f);", "loop->abort();"])
def test_the_rule_allows_the_rest(text):
    assert not FORBIDDEN_WORDS.search(text)


# These read and write numbers by the locale of the process that the library runs in: 0.15 would be 0 under a decimal comma.
BY_LOCALE = re.compile(r"\bstd::sto[dfl]d?\b|\bstrto(?:d|f|ld)\s*\(|\batof\s*\(|\bsscanf\s*\(")


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_numbers_do_not_depend_on_the_locale(path):
    assert BY_LOCALE.findall(code(path)) == []


@pytest.mark.parametrize("text", ["std::stod(cell)", "std::strtod(text, nullptr)", "atof (x)", "std::stold(x)", "sscanf(a, b)"])
def test_the_rule_notices_locales(text):
    assert BY_LOCALE.search(text)


def test_policy_is_written_to_the_summary():
    """Every constant of the policy is in the record of a run."""
    policy = (ROOT / "src/stats/policy.hpp").read_text(encoding="utf-8")
    written = (ROOT / "src/pipeline/encode_policy.cpp").read_text(encoding="utf-8")
    constants = re.findall(r"^inline constexpr [^=;{]*?(\w+)(?: =|\{)", policy, re.MULTILINE)
    assert len(constants) > 50
    assert [name for name in constants if f'constant("{name}", policy::{name})' not in written] == []
