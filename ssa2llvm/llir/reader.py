"""Read LLVM IR text, right or wrong, into functions, blocks and instructions.

The reader is tolerant on purpose: LLVM's own parser stops at the first use of an undefined name or at a block without
a terminator, and `verify` wants to explain these.  It relies on the layout that LLVM's printer and every human uses
(one instruction a line; brackets, a trailing comma, and the clauses of invoke, switch, landingpad continue a line)
and on lexical context: a local name after `label` is a block, the name of a declared type is a type, what follows a
`[`…`,` of a phi is a block, any other local name in an instruction is a value it reads.

Implied numbers are counted as LLVM does (unnamed parameters, then an unnamed entry block).  Results that are written
`%5 = …` need no counting.

In: any text.  Out: a `ModuleText`.  Raises CompileError only if a function has no body to speak of.  Linear.
"""

from __future__ import annotations

from ssa2llvm.llir.lexer import Token, TokenKind, plain_name, tokenise
from ssa2llvm.llir.module import BasicBlock, FunctionText, Incoming, Instruction, ModuleText, Parameter

_OPENING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_CLOSING = frozenset(_OPENING.values())
_CONTINUES = frozenset(["to", "unwind", "cleanup", "catch", "filter", "within", "from", ",", ")", "]"])
"""Words that can begin a line in the middle of an instruction, never an instruction."""
_BEFORE_CALL = frozenset(["tail", "musttail", "notail"])


def read_module(text: str, file: str = "<string>") -> ModuleText:
    """Read `text`; `file` is for messages."""
    return _Reader(text, file).read()


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.module = ModuleText(file, text)
        self.tokens = tokenise(text)
        self.position = 0
        self.types = {
            token.text
            for token, after, then in zip(self.tokens, self.tokens[1:], self.tokens[2:])
            if token.kind is TokenKind.LOCAL and after.text == "=" and then.text == "type"
        }
        self.next_number = 0

    def read(self) -> ModuleText:
        """Skip to each `define` at the beginning of a line and read it."""
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            if token.text == "define" and token.column == 1:
                self.module.functions.append(self._function())
            else:
                self.position += 1
        return self.module

    # --- functions ---

    def _function(self) -> FunctionText:
        first = self.tokens[self.position]
        self.next_number = 0
        while self.position < len(self.tokens) and self.tokens[self.position].kind is not TokenKind.GLOBAL:
            self.position += 1
        if self.position + 1 >= len(self.tokens):
            raise self.module.error(first, "this function has neither name nor body")
        function = FunctionText(self.tokens[self.position].text, first)
        self.position += 1
        function.parameters = self._parameters()
        while self.position < len(self.tokens) and self.tokens[self.position].text != "{":
            self.position += 1
        if self.position == len(self.tokens):
            raise self.module.error(first, f"{function.name} has no body; without one it is declared, not defined")
        function.body_start = self.tokens[self.position].end
        self.position += 1
        self._body(function)
        return function

    def _parameters(self) -> list[Parameter]:
        """Read `( … )`."""
        parts: list[list[Token]] = [[]]
        self.position += 1
        depth = 0
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            self.position += 1
            if token.text == ")" and not depth:
                break
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            if token.text == "," and not depth:
                parts.append([])
            else:
                parts[-1].append(token)
        parameters: list[Parameter] = []
        for part in parts:
            if not part or part[-1].text == "...":
                continue
            last = part[-1]
            if last.kind is TokenKind.LOCAL and len(part) > 1:
                self._count(last.text)
                parameters.append(Parameter(last.text, last, last.end))
            else:
                parameters.append(Parameter(self._number(), None, last.end))
        return parameters

    def _number(self) -> str:
        self.next_number += 1
        return f"%{self.next_number - 1}"

    def _body(self, function: FunctionText) -> None:
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            blocks = function.blocks
            if token.text == "}":
                function.end = token.start
                self.position += 1
                return
            if token.kind is TokenKind.LABEL:
                self.position += 1
                name = "%" + plain_name(token.text[:-1])
                self._count(name)
                blocks.append(BasicBlock(name, token, token.start))
                continue
            if not blocks or (blocks[-1].instructions and blocks[-1].instructions[-1].is_terminator):
                blocks.append(BasicBlock(self._number(), None, token.start))
            blocks[-1].instructions.append(self._instruction())
        raise self.module.error(function.first, f"the body of {function.name} is not closed")

    # --- instructions ---

    def _instruction(self) -> Instruction:
        tokens = self._statement()
        index = 0
        result = None
        if len(tokens) > 1 and tokens[0].kind is TokenKind.LOCAL and tokens[1].text == "=":
            result = tokens[0].text
            self._count(result)
            index = 2
        while index < len(tokens) - 1 and tokens[index].text in _BEFORE_CALL:
            index += 1
        opcode = tokens[index].text if index < len(tokens) else ""
        instruction = Instruction(tokens, opcode, result)
        operands = tokens[index + 1 :]
        if opcode == "phi":
            self._read_phi(instruction, operands)
        else:
            self._read_operands(instruction, operands)
        return instruction

    def _count(self, name: str) -> None:
        if name[1:].isdigit():
            self.next_number = int(name[1:]) + 1

    def _statement(self) -> list[Token]:
        """The tokens of one instruction: up to a line that continues nothing."""
        tokens: list[Token] = []
        depth = 0
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            if tokens and not depth and token.line != tokens[-1].line:
                if token.text not in _CONTINUES and tokens[-1].text not in (",", "="):
                    break
            if token.text == "}" and not depth:
                break
            if token.kind is TokenKind.PUNCTUATION:
                depth += (token.text in _OPENING) - (token.text in _CLOSING)
            tokens.append(token)
            self.position += 1
        return tokens

    def _read_phi(self, instruction: Instruction, operands: list[Token]) -> None:
        """`phi [flags] <type> [ value, %block ], …`; the brackets of an array type come before the others."""
        groups = self._bracket_groups(operands)
        first_pair = len(operands)
        for begin, end in reversed(groups):
            inside = operands[begin + 1 : end]
            if len(inside) < 3 or inside[-2].text != "," or inside[-1].kind is not TokenKind.LOCAL:
                break
            first_pair = begin
            value = inside[:-2]
            name = value[0] if len(value) == 1 and value[0].kind is TokenKind.LOCAL else None
            text = self.module.text[value[0].start : value[-1].end] if name is None else name.text
            instruction.incoming.insert(0, Incoming(text, inside[-1], name, operands[begin].start, operands[end].end))
        instruction.type = self._type_text(operands[:first_pair])

    def _bracket_groups(self, tokens: list[Token]) -> list[tuple[int, int]]:
        """Outermost `[ … ]` by the indexes of their brackets."""
        groups: list[tuple[int, int]] = []
        depth = 0
        begin = 0
        for index, token in enumerate(tokens):
            if token.text in _OPENING:
                if not depth:
                    begin = index
                depth += 1
            elif token.text in _CLOSING and depth:
                depth -= 1
                if not depth and token.text == "]":
                    groups.append((begin, index))
        return groups

    def _type_text(self, tokens: list[Token]) -> str:
        """The type at the end of `tokens`, without the flags (`fast`, `nnan`, …) before it."""
        flags = ("fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "volatile", "atomic", "inalloca")
        index = 0
        while index < len(tokens) and tokens[index].text in flags:
            index += 1
        return self.module.text[tokens[index].start : tokens[-1].end] if index < len(tokens) else ""

    def _read_operands(self, instruction: Instruction, operands: list[Token]) -> None:
        for index, token in enumerate(operands):
            if token.kind is not TokenKind.LOCAL:
                continue
            if index >= 1 and operands[index - 1].text == "label":
                instruction.labels.append(token)
            elif token.text not in self.types and not (index >= 4 and operands[index - 4].text == "blockaddress"):
                instruction.uses.append(token)
        if instruction.opcode in ("alloca", "load"):
            instruction.type = self._type_text(self._up_to_comma(operands))

    def _up_to_comma(self, tokens: list[Token]) -> list[Token]:
        depth = 0
        for index, token in enumerate(tokens):
            if token.text == "," and not depth:
                return tokens[:index]
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
        return tokens
