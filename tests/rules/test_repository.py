"""What may be in the repository: short files, nothing built, nothing of one machine, no registry hosts."""
import re

from rule_helpers import read, shown, tracked_files

LONGEST = 450  # lines; files are rarely above 400
CODE = {".cpp", ".hpp", ".py", ".sh", ".ts"}
BUILT = re.compile(r"(^|/)(build|dist|node_modules|__pycache__|results)/|\.(o|a|so|pyc|exe|npy|npz|gz)$")
DATA_FOR_TESTS = re.compile(r"^tests/(fuzz/corpus|golden|support)/")
LARGEST_KIB = 1024
# Written in pieces so that this file does not contain what it forbids.
HOSTS = ["pypi" + ".org", "pythonhosted" + ".org", "crates" + ".io", "npmjs" + ".org", "golang" + ".org", "maven" + ".org",
         "maven" + ".apache", "deb.debian" + ".org", "ftp.debian" + ".org"]
MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:root|home|work|Users)/")


def text_files():
    for path in tracked_files():
        if DATA_FOR_TESTS.match(shown(path)):
            continue
        try:
            yield path, read(path)
        except UnicodeDecodeError:
            continue


def test_files_are_short():
    long = {shown(path): lines for path, text in text_files()
            if path.suffix in CODE and (lines := text.count("\n")) > LONGEST}
    assert long == {}


def test_nothing_built_is_tracked():
    built = [shown(path) for path in tracked_files() if BUILT.search(shown(path)) and not DATA_FOR_TESTS.match(shown(path))]
    assert built == []


def test_nothing_large_is_tracked():
    assert [shown(path) for path in tracked_files() if path.stat().st_size > LARGEST_KIB * 1024] == []


def test_no_path_of_a_machine():
    found = [f"{shown(path)}:{number}" for path, text in text_files()
             for number, line in enumerate(text.splitlines(), 1) if MACHINE_PATH.search(line)]
    assert found == []


def test_no_registry_host():
    found = [(shown(path), host) for path, text in text_files() for host in HOSTS if host in text.lower()]
    assert found == []
