"""Which tokens can begin what: the first sets of the grammar's nonterminals.

They decide what a syntax error says, because bison goes on with a default where a token begins nothing.
"""

from __future__ import annotations

from ssa2llvm.php.ast import NameForm
from ssa2llvm.php.precedence import CAST, INCLUDE_KINDS
from ssa2llvm.php.tokens import SEMI_RESERVED, words

NAME_FORM = {
    "identifier": NameForm.PLAIN,
    "namespaced name": NameForm.PLAIN,
    "fully qualified name": NameForm.FULL,
    "namespace-relative name": NameForm.RELATIVE,
}
MAGIC_CONSTANTS = words("__line__ __file__ __dir__ __class__ __trait__ __method__ __function__ __namespace__")
EXPRESSION_STARTS = (
    frozenset(CAST)
    | frozenset(INCLUDE_KINDS)
    | frozenset(NAME_FORM)
    | MAGIC_CONSTANTS
    | words(
        'variable $ ( [ array list " ` ++ -- + - ! ~ @ new clone exit isset empty eval print yield throw function fn'
    )
    | words("static match #[ readonly integer")
    | {"floating-point number", "quoted string", "heredoc start", "yield from"}
)
VARIABLE_STARTS = (
    MAGIC_CONSTANTS
    | frozenset(NAME_FORM)
    | {"variable", "$", "(", "[", "array", "quoted string", '"', "static", "readonly"}
)
ARGUMENT_STARTS = EXPRESSION_STARTS | SEMI_RESERVED | {"..."}
ARM_STARTS = EXPRESSION_STARTS | {"default"}
ITEM_STARTS = EXPRESSION_STARTS | {"...", "&", "&$"}
NAMED_OR_KEYWORD = frozenset(INCLUDE_KINDS) | words("match isset array empty eval list new static clone print throw")
"""Keywords that begin an expression but in an argument list may also be the name of an argument."""

INNER_STARTS = (
    EXPRESSION_STARTS
    | words("{ ; echo if while do for foreach switch break continue return global unset goto try declare")
    | words("class trait interface enum abstract final __halt_compiler")
    | {"inline html"}
)
TOP_STARTS = INNER_STARTS | {"namespace", "use", "const"}

DEREFERENCE = ("->", "?->", "{", "[")
"""What bison expects after a variable where little else may follow."""
