; The lost copy problem (Briggs et al. 1998): the edge back to %loop brings the next value of %x, but on the way out the
; old value is still wanted. A copy at the end of %loop, before its branch, would overwrite it; the edge is critical
; (%loop has another successor, and another predecessor) and must be split.
;
; last_below(n) counts 1, 2, 3 … and returns the value of x before the turn that reached n.
;
; expect dom: %loop: idom %entry, frontier {%loop}, header of a loop at depth 1
; expect destruct: @last_below: 1 phi, 3 naive copies, 2 left, 0 temporaries, 1 edge split

define i32 @last_below(i32 %n) {
entry:
  br label %loop

loop:
  %x = phi i32 [ 1, %entry ], [ %next, %loop ]
  %next = add nsw i32 %x, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %x
}
