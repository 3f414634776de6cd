"""``ll verify|dom|construct|destruct FILE.ll``: our SSA algorithms on LLVM IR text.

``verify`` explains what is wrong, then asks LLVM; ``dom`` prints dominators, frontiers and loops; ``construct`` and
``destruct`` write the changed module to OUT.ll or standard output, and say on standard error what became of each slot
or phi. Only input that passes ``verify`` is looked at further.
"""

from __future__ import annotations

import argparse
import os
import sys

from ssa2llvm.ir.diagnostics import CompileError, CompileErrors
from ssa2llvm.llir.construct import construct
from ssa2llvm.llir.destruct import destruct
from ssa2llvm.llir.dom import describe_dominance
from ssa2llvm.llir.module import ModuleText
from ssa2llvm.llir.naming import name_everything
from ssa2llvm.llir.oracle import check_with_llvm
from ssa2llvm.llir.reader import read_module
from ssa2llvm.llir.verify import verify_module


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", choices=["verify", "dom", "construct", "destruct"])
    parser.add_argument("file", metavar="FILE.ll", help="LLVM IR text; - for stdin")
    parser.add_argument(
        "-o", dest="output", metavar="OUT.ll", help="where construct and destruct write (default: stdout)"
    )
    parser.add_argument("--naive", action="store_true", help="destruct: keep every copy, coalesce nothing")


def run(args: argparse.Namespace) -> int:
    """Run one action. Raises CompileError for input that is not valid LLVM IR in SSA form."""
    module = _read(args.file)
    _verify(module)
    if args.action == "verify":
        print(f"{args.file}: {len(module.functions)} function{'' if len(module.functions) == 1 else 's'}, all valid")
        return 0
    named = name_everything(module)
    if args.action == "dom":
        print("\n".join(describe_dominance(named)))
        return 0
    text, report = construct(named) if args.action == "construct" else destruct(named, coalesce=not args.naive)
    check_with_llvm(text, f"{args.file}, rewritten")
    _write(text, args.output)
    print("\n".join(report), file=sys.stderr)
    return 0


def _read(path: str) -> ModuleText:
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
        return read_module(data.decode(), path)
    except OSError as error:
        raise CompileError(f"cannot read: {error.strerror}", path) from None
    except UnicodeDecodeError:
        raise CompileError("this is not text; LLVM bitcode must be disassembled first (llvm-dis)", path) from None


def _verify(module: ModuleText) -> None:
    """Print notes; raise what is wrong, ours before LLVM's."""
    report = verify_module(module)
    for note in report.notes:
        print(note, file=sys.stderr)
    if report.errors:
        raise CompileErrors(report.errors)
    check_with_llvm(module.text, module.file)


def _write(text: str, path: str | None) -> None:
    """Write the whole file or none of it."""
    if path is None:
        sys.stdout.write(text)
        return
    partial = f"{path}.{os.getpid()}.tmp"
    try:
        with open(partial, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(partial, path)
    except OSError as error:
        if os.path.exists(partial):
            os.unlink(partial)
        raise CompileError(f"cannot write: {error.strerror}", path) from None
