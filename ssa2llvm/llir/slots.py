"""Which stack slots are no more than variables: allocas whose address does nothing but be loaded from and stored to.

A slot may become an SSA value if it is an alloca of the entry block, of one element, and its address is used by plain
loads and stores of exactly its type only.  Lifetime markers and debug records may use it too; they go with it.
Anything else (an address that is passed on, stored or computed with, a volatile or atomic access, an access to a part)
keeps the slot in memory, and the reason is kept for the reader (LLVM's PromoteMemoryToRegister.cpp:
isAllocaPromotable has the same rules and no reasons).

Linear in the size of the function.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ssa2llvm.llir.lexer import Token, TokenKind
from ssa2llvm.llir.module import FunctionText, Instruction

_OPENING = frozenset("([{<")
_CLOSING = frozenset(")]}>")


@dataclass(slots=True)
class Slot:
    """An alloca, and what was found about it.  `reason` tells why it is left, "" if it is promoted."""

    alloca: Instruction
    reason: str = ""
    accesses: list[Instruction] = field(default_factory=list)
    """Loads, stores, markers and debug records: what goes with it."""
    phi_names: dict[int, str] = field(default_factory=dict)
    """The name of its phi in each block that has one."""

    @property
    def name(self) -> str:
        """The name of the alloca."""
        assert self.alloca.result is not None
        return self.alloca.result


def find_slots(function: FunctionText) -> list[Slot]:
    """All allocas of `function` in the order of the text, each with its verdict."""
    slots: dict[str, Slot] = {}
    for number, block in enumerate(function.blocks):
        for instruction in block.instructions:
            if instruction.opcode == "alloca":
                slot = Slot(instruction)
                slots[slot.name] = slot
                if number:
                    slot.reason = "it is not in the entry block, so each turn makes a new one"
                elif "inalloca" in (token.text for token in instruction.tokens):
                    slot.reason = "it is an argument area (inalloca)"
                elif _element_count(instruction) != "1":
                    slot.reason = f"it has {_element_count(instruction)} elements"
    for block in function.blocks:
        for instruction in block.instructions:
            for token in instruction.uses:
                used = slots.get(token.text)
                if used is not None:
                    used.accesses.append(instruction)
                    used.reason = used.reason or _why_not(used, instruction, token)
            for incoming in instruction.incoming:
                used = slots.get(incoming.value)
                if used is not None:
                    used.reason = used.reason or f"its address is an input of a phi in line {instruction.first.line}"
    return list(slots.values())


def _element_count(alloca: Instruction) -> str:
    """The number of elements, "1" if none is given: what follows the first comma unless it is an attribute."""
    words = [token.text for token in alloca.tokens]
    for index in _outer_commas(alloca.tokens):
        if words[index + 1] not in ("align", "addrspace") and alloca.tokens[index + 1].kind is TokenKind.WORD:
            return words[index + 2]
    return "1"


def _outer_commas(tokens: list[Token]) -> list[int]:
    """The indexes of the commas outside brackets."""
    depth = 0
    commas: list[int] = []
    for index, token in enumerate(tokens):
        if token.text == "," and not depth:
            commas.append(index)
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
    return commas


def _why_not(slot: Slot, access: Instruction, use: Token) -> str:
    """Why this use of the slot's address keeps it in memory; "" if it does not."""
    line = f"line {use.line}"
    words = [token.text for token in access.tokens]
    if access.is_debug_record or _is_marker(access):
        return ""
    if access.opcode not in ("load", "store"):
        return f"its address is used by the {access.opcode} in {line}"
    if "volatile" in words or "atomic" in words:
        return f"the {access.opcode} in {line} is {'volatile' if 'volatile' in words else 'atomic'}"
    if access.opcode == "store":
        type_text, value, pointer = store_operands(access)
        if use is not pointer or value == slot.name:
            return f"its address is stored in {line}"
    else:
        type_text = access.type
    if not _same_type(type_text, slot.alloca.type):
        return f"{line} accesses it as {type_text}, but it is {slot.alloca.type}"
    return ""


def _is_marker(access: Instruction) -> bool:
    """Whether it only marks where the slot's life begins or ends."""
    callee = next((token.text for token in access.tokens if token.kind is TokenKind.GLOBAL), "")
    return access.opcode == "call" and callee.startswith("@llvm.lifetime.")


def store_operands(store: Instruction) -> tuple[str, str, Token]:
    """The type and the value of a store, as text, and the token of the pointer it writes through."""
    comma, *more = _outer_commas(store.tokens)
    stored = [token for token in store.tokens[1:comma] if token.text not in ("volatile", "atomic")]
    length = _type_length(stored)
    pointer = store.tokens[more[0] - 1 if more else len(store.tokens) - 1]
    return join_tokens(stored[:length]), join_tokens(stored[length:]), pointer


def _type_length(typed: list[Token]) -> int:
    """How many tokens at the beginning of `<type> <value>` are the type: a word, a name or a bracket; `target ( … )`;
    and the address space behind a pointer."""
    length = _after_bracket(typed, 0)
    if typed[0].text == "target":
        length = _after_bracket(typed, length)
    if length < len(typed) and typed[length].text == "addrspace":
        length = _after_bracket(typed, length + 1)
    return length


def _after_bracket(tokens: list[Token], index: int) -> int:
    """The index behind the token at `index`, or behind the bracket that opens there."""
    depth = 0
    while index < len(tokens):
        depth += (tokens[index].text in _OPENING) - (tokens[index].text in _CLOSING)
        index += 1
        if not depth:
            break
    return index


def join_tokens(tokens: list[Token]) -> str:
    """Tokens as text with single spaces."""
    return " ".join(token.text for token in tokens)


def _same_type(one: str, other: str) -> bool:
    """Whether two spellings of types differ in spaces only."""
    return "".join(one.split()) == "".join(other.split())
