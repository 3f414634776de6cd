; The swap problem (Briggs, Cooper, Harvey, Simpson 1998): %a and %b exchange their values each turn. Both phis read
; before either is written; done one after the other, the copies "b <- a, a <- b" would lose a value. They are a cycle
; that no copy leaves, which takes one temporary.
;
; swap_turns(n, x, y) is 10*a + b after n exchanges of a = x and b = y.
;
; expect dom: %head: idom %entry, frontier {%head}, header of a loop at depth 1
; expect destruct: @swap_turns: 3 phis, 9 naive copies, 3 left, 1 temporary, 0 edges split

define i32 @swap_turns(i32 %n, i32 %x, i32 %y) {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a = phi i32 [ %x, %entry ], [ %b, %body ]
  %b = phi i32 [ %y, %entry ], [ %a, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %next = add nsw i32 %i, 1
  br label %head

exit:
  %tens = mul i32 %a, 10
  %both = add i32 %tens, %b
  ret i32 %both
}
