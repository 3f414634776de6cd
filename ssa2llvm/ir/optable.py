"""THE opcode table: everything the rooms need to know about an opcode, in one row each.

Columns
    number, name  as PHP numbers and names them.
    op1, op2      what the operand word means when it is *not* a constant or a variable (Zend/zend_vm_opcodes.c):
                  ``num`` a number, ``jmp`` a jump target, ``try`` a try/catch index, ``this`` ``$this``, ``next`` the
                  next free index (``$a[]``), ``class`` a class fetch kind, ``ctor`` the constructor, ``const``
                  constant fetch flags, ``-`` nothing.
    ext           what ``extended_value`` means: ``num``, ``op`` (an opcode), ``type`` (a type number), ``mask`` (a type
                  mask), ``eval``, ``src``, ``jmp`` (a jump target), ``last_catch``, or ``|``-joined bit fields
                  (``fetch isset array ref obj_ref dim_write``).
    writes        operands that the opcode *defines* besides its result (Zend/Optimizer/zend_ssa.c:_zend_ssa_rename_op
                  without RC inference): ``op1``/``op2`` when it is a CV; ``op1!``/``op2!`` when it is any variable;
                  ``op1?ref``/``op2?ref`` when a CV and the ``ref`` bit of extended_value is set; ``op1?gen`` when a
                  CV and the function returns by reference; ``res+`` the result slot is also read (it accumulates).
    flow          role in the control-flow graph (Zend/Optimizer/zend_cfg.c:zend_build_cfg).
    effects       an upper bound over all operand types: ``w`` may emit a diagnostic, ``t`` may throw, ``m`` may
    write memory
                  that is not one of its own definitions (globals, references, properties, run-time state), ``o`` may
                  produce output or run user code, ``n`` never continues at the next instruction. Types refine the
                  bound (``analysis``). Reading an undefined CV warns in addition, unless the opcode is QUIET about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, Flag, auto

from ssa2llvm.ir.opcode import Opcode


class WordKind(Enum):
    """Meaning of an operand word that is neither constant nor variable."""

    NONE = "-"
    NUM = "num"
    JMP_ADDR = "jmp"
    TRY_CATCH = "try"
    THIS = "this"
    NEXT = "next"
    CLASS_FETCH = "class"
    CONSTRUCTOR = "ctor"
    CONST_FETCH = "const"


class ExtKind(Flag):
    """Meaning of ``extended_value``; the second line are bit fields that can occur together."""

    NONE = 0
    NUM, OP, TYPE, TYPE_MASK, EVAL, SRC, JMP_ADDR, LAST_CATCH = (auto() for _ in range(8))
    VAR_FETCH, ISSET, ARRAY_INIT, REF, FETCH_REF, DIM_WRITE = (auto() for _ in range(6))


class Writes(Flag):
    """Operands defined besides the result."""

    NONE = 0
    OP1_CV = auto()
    OP1_VAR = auto()
    OP1_CV_IF_REF = auto()
    OP1_CV_IF_REF_GENERATOR = auto()
    OP2_CV = auto()
    OP2_VAR = auto()
    OP2_CV_IF_REF = auto()
    RESULT_TOO_IS_READ = auto()


class Flow(Enum):
    """Role in the control-flow graph.

    BRANCH jumps to op2 or falls through; BRANCH_EXT the same to extended_value; SWITCH has a jump table in op2, its
    default in extended_value, and a fallthrough; MATCH has no fallthrough.
    """

    NEXT = "next"
    JUMP = "jump"
    BRANCH = "branch"
    BRANCH_EXT = "branch_ext"
    SWITCH = "switch"
    MATCH = "match"
    RETURN = "return"
    THROW = "throw"
    FAST_CALL = "fast_call"
    FAST_RET = "fast_ret"
    CATCH = "catch"


class Effects(Flag):
    """Upper bound of what executing the opcode can do, whatever its operands' types."""

    NONE = 0
    WARNS = auto()
    THROWS = auto()
    WRITES_MEMORY = auto()
    OUTPUT = auto()
    NEVER_RETURNS = auto()


@dataclass(frozen=True, slots=True)
class OpInfo:
    """One row of the table."""

    opcode: Opcode
    op1: WordKind
    op2: WordKind
    ext: ExtKind
    writes: Writes
    flow: Flow
    effects: Effects


_EXT = {
    "num": ExtKind.NUM,
    "op": ExtKind.OP,
    "type": ExtKind.TYPE,
    "mask": ExtKind.TYPE_MASK,
    "eval": ExtKind.EVAL,
    "src": ExtKind.SRC,
    "jmp": ExtKind.JMP_ADDR,
    "last_catch": ExtKind.LAST_CATCH,
    "fetch": ExtKind.VAR_FETCH,
    "isset": ExtKind.ISSET,
    "array": ExtKind.ARRAY_INIT,
    "ref": ExtKind.REF,
    "obj_ref": ExtKind.FETCH_REF,
    "dim_write": ExtKind.DIM_WRITE,
}
_WRITES = {
    "op1": Writes.OP1_CV,
    "op1!": Writes.OP1_VAR,
    "op1?ref": Writes.OP1_CV_IF_REF,
    "op1?gen": Writes.OP1_CV_IF_REF_GENERATOR,
    "op2": Writes.OP2_CV,
    "op2!": Writes.OP2_VAR,
    "op2?ref": Writes.OP2_CV_IF_REF,
    "res+": Writes.RESULT_TOO_IS_READ,
}
_EFFECTS = {
    "w": Effects.WARNS,
    "t": Effects.THROWS,
    "m": Effects.WRITES_MEMORY,
    "o": Effects.OUTPUT,
    "n": Effects.NEVER_RETURNS,
}

_TABLE = """
# no name                          op1   op2   ext             writes        flow       effects
   0 NOP                           -     -     -               -             next       -
   1 ADD                           -     -     -               -             next       wt
   2 SUB                           -     -     -               -             next       wt
   3 MUL                           -     -     -               -             next       wt
   4 DIV                           -     -     -               -             next       wt
   5 MOD                           -     -     -               -             next       wt
   6 SL                            -     -     -               -             next       wt
   7 SR                            -     -     -               -             next       wt
   8 CONCAT                        -     -     -               -             next       wt
   9 BW_OR                         -     -     -               -             next       wt
  10 BW_AND                        -     -     -               -             next       wt
  11 BW_XOR                        -     -     -               -             next       wt
  12 POW                           -     -     -               -             next       wt
  13 BW_NOT                        -     -     -               -             next       wt
  14 BOOL_NOT                      -     -     -               -             next       w
  15 BOOL_XOR                      -     -     -               -             next       w
  16 IS_IDENTICAL                  -     -     -               -             next       -
  17 IS_NOT_IDENTICAL              -     -     -               -             next       -
  18 IS_EQUAL                      -     -     -               -             next       wt
  19 IS_NOT_EQUAL                  -     -     -               -             next       wt
  20 IS_SMALLER                    -     -     -               -             next       wt
  21 IS_SMALLER_OR_EQUAL           -     -     -               -             next       wt
  22 ASSIGN                        -     -     -               op1           next       wtm
  23 ASSIGN_DIM                    -     next  -               op1           next       wtm
  24 ASSIGN_OBJ                    this  -     -               op1           next       wtmo
  25 ASSIGN_STATIC_PROP            -     -     -               -             next       wtmo
  26 ASSIGN_OP                     -     -     op              op1           next       wtm
  27 ASSIGN_DIM_OP                 -     next  op              op1           next       wtm
  28 ASSIGN_OBJ_OP                 this  -     op              op1           next       wtmo
  29 ASSIGN_STATIC_PROP_OP         -     -     op              -             next       wtmo
  30 ASSIGN_REF                    -     -     src             op1,op2       next       wtm
  31 QM_ASSIGN                     -     -     -               -             next       -
  32 ASSIGN_OBJ_REF                this  -     src             op1           next       wtmo
  33 ASSIGN_STATIC_PROP_REF        -     -     src             -             next       wtmo
  34 PRE_INC                       -     -     -               op1           next       wtm
  35 PRE_DEC                       -     -     -               op1           next       wtm
  36 POST_INC                      -     -     -               op1           next       wtm
  37 POST_DEC                      -     -     -               op1           next       wtm
  38 PRE_INC_STATIC_PROP           -     -     -               -             next       wtmo
  39 PRE_DEC_STATIC_PROP           -     -     -               -             next       wtmo
  40 POST_INC_STATIC_PROP          -     -     -               -             next       wtmo
  41 POST_DEC_STATIC_PROP          -     -     -               -             next       wtmo
  42 JMP                           jmp   -     -               -             jump       -
  43 JMPZ                          -     jmp   -               -             branch     w
  44 JMPNZ                         -     jmp   -               -             branch     w
  46 JMPZ_EX                       -     jmp   -               -             branch     w
  47 JMPNZ_EX                      -     jmp   -               -             branch     w
  48 CASE                          -     -     -               -             next       wt
  49 CHECK_VAR                     -     -     -               -             next       -
  50 SEND_VAR_NO_REF_EX            -     num   -               op1           next       wm
  51 CAST                          -     -     type            -             next       wt
  52 BOOL                          -     -     -               -             next       w
  53 FAST_CONCAT                   -     -     -               -             next       wt
  54 ROPE_INIT                     -     -     num             -             next       wt
  55 ROPE_ADD                      -     -     num             -             next       wt
  56 ROPE_END                      -     -     num             -             next       wt
  57 BEGIN_SILENCE                 -     -     -               -             next       m
  58 END_SILENCE                   -     -     -               -             next       m
  59 INIT_FCALL_BY_NAME            -     -     num             -             next       t
  60 DO_FCALL                      -     -     -               -             next       wtmo
  61 INIT_FCALL                    num   -     num             -             next       -
  62 RETURN                        -     -     -               -             return     -
  63 RECV                          num   -     -               -             next       t
  64 RECV_INIT                     num   -     -               -             next       t
  65 SEND_VAL                      -     num   -               -             next       -
  66 SEND_VAR_EX                   -     num   -               op1           next       wm
  67 SEND_REF                      -     num   -               op1           next       wm
  68 NEW                           class -     num             -             next       wtmo
  69 INIT_NS_FCALL_BY_NAME         -     -     num             -             next       t
  70 FREE                          -     -     -               -             next       -
  71 INIT_ARRAY                    -     next  array|ref       op1?ref       next       wt
  72 ADD_ARRAY_ELEMENT             -     next  ref             op1?ref,res+  next       wt
  73 INCLUDE_OR_EVAL               -     -     eval            -             next       wtmo
  74 UNSET_VAR                     -     -     fetch           -             next       wtmo
  75 UNSET_DIM                     -     -     -               op1           next       wtm
  76 UNSET_OBJ                     this  -     -               op1           next       wtmo
  77 FE_RESET_R                    -     jmp   -               -             branch     wtm
  78 FE_FETCH_R                    -     -     jmp             op2!          branch_ext wtm
  79 EXIT                          -     -     -               -             throw      wtmon
  80 FETCH_R                       -     -     fetch           -             next       wt
  81 FETCH_DIM_R                   -     -     -               -             next       wt
  82 FETCH_OBJ_R                   this  -     -               -             next       wtmo
  83 FETCH_W                       -     -     fetch           -             next       wtmo
  84 FETCH_DIM_W                   -     next  -               op1           next       wtm
  85 FETCH_OBJ_W                   this  -     obj_ref|dim_write -             next       wtmo
  86 FETCH_RW                      -     -     fetch           -             next       wtmo
  87 FETCH_DIM_RW                  -     next  -               op1           next       wtm
  88 FETCH_OBJ_RW                  this  -     -               -             next       wtmo
  89 FETCH_IS                      -     -     fetch           -             next       wt
  90 FETCH_DIM_IS                  -     -     -               -             next       wt
  91 FETCH_OBJ_IS                  this  -     -               -             next       wtmo
  92 FETCH_FUNC_ARG                -     -     fetch           -             next       wtmo
  93 FETCH_DIM_FUNC_ARG            -     next  -               op1           next       wtm
  94 FETCH_OBJ_FUNC_ARG            this  -     obj_ref         -             next       wtmo
  95 FETCH_UNSET                   -     -     fetch           -             next       wtmo
  96 FETCH_DIM_UNSET               -     -     -               op1           next       wtm
  97 FETCH_OBJ_UNSET               this  -     -               -             next       wtmo
  98 FETCH_LIST_R                  -     -     -               -             next       wt
  99 FETCH_CONSTANT                const -     -               -             next       t
 100 CHECK_FUNC_ARG                -     num   -               -             next       -
 101 EXT_STMT                      -     -     -               -             next       -
 102 EXT_FCALL_BEGIN               -     -     -               -             next       -
 103 EXT_FCALL_END                 -     -     -               -             next       -
 104 EXT_NOP                       -     -     -               -             next       -
 105 TICKS                         -     -     num             -             next       wtmo
 106 SEND_VAR_NO_REF               -     num   -               op1           next       wm
 107 CATCH                         -     jmp   last_catch      -             catch      m
 108 THROW                         -     -     -               -             throw      wtn
 109 FETCH_CLASS                   class -     -               -             next       wtmo
 110 CLONE                         this  -     -               -             next       wtmo
 111 RETURN_BY_REF                 -     -     src             -             return     wtm
 112 INIT_METHOD_CALL              this  -     num             -             next       wtmo
 113 INIT_STATIC_METHOD_CALL       class ctor  num             -             next       wtmo
 114 ISSET_ISEMPTY_VAR             -     -     fetch|isset     -             next       wt
 115 ISSET_ISEMPTY_DIM_OBJ         -     -     isset           -             next       wt
 116 SEND_VAL_EX                   -     num   -               -             next       t
 117 SEND_VAR                      -     num   -               -             next       wm
 118 INIT_USER_CALL                -     -     num             -             next       wtmo
 119 SEND_ARRAY                    -     -     num             -             next       wtmo
 120 SEND_USER                     -     num   -               -             next       wtmo
 121 STRLEN                        -     -     -               -             next       wt
 122 DEFINED                       -     -     -               -             next       -
 123 TYPE_CHECK                    -     -     mask            -             next       -
 124 VERIFY_RETURN_TYPE            -     -     -               op1!          next       t
 125 FE_RESET_RW                   -     jmp   -               op1           branch     wtm
 126 FE_FETCH_RW                   -     -     jmp             op2!          branch_ext wtm
 127 FE_FREE                       -     -     -               -             next       -
 128 INIT_DYNAMIC_CALL             -     -     num             -             next       wtmo
 129 DO_ICALL                      -     -     -               -             next       wtmo
 130 DO_UCALL                      -     -     -               -             next       wtmo
 131 DO_FCALL_BY_NAME              -     -     -               -             next       wtmo
 132 PRE_INC_OBJ                   this  -     -               op1           next       wtmo
 133 PRE_DEC_OBJ                   this  -     -               op1           next       wtmo
 134 POST_INC_OBJ                  this  -     -               op1           next       wtmo
 135 POST_DEC_OBJ                  this  -     -               op1           next       wtmo
 136 ECHO                          -     -     -               -             next       wto
 137 OP_DATA                       -     -     -               -             next       -
 138 INSTANCEOF                    -     class -               -             next       wt
 139 GENERATOR_CREATE              -     -     -               -             next       wtmo
 140 MAKE_REF                      -     -     -               op1           next       -
 141 DECLARE_FUNCTION              -     num   -               -             next       tm
 142 DECLARE_LAMBDA_FUNCTION       -     num   -               -             next       -
 143 DECLARE_CONST                 -     -     -               -             next       tm
 144 DECLARE_CLASS                 -     -     -               -             next       wtmo
 145 DECLARE_CLASS_DELAYED         -     -     -               -             next       wtmo
 146 DECLARE_ANON_CLASS            -     -     -               -             next       wtmo
 147 ADD_ARRAY_UNPACK              -     -     -               res+          next       wt
 148 ISSET_ISEMPTY_PROP_OBJ        this  -     isset           -             next       wtmo
 149 HANDLE_EXCEPTION              -     -     -               -             next       wtmo
 150 USER_OPCODE                   -     -     -               -             next       wtmo
 151 ASSERT_CHECK                  -     jmp   -               -             branch     wtmo
 152 JMP_SET                       -     jmp   -               -             branch     w
 153 UNSET_CV                      -     -     -               op1           next       wtm
 154 ISSET_ISEMPTY_CV              -     -     isset           -             next       -
 155 FETCH_LIST_W                  -     -     -               op1           next       wtm
 156 SEPARATE                      -     -     -               -             next       -
 157 FETCH_CLASS_NAME              class -     -               -             next       wtmo
 158 CALL_TRAMPOLINE               -     -     -               -             next       wtmo
 159 DISCARD_EXCEPTION             -     -     -               -             next       m
 160 YIELD                         -     -     src             op1?gen       next       wtmo
 161 GENERATOR_RETURN              -     -     -               -             return     wtm
 162 FAST_CALL                     jmp   -     -               -             fast_call  -
 163 FAST_RET                      -     try   -               -             fast_ret   -
 164 RECV_VARIADIC                 num   -     -               -             next       -
 165 SEND_UNPACK                   -     -     -               op1           next       wtmo
 166 YIELD_FROM                    -     -     -               -             next       wtmo
 167 COPY_TMP                      -     -     -               -             next       -
 168 BIND_GLOBAL                   -     -     -               op1           next       wtm
 169 COALESCE                      -     jmp   -               -             branch     -
 170 SPACESHIP                     -     -     -               -             next       wt
 171 FUNC_NUM_ARGS                 -     -     -               -             next       -
 172 FUNC_GET_ARGS                 -     -     -               -             next       -
 173 FETCH_STATIC_PROP_R           -     class -               -             next       wtmo
 174 FETCH_STATIC_PROP_W           -     class obj_ref|dim_write -             next       wtmo
 175 FETCH_STATIC_PROP_RW          -     class -               -             next       wtmo
 176 FETCH_STATIC_PROP_IS          -     class -               -             next       wtmo
 177 FETCH_STATIC_PROP_FUNC_ARG    -     class obj_ref         -             next       wtmo
 178 FETCH_STATIC_PROP_UNSET       -     class -               -             next       wtmo
 179 UNSET_STATIC_PROP             -     -     -               -             next       wtmo
 180 ISSET_ISEMPTY_STATIC_PROP     -     class isset           -             next       wtmo
 181 FETCH_CLASS_CONSTANT          class -     -               -             next       wtmo
 182 BIND_LEXICAL                  -     -     ref             op2?ref       next       wtmo
 183 BIND_STATIC                   -     -     ref             op1           next       wtm
 184 FETCH_THIS                    -     -     -               -             next       wtmo
 185 SEND_FUNC_ARG                 -     num   -               op1           next       wm
 186 ISSET_ISEMPTY_THIS            -     -     -               -             next       -
 187 SWITCH_LONG                   -     -     jmp             -             switch     -
 188 SWITCH_STRING                 -     -     jmp             -             switch     -
 189 IN_ARRAY                      -     -     num             -             next       -
 190 COUNT                         -     -     -               -             next       wt
 191 GET_CLASS                     -     -     -               -             next       wt
 192 GET_CALLED_CLASS              -     -     -               -             next       -
 193 GET_TYPE                      -     -     -               -             next       -
 194 ARRAY_KEY_EXISTS              -     -     -               -             next       wt
 195 MATCH                         -     -     jmp             -             match      -
 196 CASE_STRICT                   -     -     -               -             next       -
 197 MATCH_ERROR                   -     -     -               -             throw      wtn
 198 JMP_NULL                      -     jmp   -               -             branch     -
 199 CHECK_UNDEF_ARGS              -     -     -               -             next       t
 200 FETCH_GLOBALS                 -     -     -               -             next       -
 201 VERIFY_NEVER_TYPE             -     -     -               -             return     wtn
 202 CALLABLE_CONVERT              -     -     -               -             next       wtmo
 256 COPY                          -     -     -               -             next       -
 257 DUP                           -     -     -               -             next       m
 258 DROP                          -     -     -               -             next       m
 259 CATCH_ALL                     -     -     -               -             next       m
 260 CANNOT_PASS                   -     -     -               -             next       t
"""


def _parse_row(line: str) -> OpInfo:
    number, name, op1, op2, ext, writes, flow, effects = line.split()
    opcode = Opcode[name]
    if opcode != int(number):
        raise ValueError(f"opcode table: {name} has number {number}, the enumeration says {int(opcode)}")
    ext_kind, written, effect_bits = ExtKind.NONE, Writes.NONE, Effects.NONE
    if ext != "-":
        for part in ext.split("|"):
            ext_kind |= _EXT[part]
    if writes != "-":
        for part in writes.split(","):
            written |= _WRITES[part]
    if effects != "-":
        for letter in effects:
            effect_bits |= _EFFECTS[letter]
    return OpInfo(opcode, WordKind(op1), WordKind(op2), ext_kind, written, Flow(flow), effect_bits)


def _parse_table() -> list[OpInfo | None]:
    table: list[OpInfo | None] = [None] * (max(Opcode) + 1)
    for line in _TABLE.splitlines():
        if line and not line.startswith("#"):
            info = _parse_row(line)
            table[info.opcode] = info
    missing = [op.name for op in Opcode if table[op] is None]
    if missing:
        raise ValueError(f"opcode table: no row for {', '.join(missing)}")
    return table


_BY_NUMBER = _parse_table()

OPCODES: tuple[OpInfo, ...] = tuple(info for info in _BY_NUMBER if info is not None)
"""All rows in ascending opcode number."""


def op_info(opcode: int) -> OpInfo:
    """Return the row of ``opcode``. Raises KeyError for a number that PHP 8.2 does not use."""
    info = _BY_NUMBER[opcode] if 0 <= opcode < len(_BY_NUMBER) else None
    if info is None:
        raise KeyError(opcode)
    return info


QUIET_ON_UNDEF_OP1 = frozenset(
    {
        Opcode.ASSIGN,
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_REF,
        Opcode.BIND_GLOBAL,
        Opcode.BIND_STATIC,
        Opcode.COALESCE,
        Opcode.FETCH_DIM_IS,
        Opcode.FETCH_DIM_W,
        Opcode.FETCH_DIM_UNSET,
        Opcode.FETCH_OBJ_IS,
        Opcode.ISSET_ISEMPTY_CV,
        Opcode.ISSET_ISEMPTY_DIM_OBJ,
        Opcode.ISSET_ISEMPTY_PROP_OBJ,
        Opcode.MAKE_REF,
        Opcode.SEND_REF,
        Opcode.UNSET_CV,
        Opcode.UNSET_DIM,
        Opcode.FETCH_LIST_W,
        Opcode.FE_FETCH_R,
        Opcode.FE_FETCH_RW,
    }
)
"""Opcodes that read an undefined CV in op1 without PHP's "Undefined variable" warning
(zend_inference.c:zend_may_throw_ex)."""

QUIET_ON_UNDEF_OP2 = frozenset({Opcode.ASSIGN_REF, Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW})
"""The same for op2."""
