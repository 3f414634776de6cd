; Fast paths that generated code calls: counting, and arithmetic and comparison on numbers and on whole values.
;
; Problem: each of these is a handful of instructions that the lowering would otherwise write out at every use. As
; always-inline functions they stand once, are read like a textbook, are verified on their own
; (opt -passes=verify), and cost generated code one line a use. Slow paths are calls into the C runtime.
;
; A number is { i64 bits, i1 is_double }; a value { i64 payload, i64 tag }, with the tags of layouts.Tag (LONG 4, DOUBLE 5,
; STRING 6 and above are counted). A negative reference count is immortal; +1 past 2^31-1 makes it so (layouts.py).
; The slow path of an operation on values is passed in by the lowering as a branch, not as a function here, because it
; needs the source line: these functions only say whether the fast path was taken.

%s2l_value = type { i64, i64 }

declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare double @llvm.fabs.f64(double)
declare i64 @s2l_double_to_long(double)
declare void @s2l_value_free(ptr, i64, i64)
declare void @s2l_string_free(ptr, ptr)

; ---- counting ------------------------------------------------------------------------------------------------------

define internal void @s2l.dup.counted(ptr %object) #10 {
  %count = load i32, ptr %object, !tbaa !8
  %immortal = icmp slt i32 %count, 0
  br i1 %immortal, label %done, label %add
add:
  %more = add i32 %count, 1
  store i32 %more, ptr %object, !tbaa !8
  br label %done
done:
  ret void
}

define internal void @s2l.drop.string(ptr %context, ptr %string) #10 {
  %count = load i32, ptr %string, !tbaa !8
  %immortal = icmp slt i32 %count, 0
  br i1 %immortal, label %done, label %subtract
subtract:
  %fewer = sub i32 %count, 1
  store i32 %fewer, ptr %string, !tbaa !8
  %dead = icmp eq i32 %fewer, 0
  br i1 %dead, label %free, label %done
free:
  call void @s2l_string_free(ptr %context, ptr %string)
  br label %done
done:
  ret void
}

define internal void @s2l.dup.value(i64 %payload, i64 %tag) #10 {
  %counted = icmp uge i64 %tag, 6
  br i1 %counted, label %count, label %done
count:
  %object = inttoptr i64 %payload to ptr
  call void @s2l.dup.counted(ptr %object)
  br label %done
done:
  ret void
}

define internal void @s2l.drop.value(ptr %context, i64 %payload, i64 %tag) #10 {
  %counted = icmp uge i64 %tag, 6
  br i1 %counted, label %count, label %done
count:
  %object = inttoptr i64 %payload to ptr
  %references = load i32, ptr %object, !tbaa !8
  %immortal = icmp slt i32 %references, 0
  br i1 %immortal, label %done, label %subtract
subtract:
  %fewer = sub i32 %references, 1
  store i32 %fewer, ptr %object, !tbaa !8
  %dead = icmp eq i32 %fewer, 0
  br i1 %dead, label %free, label %done
free:
  call void @s2l_value_free(ptr %context, i64 %payload, i64 %tag)
  br label %done
done:
  ret void
}

; ---- numbers -------------------------------------------------------------------------------------------------------

define internal double @s2l.number.to.double(i64 %bits, i1 %is_double) #10 {
  %same = bitcast i64 %bits to double
  %converted = sitofp i64 %bits to double
  %result = select i1 %is_double, double %same, double %converted
  ret double %result
}

define internal i1 @s2l.number.to.bool(i64 %bits, i1 %is_double) #10 {
  %same = bitcast i64 %bits to double
  %float_true = fcmp une double %same, 0.0
  %int_true = icmp ne i64 %bits, 0
  %result = select i1 %is_double, i1 %float_true, i1 %int_true
  ret i1 %result
}

; (int) of a float: the machine's conversion where it fits, else modulo 2^64 in C (NaN fails the comparison).
define internal i64 @s2l.double.to.long(double %number) #10 {
  %size = call double @llvm.fabs.f64(double %number)
  %fits = fcmp olt double %size, 0x43E0000000000000
  br i1 %fits, label %small, label %big, !prof !1
small:
  %converted = fptosi double %number to i64
  ret i64 %converted
big:
  %wrapped = call i64 @s2l_double_to_long(double %number)
  ret i64 %wrapped
}

define internal { i64, i1 } @s2l.number.add(i64 %a, i1 %a_double, i64 %b, i1 %b_double) #10 {
  %mixed = or i1 %a_double, %b_double
  br i1 %mixed, label %floats, label %ints
ints:
  %pair = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  %overflow = extractvalue { i64, i1 } %pair, 1
  br i1 %overflow, label %floats, label %fits, !prof !0
fits:
  %int = extractvalue { i64, i1 } %pair, 0
  br label %done
floats:
  %x = call double @s2l.number.to.double(i64 %a, i1 %a_double)
  %y = call double @s2l.number.to.double(i64 %b, i1 %b_double)
  %float = fadd double %x, %y
  %float_bits = bitcast double %float to i64
  br label %done
done:
  %bits = phi i64 [ %int, %fits ], [ %float_bits, %floats ]
  %is_double = phi i1 [ false, %fits ], [ true, %floats ]
  %half = insertvalue { i64, i1 } poison, i64 %bits, 0
  %whole = insertvalue { i64, i1 } %half, i1 %is_double, 1
  ret { i64, i1 } %whole
}

define internal { i64, i1 } @s2l.number.sub(i64 %a, i1 %a_double, i64 %b, i1 %b_double) #10 {
  %mixed = or i1 %a_double, %b_double
  br i1 %mixed, label %floats, label %ints
ints:
  %pair = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %a, i64 %b)
  %overflow = extractvalue { i64, i1 } %pair, 1
  br i1 %overflow, label %floats, label %fits, !prof !0
fits:
  %int = extractvalue { i64, i1 } %pair, 0
  br label %done
floats:
  %x = call double @s2l.number.to.double(i64 %a, i1 %a_double)
  %y = call double @s2l.number.to.double(i64 %b, i1 %b_double)
  %float = fsub double %x, %y
  %float_bits = bitcast double %float to i64
  br label %done
done:
  %bits = phi i64 [ %int, %fits ], [ %float_bits, %floats ]
  %is_double = phi i1 [ false, %fits ], [ true, %floats ]
  %half = insertvalue { i64, i1 } poison, i64 %bits, 0
  %whole = insertvalue { i64, i1 } %half, i1 %is_double, 1
  ret { i64, i1 } %whole
}

define internal { i64, i1 } @s2l.number.mul(i64 %a, i1 %a_double, i64 %b, i1 %b_double) #10 {
  %mixed = or i1 %a_double, %b_double
  br i1 %mixed, label %floats, label %ints
ints:
  %pair = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  %overflow = extractvalue { i64, i1 } %pair, 1
  br i1 %overflow, label %floats, label %fits, !prof !0
fits:
  %int = extractvalue { i64, i1 } %pair, 0
  br label %done
floats:
  %x = call double @s2l.number.to.double(i64 %a, i1 %a_double)
  %y = call double @s2l.number.to.double(i64 %b, i1 %b_double)
  %float = fmul double %x, %y
  %float_bits = bitcast double %float to i64
  br label %done
done:
  %bits = phi i64 [ %int, %fits ], [ %float_bits, %floats ]
  %is_double = phi i1 [ false, %fits ], [ true, %floats ]
  %half = insertvalue { i64, i1 } poison, i64 %bits, 0
  %whole = insertvalue { i64, i1 } %half, i1 %is_double, 1
  ret { i64, i1 } %whole
}

; a / b for b != 0: an int if both are and the quotient is exact. INT_MIN / -1 is the only int quotient that does not fit.
define internal { i64, i1 } @s2l.number.div(i64 %a, i1 %a_double, i64 %b, i1 %b_double) #10 {
  %mixed = or i1 %a_double, %b_double
  br i1 %mixed, label %floats, label %ints
ints:
  %minus_one = icmp eq i64 %b, -1
  %lowest = icmp eq i64 %a, -9223372036854775808
  %overflow = and i1 %minus_one, %lowest
  br i1 %overflow, label %floats, label %divide, !prof !0
divide:
  %rest = srem i64 %a, %b
  %exact = icmp eq i64 %rest, 0
  br i1 %exact, label %fits, label %floats
fits:
  %int = sdiv i64 %a, %b
  br label %done
floats:
  %x = call double @s2l.number.to.double(i64 %a, i1 %a_double)
  %y = call double @s2l.number.to.double(i64 %b, i1 %b_double)
  %float = fdiv double %x, %y
  %float_bits = bitcast double %float to i64
  br label %done
done:
  %bits = phi i64 [ %int, %fits ], [ %float_bits, %floats ]
  %is_double = phi i1 [ false, %fits ], [ true, %floats ]
  %half = insertvalue { i64, i1 } poison, i64 %bits, 0
  %whole = insertvalue { i64, i1 } %half, i1 %is_double, 1
  ret { i64, i1 } %whole
}

; a % b for b != 0. INT_MIN % -1 traps on x86 and is 0 in PHP.
define internal i64 @s2l.long.mod(i64 %a, i64 %b) #10 {
  %minus_one = icmp eq i64 %b, -1
  br i1 %minus_one, label %done, label %divide
divide:
  %rest = srem i64 %a, %b
  br label %done
done:
  %result = phi i64 [ 0, %0 ], [ %rest, %divide ]
  ret i64 %result
}

; Shifts by a count >= 0: 64 and more give 0, and the sign for >>.
define internal i64 @s2l.long.shift.left(i64 %a, i64 %count) #10 {
  %wide = icmp ugt i64 %count, 63
  %masked = and i64 %count, 63
  %shifted = shl i64 %a, %masked
  %result = select i1 %wide, i64 0, i64 %shifted
  ret i64 %result
}

define internal i64 @s2l.long.shift.right(i64 %a, i64 %count) #10 {
  %wide = icmp ugt i64 %count, 63
  %clamped = select i1 %wide, i64 63, i64 %count
  %result = ashr i64 %a, %clamped
  ret i64 %result
}

define internal i1 @s2l.number.equal(i64 %a, i1 %a_double, i64 %b, i1 %b_double) #10 {
  %mixed = or i1 %a_double, %b_double
  br i1 %mixed, label %floats, label %ints
ints:
  %int = icmp eq i64 %a, %b
  br label %done
floats:
  %x = call double @s2l.number.to.double(i64 %a, i1 %a_double)
  %y = call double @s2l.number.to.double(i64 %b, i1 %b_double)
  %float = fcmp oeq double %x, %y
  br label %done
done:
  %result = phi i1 [ %int, %ints ], [ %float, %floats ]
  ret i1 %result
}

define internal i1 @s2l.number.smaller(i64 %a, i1 %a_double, i64 %b, i1 %b_double) #10 {
  %mixed = or i1 %a_double, %b_double
  br i1 %mixed, label %floats, label %ints
ints:
  %int = icmp slt i64 %a, %b
  br label %done
floats:
  %x = call double @s2l.number.to.double(i64 %a, i1 %a_double)
  %y = call double @s2l.number.to.double(i64 %b, i1 %b_double)
  %float = fcmp olt double %x, %y
  br label %done
done:
  %result = phi i1 [ %int, %ints ], [ %float, %floats ]
  ret i1 %result
}

define internal i1 @s2l.number.smaller_or_equal(i64 %a, i1 %a_double, i64 %b, i1 %b_double) #10 {
  %mixed = or i1 %a_double, %b_double
  br i1 %mixed, label %floats, label %ints
ints:
  %int = icmp sle i64 %a, %b
  br label %done
floats:
  %x = call double @s2l.number.to.double(i64 %a, i1 %a_double)
  %y = call double @s2l.number.to.double(i64 %b, i1 %b_double)
  %float = fcmp ole double %x, %y
  br label %done
done:
  %result = phi i1 [ %int, %ints ], [ %float, %floats ]
  ret i1 %result
}

; <=> of doubles: -1, 0 or 1; an unordered pair gives 1, as in PHP.
define internal i64 @s2l.double.spaceship(double %a, double %b) #10 {
  %less = fcmp olt double %a, %b
  %equal = fcmp oeq double %a, %b
  %not_less = select i1 %equal, i64 0, i64 1
  %result = select i1 %less, i64 -1, i64 %not_less
  ret i64 %result
}

define internal i64 @s2l.long.spaceship(i64 %a, i64 %b) #10 {
  %less = icmp slt i64 %a, %b
  %more = icmp sgt i64 %a, %b
  %up = zext i1 %more to i64
  %result = select i1 %less, i64 -1, i64 %up
  ret i64 %result
}

; ---- values --------------------------------------------------------------------------------------------------------

; Whether both are LONG or DOUBLE: then payload and (tag == DOUBLE) are numbers.
define internal i1 @s2l.value.both_numbers(i64 %a_tag, i64 %b_tag) #10 {
  %a_low = and i64 %a_tag, -2
  %b_low = and i64 %b_tag, -2
  %a_number = icmp eq i64 %a_low, 4
  %b_number = icmp eq i64 %b_low, 4
  %both = and i1 %a_number, %b_number
  ret i1 %both
}

; Truth of anything that is not counted: null, false, 0, 0.0 and -0.0 are false.
define internal i1 @s2l.value.plain_to_bool(i64 %payload, i64 %tag) #10 {
  %is_double = icmp eq i64 %tag, 5
  %is_long = icmp eq i64 %tag, 4
  %is_true = icmp eq i64 %tag, 3
  %is_number = or i1 %is_double, %is_long
  %number = call i1 @s2l.number.to.bool(i64 %payload, i1 %is_double)
  %result = select i1 %is_number, i1 %number, i1 %is_true
  ret i1 %result
}
