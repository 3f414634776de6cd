"""Shadow frames, built only when something is about to be said.

Problem: a warning names function and line, an error carries a trace. Keeping a linked list of frames up to date in
every function that might ever warn costs six memory operations a call and a store for each line, and forbids LLVM
much.

Here hot code stores nothing. A runtime function that reads ``context->frame`` (api.h) is called through an internal
wrapper which builds the frame on its own stack, links it, calls, and unlinks. A slow path thus is one call with two
more arguments (function info, line). A trace is what the chain tells when the error is thrown, plus what every call
site adds while the error unwinds through it (``lower_call``): the text is PHP's. A conversion of arguments happens,
for PHP, in the callee called by the caller: its wrapper links two frames.

This is the "functions that cannot warn keep none" of DESIGN.md, section 4, for all functions. It holds as long as
nobody looks at a trace before it is complete; for programs that may, calls link frames while they last (``traces``).
"""

from __future__ import annotations

from ssa2llvm.llvm.layouts import CONTEXT, FRAME
from ssa2llvm.llvm.runtime_api import Prototype
from ssa2llvm.llvm.seam import PTR, FunctionText, Val

__all__ = ["VALUE_TYPE", "entry_wrapper", "framed_wrapper", "link_frames", "llvm_type"]

VALUE_TYPE = "%s2l_value"

_ATTRIBUTES = "noinline nounwind"


def llvm_type(name: str) -> str:
    """The LLVM type of a runtime prototype's ``CType.llvm`` (a value is a pair of i64)."""
    return VALUE_TYPE if name == "value" else name


def link_frames(text: FunctionText, depth: int) -> tuple[Val, Val]:
    """Link ``depth`` frames made of the parameters ``%info.N`` and ``%line.N``; the list's address and what it
    was."""
    link = text.offset(Val(PTR, "%context"), CONTEXT.offset("frame"))
    before = previous = text.load(PTR, link)
    for number in range(depth):
        frame = text.alloca(FRAME.llvm_body(), "frame")
        text.store(previous, text.offset(frame, FRAME.offset("previous")))
        text.store(Val(PTR, f"%info.{number}"), text.offset(frame, FRAME.offset("function")))
        text.store(Val("i32", f"%line.{number}"), text.offset(frame, FRAME.offset("line")))
        previous = frame
    text.store(previous, link)
    return link, before


def _finish(text: FunctionText, result: str, call: str, depth: int) -> str:
    link, before = link_frames(text, depth)
    if result == "void":
        text.emit(call)
        text.store(before, link)
        text.ret()
    else:
        returned = text.value(result, call)
        text.store(before, link)
        text.ret(returned)
    return text.text()


def framed_wrapper(symbol: str, prototype: Prototype, depth: int) -> str:
    """The definition of ``symbol``: the runtime function's parameters, then info and line of each frame."""
    parameters: list[str] = []
    arguments: list[str] = []
    for name, ctype in prototype.parameters:
        if ctype.llvm == "value":
            halves = [f"i64 %{name}.payload", f"i64 %{name}.tag"]
            parameters += halves
            arguments += halves
        else:
            parameters.append(f"{ctype.llvm} %{name}")
            arguments.append(f"{ctype.llvm} {ctype.attribute} %{name}" if ctype.attribute else parameters[-1])
    for number in range(depth):
        parameters += [f"ptr %info.{number}", f"i32 %line.{number}"]
    result = llvm_type(prototype.result.llvm)
    attribute = f"{prototype.result.attribute} " if prototype.result.attribute else ""
    text = FunctionText(f"define internal {result} {symbol}({', '.join(parameters)}) {_ATTRIBUTES}")
    return _finish(text, result, f"call {attribute}{result} @{prototype.name}({', '.join(arguments)})", depth)


def entry_wrapper(symbol: str) -> str:
    """The definition of ``symbol``, which calls any generic entry in a frame of its caller."""
    parameters = "ptr %context, ptr %callee, i32 %argc, ptr %argv, ptr %info.0, i32 %line.0"
    text = FunctionText(f"define internal {VALUE_TYPE} {symbol}({parameters}) {_ATTRIBUTES}")
    call = f"call {VALUE_TYPE} %callee(ptr %context, i32 zeroext %argc, ptr %argv)"
    return _finish(text, VALUE_TYPE, call, 1)
