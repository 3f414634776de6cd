; %three is defined on one path only, and used where both meet.
; expect-error: 17: %three is used in %join, but defined in %then, which does not dominate %join

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
  ret i32 %three
}
