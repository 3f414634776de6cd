; Two edges come from %entry to %join. Which of them was taken cannot be told in %join, so both inputs must be alike.
; expect-error: 10: phi %x has different inputs, 1 and 2, for the edges from %entry

define i32 @choose(i1 %c) {
entry:
  br i1 %c, label %join, label %join

join:
  ; no block of its own is behind either edge: %c is true and %c is false come the same way
  %x = phi i32 [ 1, %entry ], [ 2, %entry ]
  ret i32 %x
}
