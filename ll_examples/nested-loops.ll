; Two nested loops and a sum carried through both: a phi in each header, the outer one reading the inner one's result
; and the other way round. The copies of the inner loop are the dear ones; all of them are coalesced.
;
; triangle(n) is the sum of j for all 0 <= j <= i < n.
;
; expect dom: %outer: idom %entry, frontier {%outer}, header of a loop at depth 1
; expect dom: %inner: idom %outer_body, frontier {%outer, %inner}, header of a loop at depth 2
; expect dom: %inner_body: idom %inner, frontier {%inner}, in the loop of %inner
; expect destruct: @triangle: 4 phis, 12 naive copies, 3 left, 0 temporaries, 0 edges split

define i32 @triangle(i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %next_i, %outer_latch ]
  %sum = phi i32 [ 0, %entry ], [ %inner_sum, %outer_latch ]
  %more_i = icmp slt i32 %i, %n
  br i1 %more_i, label %outer_body, label %exit

outer_body:
  br label %inner

inner:
  %j = phi i32 [ 0, %outer_body ], [ %next_j, %inner_body ]
  %inner_sum = phi i32 [ %sum, %outer_body ], [ %next_sum, %inner_body ]
  %more_j = icmp sle i32 %j, %i
  br i1 %more_j, label %inner_body, label %outer_latch

inner_body:
  %next_sum = add nsw i32 %inner_sum, %j
  %next_j = add nsw i32 %j, 1
  br label %inner

outer_latch:
  %next_i = add nsw i32 %i, 1
  br label %outer

exit:
  ret i32 %sum
}
