"""Which class names mean a known class while a file is being compiled
(Zend/Optimizer/zend_optimizer.c:zend_optimizer_get_class_entry).

``$x instanceof C`` says something only if C is PHP's own, a class of the same file that PHP declares early (one without
a DECLARE_CLASS of its own), or the class that the function belongs to.
"""

from __future__ import annotations

from ssa2llvm.ir.literals import Literal
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ir.opcode import Opcode

_INTERNAL_NAMES = """
AllowDynamicProperties AppendIterator ArgumentCountError ArithmeticError ArrayAccess ArrayIterator ArrayObject
AssertionError Attribute BackedEnum BadFunctionCallException BadMethodCallException CachingIterator
CallbackFilterIterator ClosedGeneratorException Closure CompileError Countable DateInterval DatePeriod
DateTime DateTimeImmutable DateTimeInterface DateTimeZone DeflateContext Directory DirectoryIterator
DivisionByZeroError DomainException EmptyIterator Error ErrorException Exception Fiber FiberError
FilesystemIterator FilterIterator Generator GlobIterator HashContext InfiniteIterator InflateContext
InternalIterator InvalidArgumentException Iterator IteratorAggregate IteratorIterator JsonException
JsonSerializable LengthException LibXMLError LimitIterator LogicException MultipleIterator NoRewindIterator
OpenSSLAsymmetricKey OpenSSLCertificate OpenSSLCertificateSigningRequest OutOfBoundsException
OutOfRangeException OuterIterator OverflowException ParentIterator ParseError Random\\BrokenRandomEngineError
Random\\CryptoSafeEngine Random\\Engine Random\\Engine\\Mt19937 Random\\Engine\\PcgOneseq128XslRr64
Random\\Engine\\Secure Random\\Engine\\Xoshiro256StarStar Random\\RandomError Random\\RandomException
Random\\Randomizer RangeException RecursiveArrayIterator RecursiveCachingIterator
RecursiveCallbackFilterIterator RecursiveDirectoryIterator RecursiveFilterIterator RecursiveIterator
RecursiveIteratorIterator RecursiveRegexIterator RecursiveTreeIterator Reflection ReflectionAttribute
ReflectionClass ReflectionClassConstant ReflectionEnum ReflectionEnumBackedCase ReflectionEnumUnitCase
ReflectionException ReflectionExtension ReflectionFiber ReflectionFunction ReflectionFunctionAbstract
ReflectionGenerator ReflectionIntersectionType ReflectionMethod ReflectionNamedType ReflectionObject
ReflectionParameter ReflectionProperty ReflectionReference ReflectionType ReflectionUnionType
ReflectionZendExtension Reflector RegexIterator ReturnTypeWillChange RuntimeException SeekableIterator
SensitiveParameter SensitiveParameterValue Serializable SessionHandler SessionHandlerInterface
SessionIdInterface SessionUpdateTimestampHandlerInterface SodiumException SplDoublyLinkedList SplFileInfo
SplFileObject SplFixedArray SplHeap SplMaxHeap SplMinHeap SplObjectStorage SplObserver SplPriorityQueue
SplQueue SplStack SplSubject SplTempFileObject Stringable Throwable Traversable TypeError UnderflowException
UnexpectedValueException UnhandledMatchError UnitEnum ValueError WeakMap WeakReference __PHP_Incomplete_Class
php_user_filter stdClass
"""
"""Classes and interfaces of PHP 8.2 as Debian builds it, with no shared extension loaded."""

_INTERNAL = {name.lower(): name for name in _INTERNAL_NAMES.split()}

_DECLARING = frozenset({Opcode.DECLARE_CLASS, Opcode.DECLARE_CLASS_DELAYED})


class ClassNames:
    """The classes known to one function."""

    def __init__(self, op_array: OpArray, early_bound: dict[str, str] | None = None) -> None:
        """``early_bound`` maps lower-case names to names, see ``early_bound_classes``."""
        self._own = {op_array.scope.lower(): op_array.scope} if op_array.scope is not None else {}
        self._early_bound = early_bound or {}

    def resolve(self, literal: Literal) -> str | None:
        """The name, as declared, of the class that ``literal`` names; None if it is not known."""
        if not isinstance(literal, bytes):
            return None
        key = literal.decode("utf-8", "surrogateescape").lstrip("\\").lower()
        return self._early_bound.get(key) or _INTERNAL.get(key) or self._own.get(key)


def early_bound_classes(script: Script) -> dict[str, str]:
    """The classes of ``script`` that exist before its first instruction runs: lower-case name to name."""
    declared_late = {
        value.lower()
        for op_array in script.op_arrays()
        for op in op_array.ops
        if op.opcode in _DECLARING and op.op1.is_const
        for value in [op_array.literal(op.op1)]
        if isinstance(value, bytes)
    }
    return {
        cls.name.lower(): cls.name
        for cls in script.classes
        if cls.name.encode("utf-8", "surrogateescape").lower() not in declared_late
    }
