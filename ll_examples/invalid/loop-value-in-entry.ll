; %next is computed in the loop, and used before the loop.
; expect-error: 6: %next is used in %entry, but defined in %body, which does not dominate %entry

define i32 @count_to(i32 %n) {
entry:
  %start = sub i32 %next, 1
  br label %head

head:
  %i = phi i32 [ %start, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %next = add nsw i32 %i, 1
  br label %head

exit:
  ret i32 %i
}
