; A critical edge outside of any loop: %entry has two successors and %join two predecessors. The constant that the phi
; receives on that edge can be written neither in %entry (it would be wrong on the way to %then) nor in %join (wrong on
; the way from %then).
;
; clamp(x) is x, but at least 0.
;
; expect dom: %join: idom %entry, frontier {}
; expect dom: %then: idom %entry, frontier {%join}
; expect destruct: @clamp: 1 phi, 3 naive copies, 1 left, 0 temporaries, 1 edge split

define i32 @clamp(i32 %x) {
entry:
  %negative = icmp slt i32 %x, 0
  br i1 %negative, label %join, label %then

then:
  br label %join

join:
  %clamped = phi i32 [ 0, %entry ], [ %x, %then ]
  ret i32 %clamped
}
