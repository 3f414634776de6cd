"""The entry point: find the command, import only its module, run it, and turn a CompileError into one line and exit
code 1.

A command module has ``configure(parser)``, which declares its arguments, and ``run(args) -> int``, which returns the
exit code. Modules are imported only when named, so that laboratory commands start without LLVM and without a PHP
parser.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Sequence

from ssa2llvm import __version__
from ssa2llvm.ir.diagnostics import CompileError, UsageError

COMMANDS: dict[str, str] = {
    "run": "compile a program in memory and run it",
    "compile": "compile to an executable, library, object, LLVM IR or assembly",
    "dump": "print a program at one stage of the way",
    "check": "report everything that cannot be compiled, then verify each stage",
    "conform": "compare our stages with PHP's own optimizer",
    "audit": "run a program and check inferred facts against the values seen",
    "passes": "print the pass table",
    "ll": "our SSA algorithms on LLVM IR text",
}

RECURSION_LIMIT = 1_000_000
"""Syntax and literals nest as deep as the input says; walks over graphs do not recurse."""

EXIT_DIAGNOSED = 1
EXIT_USAGE = 2


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = ["usage: python -m ssa2llvm COMMAND …", "", "commands:"]
    lines += [f"  {name:<{width}}  {summary}" for name, summary in COMMANDS.items()]
    lines += ["", "python -m ssa2llvm COMMAND --help tells more."]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return the process's exit code: the program's own for ``run``, 1 after a diagnostic, 2 for
    wrong usage."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments:
        print(_usage(), file=sys.stderr)
        return EXIT_USAGE
    if arguments[0] in ("-h", "--help", "help"):
        print(_usage())
        return 0
    if arguments[0] == "--version":
        print(f"ssa2llvm {__version__}")
        return 0
    name = arguments[0]
    if name not in COMMANDS:
        print(f"ssa2llvm: error: no command '{name}'\n\n{_usage()}", file=sys.stderr)
        return EXIT_USAGE
    # A compiler makes many objects and few garbage cycles; looking for those less often halves its time on big input.
    gc.set_threshold(200_000, 50, 100)
    sys.setrecursionlimit(RECURSION_LIMIT)
    if sys.stdout is None:  # closed by the caller: what is printed goes nowhere, as in any program
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  (open until the process ends)
    module = importlib.import_module(f"ssa2llvm.cli.{name}")
    parser = argparse.ArgumentParser(prog=f"python -m ssa2llvm {name}", description=COMMANDS[name])
    module.configure(parser)
    try:
        args = parser.parse_args(arguments[1:])
        code = int(module.run(args))
        sys.stdout.flush()
        return code
    except CompileError as error:
        sys.stdout.flush()
        print(error, file=sys.stderr)
        return EXIT_USAGE if isinstance(error, UsageError) else EXIT_DIAGNOSED
    except BrokenPipeError:
        _forget_output()  # its reader went away (| head): not an error
        return EXIT_DIAGNOSED
    except OSError as error:
        # Input files are diagnosed where they are read: what is left is our output (a full disk).
        _forget_output()
        print(CompileError(error.strerror or str(error), str(error.filename or "")), file=sys.stderr)
        return EXIT_DIAGNOSED


def _forget_output() -> None:
    """What is still in the buffer of standard output goes nowhere; Python would complain again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
