"""What can be wrong. The sentences are those of the program."""


class Error(Exception):
    """Everything that the engine raises on purpose."""


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
