"""What can be wrong. The sentences are those of the program, with its options named as Python does."""
import re

OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)(?: (columns|rows|comma|lapack|yes|no|auto|mean|drop-features|drop-samples|log-cpm|"
                    r"knn|local|[0-9]\S*|[A-Z]+)\b)?")
FIRST = re.compile(r"^--([a-z][a-z0-9-]*) (.*?): (?=\S)", re.DOTALL)
# What is called otherwise here, or is an argument of another kind.
NAMES = {"manifest": "a list of paths per condition", "condition": "a list of paths per condition"}


def keyword(name: str) -> str:
    return NAMES.get(name, name.replace("-", "_"))


def assigned(name: str, value: str, may_be_placeholder: bool = False) -> str:
    is_number = re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", value)
    return f"{keyword(name)}={value if is_number or (may_be_placeholder and value.isupper()) else repr(value)}"


def in_python(sentence: str) -> str:
    """``--kernel gauss: must be ...`` as ``kernel='gauss': must be ...``."""
    begin = FIRST.match(sentence)
    head = f"{assigned(*begin.groups())}: " if begin else ""
    rest = sentence[begin.end():] if begin else sentence
    return head + OPTION.sub(lambda found: assigned(*found.groups(), may_be_placeholder=True) if found[2] else keyword(found[1]), rest)


class Error(Exception):
    """Everything that the engine raises on purpose."""

    def __init__(self, message: str = ""):
        super().__init__(in_python(message))


class InputError(Error, ValueError):
    """The data cannot be used as they are; ``file``, ``line``, ``column`` and ``value`` say where, if that applies."""

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0, value: str = ""):
        super().__init__(message)
        self.file, self.line, self.column, self.value = file, line, column, value


class OptionError(Error, ValueError):
    """An option has a value that is not allowed; ``option`` is its name on the command line."""

    def __init__(self, message: str, option: str = ""):
        super().__init__(message)
        self.option = option
