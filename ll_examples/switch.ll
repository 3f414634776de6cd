; Repeated edges: four edges lead from %entry to %join. A phi has an input for each of them, all alike, for in %join
; nobody can tell which one was taken. Splitting makes one block for the four.
;
; pick(x, k) is k, but 10*k if x is 3.
;
; expect dom: %join: idom %entry, frontier {}
; expect destruct: @pick: 1 phi, 3 naive copies, 0 left, 0 temporaries, 0 edges split
; expect destruct: @pick_seven: 1 phi, 3 naive copies, 1 left, 0 temporaries, 1 edge split

define i32 @pick(i32 %x, i32 %k) {
entry:
  switch i32 %x, label %join [
    i32 1, label %join
    i32 2, label %join
    i32 3, label %times_ten
    i32 4, label %join
  ]

times_ten:
  %more = mul i32 %k, 10
  br label %join

join:
  %v = phi i32 [ %k, %entry ], [ %k, %entry ], [ %k, %entry ], [ %k, %entry ], [ %more, %times_ten ]
  ret i32 %v
}

; The same with a constant, which has to be written somewhere: 7, but 10*k if x is 3.
define i32 @pick_seven(i32 %x, i32 %k) {
entry:
  switch i32 %x, label %join [
    i32 1, label %join
    i32 2, label %join
    i32 3, label %times_ten
    i32 4, label %join
  ]

times_ten:
  %more = mul i32 %k, 10
  br label %join

join:
  %v = phi i32 [ 7, %entry ], [ 7, %entry ], [ 7, %entry ], [ 7, %entry ], [ %more, %times_ten ]
  ret i32 %v
}
