; A variable without value on one path: the phi's input from %entry is undef, and nobody looks at it, for %use is only
; reached when %set was. An undef input needs no copy.
;
; maybe(c, x) is x + 1 if c, else -1.
;
; expect dom: %join: idom %entry, frontier {}
; expect destruct: @maybe: 1 phi, 2 naive copies, 0 left, 0 temporaries, 0 edges split

define i32 @maybe(i1 %c, i32 %x) {
entry:
  br i1 %c, label %set, label %join

set:
  %y = add i32 %x, 1
  br label %join

join:
  %v = phi i32 [ undef, %entry ], [ %y, %set ]
  br i1 %c, label %use, label %none

use:
  ret i32 %v

none:
  ret i32 -1
}
