; A branch to a block that does not exist.
; expect-error: 6: branch to %nowhere, which is no block of @jump

define void @jump() {
entry:
  br label %nowhere
}
