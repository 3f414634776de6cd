; A name that nothing defines.
; expect-error: 6: %y is used, but nothing in @plus defines it

define i32 @plus(i32 %x) {
entry:
  %sum = add i32 %x, %y
  ret i32 %sum
}
