"""Give everything in a function a name, so that text can be inserted without renumbering what follows.

LLVM numbers what has no name, and insists that the numbers ascend in the text; a line inserted in the middle breaks
them all.  Its instruction-namer pass would do the same as this, but skips functions marked `optnone` (all that clang
-O0 makes), and prints the module anew, without the author's comments.

`%5` becomes `%v5` if it is a value and `%b5` if it is a block (with dots behind it should that name be taken).
"""

from __future__ import annotations

from ssa2llvm.llir.edit import TextEdits, without_predecessor_comments
from ssa2llvm.llir.lexer import TokenKind
from ssa2llvm.llir.module import FunctionText, ModuleText
from ssa2llvm.llir.reader import read_module


def name_everything(module: ModuleText) -> ModuleText:
    """Return the module with a name for each parameter, block and result; the same module if all have one."""
    edits = TextEdits(module.text)
    changed = False
    for function in module.functions:
        changed |= _name_function(module.text, function, edits)
    return read_module(without_predecessor_comments(edits.apply()), module.file) if changed else module


def names_in(function: FunctionText) -> set[str]:
    """All local names that `function` defines."""
    names = {parameter.name for parameter in function.parameters}
    for block in function.blocks:
        names.add(block.name)
        names.update(instruction.result for instruction in block.instructions if instruction.result is not None)
    return names


def fresh_name(base: str, suffix: str, taken: set[str]) -> str:
    """A local name made of `base` and `suffix`, with dots behind it until it is not in `taken`; it is added there."""
    stem = base[:-1] if base.endswith('"') else base
    quote = base[len(stem) :]
    name = f"{stem}{suffix}{quote}"
    while name in taken:
        suffix += "."
        name = f"{stem}{suffix}{quote}"
    taken.add(name)
    return name


def _is_number(name: str) -> bool:
    return name[1:].isdigit()


def _name_function(text: str, function: FunctionText, edits: TextEdits) -> bool:
    """Collect the edits for one function.  Whether there are any."""
    instructions = [instruction for block in function.blocks for instruction in block.instructions]
    values = [parameter.name for parameter in function.parameters]
    values += [instruction.result for instruction in instructions if instruction.result is not None]
    blocks = [block.name for block in function.blocks]
    new_name: dict[str, str] = {}
    taken = names_in(function)
    for letter, names in (("v", values), ("b", blocks)):
        for name in names:
            if _is_number(name):
                new_name[name] = fresh_name("%", f"{letter}{name[1:]}", taken)
    if not new_name:
        return False
    for parameter in function.parameters:
        if parameter.token is None:
            edits.insert(parameter.end, f" {new_name[parameter.name]}")
        elif parameter.name in new_name:
            edits.replace(parameter.token.start, parameter.token.end, new_name[parameter.name])
    for block in function.blocks:
        if block.name in new_name:
            if block.label is None:
                line_start = text.rfind("\n", 0, block.start) + 1
                if line_start >= function.body_start:
                    edits.insert(line_start, f"{new_name[block.name][1:]}:\n")
                else:
                    edits.insert(block.start, f"\n{new_name[block.name][1:]}:\n  ")
            else:
                edits.replace(block.label.start, block.label.end - 1, new_name[block.name][1:])
    for instruction in instructions:
        for token in instruction.tokens:
            if token.kind is TokenKind.LOCAL and token.text in new_name:
                edits.replace(token.start, token.end, new_name[token.text])
    return True
