; Copies that form a cycle with tails: each turn, (a, b) = (b, a), c = old a, d = old b. Once c has received a, the
; value is in two places, so the cycle can read it from c: four copies and no temporary. (A cycle alone takes one.)
;
; tails(n) starts from a, b, c, d = 1, 2, 3, 4 and returns the digits abcd after n turns.
;
; expect dom: %head: idom %entry, frontier {%head}, header of a loop at depth 1
; expect destruct: @tails: 5 phis, 15 naive copies, 9 left, 0 temporaries, 0 edges split

define i32 @tails(i32 %n) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a = phi i32 [ 1, %entry ], [ %b, %body ]
  %b = phi i32 [ 2, %entry ], [ %a, %body ]
  %c = phi i32 [ 3, %entry ], [ %a, %body ]
  %d = phi i32 [ 4, %entry ], [ %b, %body ]
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
  ret i32 %abcd
}
