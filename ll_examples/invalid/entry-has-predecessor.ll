; The entry block is entered from outside. As a loop head it would need a phi input for "outside", which is no block.
; expect-error: 6: branch to the entry block %head

define void @spin(i1 %c) {
head:
  br i1 %c, label %head, label %exit

exit:
  ret void
}
