; A phi must have one input for each edge into its block. %join is reached from %then and from %else.
; expect-error: 16: phi %x in %join has no input for predecessor %else

define i32 @choose(i32 %c) {
entry:
  %taken = icmp ne i32 %c, 0
  br i1 %taken, label %then, label %else

then:
  br label %join

else:
  br label %join

join:
  %x = phi i32 [ 3, %then ]
  ret i32 %x
}
