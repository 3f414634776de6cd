; All phis of a block read at once, on the edge that was taken. So they come first, before anything is executed.
; expect-error: 18: phi %y stands after %sum, which is no phi

define i32 @pair(i32 %c) {
entry:
  %taken = icmp ne i32 %c, 0
  br i1 %taken, label %then, label %else

then:
  br label %join

else:
  br label %join

join:
  %x = phi i32 [ 3, %then ], [ 2, %else ]
  %sum = add i32 %x, 1
  %y = phi i32 [ 5, %then ], [ 7, %else ]
  %z = add i32 %sum, %y
  ret i32 %z
}
