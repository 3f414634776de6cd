; Two cycles in the copies of one edge: (a, b) = (b, a) and (c, d, e) = (d, e, c). Each is broken with a temporary; as
; the first is finished before the second begins, both can park their value in one place.
;
; two_cycles(n) starts from a, b, c, d, e = 1, 2, 3, 4, 5 and returns the digits abcde after n turns.
;
; expect dom: %head: idom %entry, frontier {%head}, header of a loop at depth 1
; expect destruct: @two_cycles: 6 phis, 18 naive copies, 11 left, 2 temporaries, 0 edges split

define i32 @two_cycles(i32 %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a = phi i32 [ 1, %entry ], [ %b, %body ]
  %b = phi i32 [ 2, %entry ], [ %a, %body ]
  %c = phi i32 [ 3, %entry ], [ %d, %body ]
  %d = phi i32 [ 4, %entry ], [ %e, %body ]
  %e = phi i32 [ 5, %entry ], [ %c, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %next = add nsw i32 %i, 1
  br label %head

exit:
  %a10 = mul i32 %a, 10
  %ab = add i32 %a10, %b
  %ab10 = mul i32 %ab, 10
  %abc = add i32 %ab10, %c
  %abc10 = mul i32 %abc, 10
  %abcd = add i32 %abc10, %d
  %abcd10 = mul i32 %abcd, 10
  %abcde = add i32 %abcd10, %e
  ret i32 %abcde
}
