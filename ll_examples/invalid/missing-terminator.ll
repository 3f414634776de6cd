; Every block ends with a terminator: control does not fall from one block into the next.
; expect-error: 10: block %then ends without a terminator

define i32 @choose(i32 %c) {
entry:
  %taken = icmp ne i32 %c, 0
  br i1 %taken, label %then, label %join

then:
  %three = add i32 1, 2

join:
  ret i32 2
}
