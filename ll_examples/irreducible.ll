; An irreducible loop: %even and %odd lead to each other, and %entry leads into both. Neither dominates the other, so
; there is no header; each is in the other's dominance frontier and needs a phi.
;
; parity_steps(start_odd, n) enters at %odd or %even with n and goes to and fro, one less each time, until 0. It
; returns how often it was in %odd.
;
; expect dom: %even: idom %entry, frontier {%odd}, entered by two ways: irreducible
; expect dom: %odd: idom %entry, frontier {%even}
; expect destruct: @parity_steps: 4 phis, 12 naive copies, 2 left, 0 temporaries, 2 edges split

define i32 @parity_steps(i1 %start_odd, i32 %n) {
entry:
  br i1 %start_odd, label %odd, label %even

even:
  %left_even = phi i32 [ %n, %entry ], [ %left_after_odd, %odd ]
  %seen_even = phi i32 [ 0, %entry ], [ %seen_after_odd, %odd ]
  %left_after_even = sub nsw i32 %left_even, 1
  br label %odd

odd:
  %left_odd = phi i32 [ %n, %entry ], [ %left_after_even, %even ]
  %seen_odd = phi i32 [ 0, %entry ], [ %seen_even, %even ]
  %seen_after_odd = add nsw i32 %seen_odd, 1
  %left_after_odd = sub nsw i32 %left_odd, 1
  %more = icmp sgt i32 %left_after_odd, 0
  br i1 %more, label %even, label %exit

exit:
  ret i32 %seen_after_odd
}
