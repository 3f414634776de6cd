; Single assignment: a name is defined once.
; expect-error: 7: %x is defined a second time; it was defined in line 6

define i32 @twice(i32 %n) {
entry:
  %x = add i32 %n, 1
  %x = add i32 %n, 2
  ret i32 %x
}
