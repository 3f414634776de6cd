; Phis that read only each other and one value from outside are that value: %p, %q and %r are all %v, though no single
; phi shows it. In @two_values one more value comes in, and they are not.
;
; one_value(v, turns) is v. two_values(v, w, turns) is v if turns is 0, else w.
;
; expect dom: %h1: idom %entry, frontier {%h1}, header of a loop at depth 1
; expect dom: %h2: idom %h1, frontier {%h1, %h2}, header of a loop at depth 2
; expect destruct: @one_value: 4 phis, 10 naive copies, 0 left, 0 temporaries, 0 edges split
; expect destruct: @two_values: 4 phis, 10 naive copies, 1 left, 0 temporaries, 0 edges split

define i32 @one_value(i32 %v, i32 %turns) {
entry:
  br label %h1

h1:
  %i = phi i32 [ %turns, %entry ], [ %less, %b1 ]
  %p = phi i32 [ %v, %entry ], [ %r, %b1 ]
  %more = icmp sgt i32 %i, 0
  br i1 %more, label %h2, label %exit

h2:
  %q = phi i32 [ %p, %h1 ], [ %q, %h2b ]
  %odd = and i32 %i, 1
  %again = icmp eq i32 %odd, 2
  br i1 %again, label %h2b, label %b1

h2b:
  br label %h2

b1:
  %r = phi i32 [ %q, %h2 ]
  %less = sub nsw i32 %i, 1
  br label %h1

exit:
  ret i32 %p
}

define i32 @two_values(i32 %v, i32 %w, i32 %turns) {
entry:
  br label %h1

h1:
  %i = phi i32 [ %turns, %entry ], [ %less, %b1 ]
  %p = phi i32 [ %v, %entry ], [ %r, %b1 ]
  %more = icmp sgt i32 %i, 0
  br i1 %more, label %h2, label %exit

h2:
  %q = phi i32 [ %p, %h1 ], [ %q, %h2b ]
  %odd = and i32 %i, 1
  %again = icmp eq i32 %odd, 2
  br i1 %again, label %h2b, label %b1

h2b:
  br label %h2

b1:
  %r = phi i32 [ %w, %h2 ]
  %less = sub nsw i32 %i, 1
  br label %h1

exit:
  ret i32 %p
}
