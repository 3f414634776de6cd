; Within one block, a value is defined before it is used.
; expect-error: 6: %double is used before line 7 defines it

define i32 @twice(i32 %n) {
entry:
  %result = add i32 %double, 1
  %double = add i32 %n, %n
  ret i32 %result
}
