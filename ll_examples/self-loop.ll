; A loop of one block: %loop is its own predecessor, its own successor, and in its own dominance frontier (it dominates
; its predecessor %loop, but not itself strictly). So a value that it changes needs a phi in the very block that changes
; it, and the phi's copy stands at the end of the block whose head it is.
;
; power_of_two_above(n) doubles 1 until it is more than n.
;
; expect dom: %loop: idom %entry, frontier {%loop}, header of a loop at depth 1
; expect destruct: @power_of_two_above: 1 phi, 3 naive copies, 1 left, 0 temporaries, 0 edges split

define i32 @power_of_two_above(i32 %n) {
entry:
  br label %loop

loop:
  %x = phi i32 [ 1, %entry ], [ %double, %loop ]
  %double = add i32 %x, %x
  %more = icmp sle i32 %double, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %double
}
