; A phi input names a block from which no edge comes: %entry does not branch to %join.
; expect-error: 16: phi %x in %join has an input for %entry, which is not a predecessor

define i32 @choose(i32 %c) {
entry:
  %taken = icmp ne i32 %c, 0
  br i1 %taken, label %then, label %else

then:
  br label %join

else:
  br label %join

join:
  %x = phi i32 [ 3, %then ], [ 2, %else ], [ 1, %entry ]
  ret i32 %x
}
