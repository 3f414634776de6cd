; Two functions in SSA form, by hand: the diamond and the loop.
;
; choose(c) is 3 if c is not zero, else 2.  Two definitions meet in one phi.
; count_to(n) counts from 0 up to n and returns the count: 0 for n <= 0.  The phi's second input comes from below.
;
; c_drivers/ssa-main.c calls both.
;
; expect dom: %join: idom %entry, frontier {}
; expect dom: %head: idom %entry, frontier {%head}, header of a loop at depth 1
; expect destruct: @choose: 1 phi, 3 naive copies, 0 left, 0 temporaries, 0 edges split
; expect destruct: @count_to: 1 phi, 3 naive copies, 1 left, 0 temporaries, 0 edges split

define i64 @choose(i64 %c) {
entry:
  %taken = icmp ne i64 %c, 0
  br i1 %taken, label %then, label %else

then:
  %three = add i64 1, 2
  br label %join

else:
  %two = add i64 1, 1
  br label %join

join:
  %x = phi i64 [ %three, %then ], [ %two, %else ]
  ret i64 %x
}

define i64 @count_to(i64 %n) {
entry:
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %next = add nsw i64 %i, 1
  br label %head

exit:
  ret i64 %i
}
