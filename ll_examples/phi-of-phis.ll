; A phi that reads phis: the two inner diamonds meet in the outer one. All seven names can share one location.
;
; four_way(a, b) is 1, 2, 3 or 4: 1 + b if a is false, 3 + b if it is true.
;
; expect dom: %join_low: idom %low, frontier {%join}
; expect dom: %join: idom %entry, frontier {}
; expect destruct: @four_way: 3 phis, 9 naive copies, 4 left, 0 temporaries, 2 edges split

define i32 @four_way(i1 %a, i1 %b) {
entry:
  br i1 %a, label %high, label %low

low:
  br i1 %b, label %low_set, label %join_low

low_set:
  br label %join_low

join_low:
  %one_or_two = phi i32 [ 1, %low ], [ 2, %low_set ]
  br label %join

high:
  br i1 %b, label %high_set, label %join_high

high_set:
  br label %join_high

join_high:
  %three_or_four = phi i32 [ 3, %high ], [ 4, %high_set ]
  br label %join

join:
  %v = phi i32 [ %one_or_two, %join_low ], [ %three_or_four, %join_high ]
  ret i32 %v
}
