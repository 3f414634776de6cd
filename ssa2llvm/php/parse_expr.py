"""Parsing of expressions, with exactly PHP's grammar and precedence (Zend/zend_language_parser.y).

Operator precedence parsing by climbing: ``expression(minimum)`` reads a prefix expression and then every binary operator that
binds at least as tightly as ``minimum``.  Three points where PHP's table is not the textbook's:

* an assignment needs a *variable* on its left and nothing else, so it may stand inside tighter operators: ``!$a = 3`` is
  ``!($a = 3)``; it is recognised where the variable ends, whatever ``minimum`` is;
* comparison and equality are non-associative: a second operator of the same level is a syntax error;
* prefix operators have a level for their operand only: in ``2 ** -$a`` the minus is read although it binds less tightly.

What may follow a primary (``[``, ``->``, ``::``, ``(``) depends on its *grade*, the grammar's fully_dereferenceable,
callable_expr and so on.
"""

from __future__ import annotations

from enum import Enum

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import EvalKind
from ssa2llvm.ir.types import IS_ARRAY, IS_BOOL, IS_DOUBLE, IS_LONG, IS_NULL, IS_OBJECT, IS_STRING
from ssa2llvm.php import ast
from ssa2llvm.php.ast import NameForm, Node, Where
from ssa2llvm.php.cursor import Cursor
from ssa2llvm.php.tokens import SEMI_RESERVED
from ssa2llvm.values.convert import to_string
from ssa2llvm.values.host import Host


class Level:
    """Binding strength, loosest first; only the order matters."""

    THROW, ARROW, INCLUDE, OR, XOR, AND, PRINT, YIELD, DOUBLE_ARROW, YIELD_FROM, ASSIGN, TERNARY, COALESCE = range(1, 14)
    BOOL_OR, BOOL_AND, BIT_OR, BIT_XOR, BIT_AND, EQUALITY, COMPARISON, CONCAT, SHIFT, ADDITIVE = range(14, 24)
    MULTIPLICATIVE, NOT, INSTANCEOF, UNARY, POWER, CLONE = range(24, 30)


_LEVEL = {
    "or": Level.OR,
    "xor": Level.XOR,
    "and": Level.AND,
    "?": Level.TERNARY,
    "??": Level.COALESCE,
    "||": Level.BOOL_OR,
    "&&": Level.BOOL_AND,
    "|": Level.BIT_OR,
    "^": Level.BIT_XOR,
    "&": Level.BIT_AND,
    "&$": Level.BIT_AND,
    "==": Level.EQUALITY,
    "!=": Level.EQUALITY,
    "===": Level.EQUALITY,
    "!==": Level.EQUALITY,
    "<=>": Level.EQUALITY,
    "<": Level.COMPARISON,
    "<=": Level.COMPARISON,
    ">": Level.COMPARISON,
    ">=": Level.COMPARISON,
    ".": Level.CONCAT,
    "<<": Level.SHIFT,
    ">>": Level.SHIFT,
    "+": Level.ADDITIVE,
    "-": Level.ADDITIVE,
    "*": Level.MULTIPLICATIVE,
    "/": Level.MULTIPLICATIVE,
    "%": Level.MULTIPLICATIVE,
    "instanceof": Level.INSTANCEOF,
    "**": Level.POWER,
}
_NON_ASSOCIATIVE = (Level.EQUALITY, Level.COMPARISON)
_BINARY = {
    "xor": Opcode.BOOL_XOR,
    "|": Opcode.BW_OR,
    "^": Opcode.BW_XOR,
    "&": Opcode.BW_AND,
    "&$": Opcode.BW_AND,
    "==": Opcode.IS_EQUAL,
    "!=": Opcode.IS_NOT_EQUAL,
    "===": Opcode.IS_IDENTICAL,
    "!==": Opcode.IS_NOT_IDENTICAL,
    "<=>": Opcode.SPACESHIP,
    "<": Opcode.IS_SMALLER,
    "<=": Opcode.IS_SMALLER_OR_EQUAL,
    ".": Opcode.CONCAT,
    "<<": Opcode.SL,
    ">>": Opcode.SR,
    "+": Opcode.ADD,
    "-": Opcode.SUB,
    "*": Opcode.MUL,
    "/": Opcode.DIV,
    "%": Opcode.MOD,
    "**": Opcode.POW,
}
_COMPOUND = {
    "+=": Opcode.ADD,
    "-=": Opcode.SUB,
    "*=": Opcode.MUL,
    "/=": Opcode.DIV,
    ".=": Opcode.CONCAT,
    "%=": Opcode.MOD,
    "&=": Opcode.BW_AND,
    "|=": Opcode.BW_OR,
    "^=": Opcode.BW_XOR,
    "<<=": Opcode.SL,
    ">>=": Opcode.SR,
    "**=": Opcode.POW,
}
_CAST = {
    "(int)": IS_LONG,
    "(double)": IS_DOUBLE,
    "(string)": IS_STRING,
    "(array)": IS_ARRAY,
    "(object)": IS_OBJECT,
    "(bool)": IS_BOOL,
    "(unset)": IS_NULL,
}
_INCLUDE = {
    "include": EvalKind.INCLUDE,
    "include_once": EvalKind.INCLUDE_ONCE,
    "require": EvalKind.REQUIRE,
    "require_once": EvalKind.REQUIRE_ONCE,
}
_NAME_FORM = {
    "identifier": NameForm.PLAIN,
    "namespaced name": NameForm.PLAIN,
    "fully qualified name": NameForm.FULL,
    "namespace-relative name": NameForm.RELATIVE,
}
_MAGIC = frozenset(
    ("__line__", "__file__", "__dir__", "__class__", "__trait__", "__method__", "__function__", "__namespace__")
)
EXPRESSION_STARTS = (
    frozenset(_CAST)
    | frozenset(_INCLUDE)
    | frozenset(_NAME_FORM)
    | _MAGIC
    | frozenset(
        """variable $ ( [ array list " ` ++ -- + - ! ~ @ & new clone exit isset empty eval print yield throw function fn
        static match #[ readonly integer""".split()
    )
    | {"floating-point number", "quoted string", "heredoc start", "yield from"}
) - {"&"}


_ARGUMENT_STARTS = EXPRESSION_STARTS | SEMI_RESERVED | {"..."}
_ARM_STARTS = EXPRESSION_STARTS | {"default"}
_ITEM_STARTS = EXPRESSION_STARTS | {"...", "&", "&$"}
VARIABLE_STARTS = (
    _MAGIC | frozenset(_NAME_FORM) | {"variable", "$", "(", "[", "array", "quoted string", '"', "static", "readonly"}
)


class Grade(Enum):
    """What a primary is to the grammar, and so what may follow it."""

    PLAIN = "an expression that nothing may follow directly"
    VARIABLE = "callable_variable: anything may follow, and it can be assigned to"
    MEMBER = "a property or static member: a variable too, but a call after it is part of its own syntax"
    SCALAR = "a parenthesised expression, array or string"
    CONSTANT = "a constant: only [ and -> may follow"
    CLASS_CONSTANT = "a class constant: [ -> and :: may follow"


_ASSIGNABLE = (Grade.VARIABLE, Grade.MEMBER)


class ExpressionParser(Cursor):
    """Expressions; functions and classes inside them come from the subclass."""

    generator = False  # whether the function being parsed contains a yield

    def closure(self, attributes: list[ast.Attribute] | None, static: bool) -> Node:
        """A closure or arrow function (declared in parse_decl)."""
        raise NotImplementedError

    def anonymous_class(self, attributes: list[ast.Attribute] | None, where: Where) -> Node:
        """``class … { }`` after ``new`` (declared in parse_decl)."""
        raise NotImplementedError

    def attributes(self) -> list[ast.Attribute]:
        """One or more ``#[…]`` groups (declared in parse_decl)."""
        raise NotImplementedError

    # -- binary operators ---------------------------------------------------------------------------------------------

    def expression(self, minimum: int = 0, left: Node | None = None) -> Node:
        """An expression whose operators bind at least as tightly as ``minimum``; ``left`` is what was already read."""
        if left is None:
            left = self._prefix()
        while True:
            kind = self.token.kind
            level = _LEVEL.get(kind, -1)
            if level < minimum or level < 0:
                return left
            self.advance()
            left = self._infix(kind, level, left)
            if level in _NON_ASSOCIATIVE and _LEVEL.get(self.token.kind) == level:
                self.fail()

    def _infix(self, kind: str, level: int, left: Node) -> Node:
        if kind == "?":
            return self._conditional(left)
        if kind == "instanceof":
            return ast.InstanceOf(left.where, left, self.class_reference())
        right_associative = level in (Level.COALESCE, Level.POWER)
        right = self.expression(level if right_associative else level + 1)
        if kind in ("&&", "and"):
            return ast.Logical(left.where, True, left, right)
        if kind in ("||", "or"):
            return ast.Logical(left.where, False, left, right)
        if kind == "??":
            return ast.Coalesce(left.where, left, right)
        if kind in (">", ">="):
            return ast.Greater(left.where, kind == ">=", left, right)
        if kind == "." and isinstance(left, ast.Literal) and isinstance(right, ast.Literal):
            joined = to_string(left.value, Host()) + to_string(right.value, Host())
            return ast.Literal(Where(self.token.end_line, left.where.offset), joined)
        return ast.Binary(left.where, _BINARY[kind], left, right)

    def _conditional(self, condition: Node) -> Node:
        if self.accept(":"):
            return ast.Conditional(condition.where, condition, None, self.expression(Level.TERNARY + 1))
        then = self.expression()
        self.expect(":")
        return ast.Conditional(condition.where, condition, then, self.expression(Level.TERNARY + 1))

    # -- prefix operators ---------------------------------------------------------------------------------------------

    def _prefix(self) -> Node:
        token = self.token
        kind = token.kind
        if kind in ("integer", "floating-point number"):
            self.advance()
            return ast.Literal(Where(token.line, token.offset), token.value)
        if kind in ("+", "-"):
            self.advance()
            value = self.expression(Level.UNARY + 1)
            return ast.Sign(Where(value.line, token.offset), 1 if kind == "+" else -1, value)
        if kind in ("!", "~"):
            self.advance()
            value = self.expression((Level.NOT if kind == "!" else Level.UNARY) + 1)
            opcode = Opcode.BOOL_NOT if kind == "!" else Opcode.BW_NOT
            return ast.Unary(Where(value.line, token.offset), opcode, value)
        if kind in ("++", "--"):
            self.advance()
            target = self.variable()
            return ast.IncDec(Where(target.line, token.offset), True, kind == "++", target)
        if kind in _CAST:
            self.advance()
            value = self.expression(Level.UNARY + 1)
            return ast.Cast(Where(value.line, token.offset), _CAST[kind], value)
        if kind == "@":
            self.advance()
            value = self.expression(Level.UNARY + 1)
            return ast.Silence(Where(value.line, token.offset), value)
        if kind == "print":
            self.advance()
            value = self.expression(Level.PRINT + 1)
            return ast.Print(Where(value.line, token.offset), value)
        if kind == "clone":
            self.advance()
            value = self.expression(Level.CLONE + 1)
            return ast.Clone(Where(value.line, token.offset), value)
        if kind == "throw":
            self.advance()
            value = self.expression(Level.THROW + 1)
            return ast.Throw(Where(value.line, token.offset), value)
        if kind in _INCLUDE:
            self.advance()
            value = self.expression(Level.INCLUDE + 1)
            return ast.Include(Where(value.line, token.offset), _INCLUDE[kind], value)
        if kind in ("yield", "yield from"):
            return self._yield()
        return self._operand()

    def _yield(self) -> Node:
        token = self.advance()
        self.generator = True
        if token.kind == "yield from":
            value = self.expression(Level.YIELD_FROM + 1)
            return ast.YieldFrom(Where(value.line, token.offset), value)
        if self.token.kind not in EXPRESSION_STARTS:
            return ast.Yield(self.where_scanned(token.offset), None, None)
        value = self.expression(Level.YIELD + 1)
        if self.accept("=>"):
            key, value = value, self.expression(Level.DOUBLE_ARROW + 1)
            return ast.Yield(Where(value.line, token.offset), value, key)
        return ast.Yield(Where(value.line, token.offset), value, None)

    # -- primaries ----------------------------------------------------------------------------------------------------

    def _primary(self) -> tuple[Node, Grade]:
        token = self.token
        kind = token.kind
        where = self.where()
        if kind in ("variable", "$"):
            return self.simple_variable(), Grade.VARIABLE
        if kind in _NAME_FORM:
            return self._named(self.name())
        if kind == "(":
            self.advance()
            inner = self.expression()
            self.expect(")")
            if isinstance(inner, ast.Conditional):
                inner.parenthesized = True
            return inner, Grade.SCALAR
        if kind == "quoted string":
            self.advance()
            return ast.Literal(where, token.value), Grade.SCALAR
        if kind == '"':
            return self._interpolated('"', '"'), Grade.SCALAR
        if kind == "[":
            self.advance()
            array = self.array_items("]", where.offset)
            array.syntax = ast.ArraySyntax.SHORT
            return array, Grade.SCALAR
        if kind == "array":
            self.advance()
            self.expect("(", "(")
            return self.array_items(")", where.offset), Grade.SCALAR
        if kind in _MAGIC:
            self.advance()
            return ast.MagicConst(Where(token.end_line, token.offset), kind), Grade.CONSTANT
        if kind == "static" and self.peek().kind not in ("function", "fn"):
            name = self.class_name()
            if self.token.kind != "::":
                self.fail("::")
            return self._static_access(name)
        if kind == "readonly" and self.peek().kind == "(":
            self.advance()
            name = ast.Name(where, self.previous.name, NameForm.FULL)
            return ast.Call(where, name, self.arguments()), Grade.VARIABLE
        return self._keyword_primary(kind, where), Grade.PLAIN

    def _keyword_primary(self, kind: str, where: Where) -> Node:
        """Primaries that begin with a keyword or a rare sign; nothing may follow them directly."""
        if kind == "new":
            return self._new()
        if kind in ("function", "fn"):
            return self.closure(None, False)
        if kind == "static":
            self.advance()
            return self.closure(None, True)
        if kind == "#[":
            attributes = self.attributes()
            static = self.accept("static")
            if self.token.kind not in ("function", "fn"):
                self.fail()
            return self.closure(attributes, static)
        if kind == "isset":
            return self._isset()
        if kind in ("empty", "eval"):
            self.advance()
            self.expect("(", "(")
            value = self.expression()
            self.expect(")")
            if kind == "empty":
                return ast.Empty(Where(value.line, where.offset), value)
            return ast.Include(Where(value.line, where.offset), EvalKind.EVAL, value)
        if kind == "exit":
            return self._exit()
        if kind == "match":
            return self._match()
        if kind == "list":
            pattern = self.list_pattern()
            self.expect("=", "=")
            return ast.Assign(pattern.where, pattern, self.expression(Level.ASSIGN + 1))
        if kind == "heredoc start":
            return self._interpolated("heredoc start", "heredoc end")
        if kind == "`":
            value = self._interpolated("`", "`")
            return ast.ShellExec(value.where, value)
        self.fail()

    def _exit(self) -> Node:
        start = self.advance()
        value: Node | None = None
        line = self.token.end_line
        if self.accept("("):
            value = self.optional_expression(")")
            line = value.line if value else self.previous.end_line
        return ast.Exit(Where(line, start.offset), value)

    def name(self) -> ast.Name:
        """A qualified or unqualified name."""
        token = self.token
        form = _NAME_FORM.get(token.kind)
        if form is None:
            self.fail()
        self.advance()
        assert isinstance(token.value, bytes)
        return ast.Name(Where(token.line, token.offset), token.value.decode("utf-8", "surrogateescape"), form)

    @property
    def at_name(self) -> bool:
        """Whether the current token is a name."""
        return self.token.kind in _NAME_FORM

    def class_name(self, *expected: str) -> ast.Name:
        """A name or ``static``."""
        if self.token.kind == "static":
            token = self.advance()
            return ast.Name(Where(token.end_line, token.offset), "static", NameForm.PLAIN)
        if not self.at_name:
            self.fail(*expected)
        return self.name()

    def _named(self, name: ast.Name) -> tuple[Node, Grade]:
        if self.token.kind == "(":
            return ast.Call(name.where, name, self.arguments()), Grade.VARIABLE
        if self.token.kind == "::":
            return self._static_access(name)
        return ast.ConstFetch(name.where, name), Grade.CONSTANT

    def simple_variable(self) -> ast.Variable:
        """``$name``, ``$$name``, ``${expression}``."""
        where = self.where()
        name = self.variable_name()
        return ast.Variable(Where(name.line, where.offset), name)

    def variable_name(self) -> Node:
        """The name part of a variable: a literal, an expression, or another variable."""
        token = self.token
        if token.kind == "variable":
            self.advance()
            return ast.Literal(Where(token.line, token.offset), token.value)
        self.expect("$", "variable", "$")
        if self.accept("{"):
            inner = self.expression()
            self.expect("}")
            return inner
        if self.token.kind not in ("variable", "$"):
            self.fail("variable", "{", "$")
        return self.simple_variable()

    def variable(self, *expected: str) -> Node:
        """A variable in the grammar's sense: something that can be written to or called."""
        if self.token.kind not in VARIABLE_STARTS:
            self.fail(*expected)
        return self.variable_after(*self._primary())

    def variable_after(self, node: Node, grade: Grade = Grade.SCALAR) -> Node:
        """The variable that begins with the primary ``node``."""
        node, grade = self._postfix(node, grade)
        if grade not in _ASSIGNABLE:
            self.fail(*(("->", "?->", "{", "[") if grade == Grade.CONSTANT else ()))
        return node

    def _operand(self) -> Node:
        """A primary with what follows it, then an assignment or a postfix operator if it is a variable."""
        pattern = self.token.kind == "["
        node, grade = self._primary()
        if pattern and self.accept("="):
            return ast.Assign(node.where, node, self.expression(Level.ASSIGN + 1))
        node, grade = self._postfix(node, grade)
        if grade not in _ASSIGNABLE:
            return node
        kind = self.token.kind
        if kind == "=":
            self.advance()
            if self.token.kind in ("&", "&$"):
                self.advance()
                return ast.AssignRef(node.where, node, self.variable())
            return ast.Assign(node.where, node, self.expression(Level.ASSIGN + 1))
        if kind in _COMPOUND:
            self.advance()
            return ast.AssignOp(node.where, _COMPOUND[kind], node, self.expression(Level.ASSIGN + 1))
        if kind == "??=":
            self.advance()
            return ast.AssignCoalesce(node.where, node, self.expression(Level.ASSIGN + 1))
        if kind in ("++", "--"):
            self.advance()
            return ast.IncDec(node.where, False, kind == "++", node)
        return node

    def _postfix(self, node: Node, grade: Grade) -> tuple[Node, Grade]:
        """Offsets, properties, static members and calls after ``node``."""
        while True:
            kind = self.token.kind
            if kind in ("[", "{"):
                self.advance()
                index = self._offset(kind)
                node, grade = ast.Dim(node.where, node, index, kind == "{"), Grade.VARIABLE
            elif kind in ("->", "?->"):
                self.advance()
                name = self.property_name()
                if self.token.kind == "(":
                    node = ast.MethodCall(node.where, node, name, self.arguments(), kind == "?->")
                    grade = Grade.VARIABLE
                else:
                    node, grade = ast.Prop(node.where, node, name, kind == "?->"), Grade.MEMBER
            elif kind == "::" and grade != Grade.CONSTANT:
                node, grade = self._static_access(node)
            elif kind == "(" and grade in (Grade.VARIABLE, Grade.SCALAR):
                if isinstance(node, ast.Literal) and isinstance(node.value, bytes):
                    node = ast.Name(node.where, node.value.decode("utf-8", "surrogateescape"), NameForm.FULL)
                where = Where(self.token.end_line, node.where.offset)
                node, grade = ast.Call(where, node, self.arguments()), Grade.VARIABLE
            else:
                return node, grade

    def _offset(self, opening: str) -> Node | None:
        """What stands in the brackets of an offset, and the closing one."""
        if opening == "{":
            index = self.expression()
            self.expect("}")
            return index
        return self.optional_expression("]")

    def optional_expression(self, closing: str) -> Node | None:
        """An expression or nothing, then ``closing``."""
        value: Node | None = None
        if self.token.kind != closing:
            self.require(EXPRESSION_STARTS, closing)
            value = self.expression()
        self.expect(closing, closing)
        return value

    def property_name(self) -> Node:
        """What stands after an arrow."""
        token = self.token
        if token.kind == "identifier":
            self.advance()
            return ast.Literal(Where(token.line, token.offset), token.value)
        if self.accept("{"):
            inner = self.expression()
            self.expect("}")
            return inner
        if token.kind not in ("variable", "$"):
            self.fail("identifier", "variable", "{", "$")
        return self.simple_variable()

    def _static_access(self, class_: Node) -> tuple[Node, Grade]:
        """``::`` and what follows it."""
        self.expect("::")
        token = self.token
        if token.kind in ("variable", "$"):
            name = self.variable_name()
            if self.token.kind == "(":
                wrapped = ast.Variable(name.where, name)
                return ast.StaticCall(class_.where, class_, wrapped, self.arguments()), Grade.VARIABLE
            return ast.StaticProp(class_.where, class_, name), Grade.MEMBER
        if self.accept("{"):
            inner = self.expression()
            self.expect("}")
            if self.token.kind != "(":
                self.fail("(")
            return ast.StaticCall(class_.where, class_, inner, self.arguments()), Grade.VARIABLE
        identifier = self.identifier()
        if self.token.kind == "(":
            return ast.StaticCall(class_.where, class_, identifier, self.arguments()), Grade.VARIABLE
        if isinstance(identifier.value, bytes) and identifier.value.lower() == b"class":
            return ast.ClassName(class_.where, class_), Grade.CLASS_CONSTANT
        return ast.ClassConst(class_.where, class_, identifier), Grade.CLASS_CONSTANT

    def identifier(self, *expected: str) -> ast.Literal:
        """A name that may also be a keyword, as a literal."""
        token = self.token
        if token.kind == "identifier":
            self.advance()
            return ast.Literal(Where(token.line, token.offset), token.value)
        if token.kind not in SEMI_RESERVED or token.text == b"<?=":
            self.fail(*expected)
        self.advance()
        return ast.Literal(Where(token.end_line, token.offset), token.text)

    def arguments(self) -> ast.Args:
        """A parenthesised argument list."""
        start = self.expect("(", "(")
        items: list[Node] = []
        if self.token.kind == "...":
            if self.peek().kind == ")":
                self.advance()
                self.advance()
                return ast.Args(Where(self.previous.end_line, start.offset), items, True)
        if self.accept(")"):
            return ast.Args(Where(self.previous.end_line, start.offset), items)
        line = 0
        while True:
            items.append(self._argument())
            if not line:
                line = min(items[0].line, self.token.end_line)
            if not self.accept(","):
                self.expect(")", ")")
                break
            if self.accept(")"):
                break
            self.require(_ARGUMENT_STARTS, ")")
        return ast.Args(Where(line, start.offset), items)

    def _argument(self) -> Node:
        where = self.where()
        if self.accept("..."):
            value = self.expression()
            return ast.Unpack(Where(value.line, where.offset), value)
        kind = self.token.kind
        named = kind in SEMI_RESERVED and kind not in EXPRESSION_STARTS
        if named or ((kind == "identifier" or kind in SEMI_RESERVED) and self.peek().kind == ":"):
            name = self.identifier()
            self.expect(":", ":")
            assert isinstance(name.value, bytes)
            return ast.NamedArg(name.where, name.value.decode("utf-8", "surrogateescape"), self.expression())
        return self.expression()

    def class_reference(self) -> Node:
        """What may follow ``new`` and ``instanceof``."""
        token = self.token
        if token.kind == "(":
            self.advance()
            inner = self.expression()
            self.expect(")")
            return inner
        node: Node
        if token.kind in ("variable", "$"):
            node = self.simple_variable()
        else:
            node = self.class_name()
            if self.token.kind != "::":
                return node
        while True:
            kind = self.token.kind
            if kind in ("[", "{") and not isinstance(node, ast.Name):
                self.advance()
                index = self._offset(kind)
                node = ast.Dim(node.where, node, index, kind == "{")
            elif kind in ("->", "?->"):
                self.advance()
                node = ast.Prop(node.where, node, self.property_name(), kind == "?->")
            elif kind == "::":
                self.advance()
                if self.token.kind not in ("variable", "$"):
                    self.fail("variable", "$")
                node = ast.StaticProp(node.where, node, self.variable_name())
            else:
                return node

    def _new(self) -> Node:
        start = self.advance()
        if self.token.kind == "#[":
            attributes = self.attributes()
            if self.token.kind != "class":
                self.fail("class", "#[")
            return self.anonymous_class(attributes, Where(start.line, start.offset))
        if self.token.kind == "class":
            return self.anonymous_class(None, Where(start.line, start.offset))
        class_ = self.class_reference()
        if self.token.kind == "(":
            args = self.arguments()
        else:
            args = ast.Args(self.where_scanned(start.offset), [])
        return ast.New(Where(class_.line, start.offset), class_, args)

    def _isset(self) -> Node:
        start = self.advance()
        self.expect("(", "(")
        node: Node | None = None
        while True:
            value = self.expression()
            item = ast.Isset(Where(value.line, start.offset), value)
            node = item if node is None else ast.Logical(node.where, True, node, item)
            if not self.accept(","):
                self.expect(")", ")")
                return node
            if self.accept(")"):
                return node
            self.require(EXPRESSION_STARTS, ")")

    def _match(self) -> Node:
        start = self.advance()
        self.expect("(", "(")
        subject = self.expression()
        self.expect(")")
        self.expect("{", "{")
        arms: list[ast.MatchArm] = []
        while not self.accept("}"):
            self.require(_ARM_STARTS, "}")
            arms.append(self._match_arm())
            if not self.accept(","):
                self.expect("}", "}")
                break
        return ast.Match(Where(subject.line, start.offset), subject, arms)

    def _match_arm(self) -> ast.MatchArm:
        where = self.where()
        if self.token.kind == "default" and self.peek().kind in ("=>", ","):
            self.advance()
            self.accept(",")
            self.expect("=>", "=>")
            body = self.expression()
            return ast.MatchArm(Where(body.line, where.offset), None, body)
        conditions = [self.expression()]
        line = min(conditions[0].line, self.token.end_line)
        while self.accept(","):
            if self.token.kind == "=>":
                break
            self.require(EXPRESSION_STARTS, "=>")
            conditions.append(self.expression())
        self.expect("=>", "=>")
        return ast.MatchArm(Where(line, where.offset), conditions, self.expression())

    # -- arrays -------------------------------------------------------------------------------------------------------

    def list_pattern(self) -> ast.Array:
        """``list(…)``."""
        start = self.expect("list")
        self.expect("(", "(")
        array = self.array_items(")", start.offset)
        array.syntax = ast.ArraySyntax.LIST
        return array

    def array_items(self, closing: str, offset: int) -> ast.Array:
        """The elements up to and with the ``closing`` bracket; one trailing comma is no element."""
        items: list[ast.ArrayElement | ast.Unpack | None] = []
        line = 0
        while True:
            if self.token.kind in (",", closing):
                item = None
            else:
                self.require(_ITEM_STARTS, closing)
                item = self._array_item()
            items.append(item)
            if not line:
                line = min(item.line, self.token.end_line) if item else self.token.end_line
            if not self.accept(","):
                break
        self.expect(closing, closing)
        if items[-1] is None:
            items.pop()
        return ast.Array(Where(line, offset), items, ast.ArraySyntax.LONG)

    def _array_item(self) -> ast.ArrayElement | ast.Unpack:
        where = self.where()
        if self.accept("..."):
            value = self.expression()
            return ast.Unpack(Where(value.line, where.offset), value)
        value, by_ref = self._array_value()
        key: Node | None = None
        if not by_ref and self.accept("=>"):
            key = value
            value, by_ref = self._array_value()
        return ast.ArrayElement(Where(value.line, where.offset), value, key, by_ref)

    def _array_value(self) -> tuple[Node, bool]:
        """An element's value, a reference to a variable, or a nested list()."""
        if self.token.kind in ("&", "&$"):
            self.advance()
            return self.variable(), True
        if self.token.kind == "list":
            pattern = self.list_pattern()
            if not self.accept("="):
                return pattern, False
            assign = ast.Assign(pattern.where, pattern, self.expression(Level.ASSIGN + 1))
            return self.expression(0, assign), False
        return self.expression(), False

    # -- strings ------------------------------------------------------------------------------------------------------

    def _interpolated(self, opening: str, closing: str) -> Node:
        """A double-quoted string, heredoc or backtick string: a Literal, or an Encaps if it has variables."""
        start = self.expect(opening)
        parts = self._encaps_parts(closing)
        self.expect(closing)
        if not parts:
            return ast.Literal(Where(self.previous.end_line, start.offset), b"")
        if len(parts) == 1 and isinstance(parts[0], ast.Literal):
            return parts[0]
        return ast.Encaps(Where(parts[0].line, start.offset), parts)

    def _encaps_parts(self, closing: str) -> list[Node]:
        parts: list[Node] = []
        while self.token.kind != closing:
            token = self.token
            if token.kind == "string content" and token.value is not None:
                self.advance()
                parts.append(ast.Literal(Where(token.line, token.offset), token.value))
                continue
            if token.kind not in ("variable", "${", "{$"):
                only_text = len(parts) == 1 and isinstance(parts[0], ast.Literal)
                end = (closing,) if closing == "heredoc end" else ()
                self.fail(*(("variable", "${", "{$", *end) if only_text else ()))
            parts.append(self._encaps_variable())
        return parts

    def _encaps_variable(self) -> Node:
        token = self.token
        where = self.where()
        if token.kind == "variable":
            variable = ast.Variable(where, self.variable_name())
            if self.accept("["):
                index = self._encaps_offset()
                self.expect("]", "]")
                return ast.Dim(where, variable, index)
            if self.token.kind in ("->", "?->"):
                nullsafe = self.advance().kind == "?->"
                name = self.expect("identifier", "identifier")
                literal = ast.Literal(Where(name.line, name.offset), name.value)
                return ast.Prop(where, variable, literal, nullsafe)
            return variable
        if token.kind == "${":
            self.advance()
            return self._dollar_curly(where)
        if token.kind == "{$":
            self.advance()
            inner = self.variable()
            self.expect("}")
            return inner
        self.fail()

    def _encaps_offset(self) -> Node:
        token = self.token
        where = self.where()
        if token.kind == "variable":
            return ast.Variable(where, self.variable_name())
        negative = self.accept("-")
        token = self.token
        if token.kind == "number" and negative:
            self.advance()
            value = token.value
            if isinstance(value, int):
                return ast.Literal(where, -value if value else b"-0")
            assert isinstance(value, bytes)
            return ast.Literal(where, b"-" + value)
        if token.kind not in ("number", "identifier") or negative:
            self.fail(*(("number",) if negative else ("identifier", "variable", "number", "-")))
        self.advance()
        return ast.Literal(where, token.value)

    def _dollar_curly(self, where: Where) -> Node:
        """``${name}``, ``${name[index]}`` or ``${expression}`` in a string."""
        token = self.token
        if token.kind != "variable name":
            inner = self.expression()
            self.expect("}")
            return ast.Variable(Where(inner.line, where.offset), inner, "expression")
        self.advance()
        name = ast.Literal(Where(token.line, token.offset), token.value)
        if not self.accept("["):
            self.expect("}", "[", "}")
            return ast.Variable(name.where, name, "name")
        index = self.expression()
        self.expect("]")
        self.expect("}", "}")
        return ast.Dim(name.where, ast.Variable(name.where, name), index, False, "name")
