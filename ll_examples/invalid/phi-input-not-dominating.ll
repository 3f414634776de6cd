; A phi input must be defined on every path to the end of its predecessor. %three is defined in %then only,
; and there is no path from %then to the end of %else.
; expect-error: 18: phi %x reads %three on the edge from %else, but %three is defined in %then, which does not dominate %else

define i32 @choose(i32 %c) {
entry:
  %taken = icmp ne i32 %c, 0
  br i1 %taken, label %then, label %else

then:
  %three = add i32 1, 2
  br label %join

else:
  br label %join

join:
  %x = phi i32 [ 3, %then ], [ %three, %else ]
  ret i32 %x
}
