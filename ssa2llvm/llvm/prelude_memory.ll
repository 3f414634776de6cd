; What the other files of the prelude refer to: attributes, branch weights, and the kinds of memory (!tbaa).

attributes #10 = { alwaysinline nounwind willreturn }
attributes #11 = { nounwind willreturn }
attributes #12 = { nounwind willreturn memory(read) }

!0 = !{!"branch_weights", i32 1, i32 2000}
!1 = !{!"branch_weights", i32 2000, i32 1}
!2 = !{!"ssa2llvm memory"}
!3 = !{!4, !4, i64 0}
!4 = !{!"array header", !2, i64 0}
!5 = !{!"values", !2, i64 0}
!6 = !{!5, !5, i64 0}
!7 = !{!"reference count", !2, i64 0}
!8 = !{!7, !7, i64 0}
!9 = !{!"string header", !2, i64 0}
!10 = !{!9, !9, i64 0}
!11 = !{!"string bytes", !2, i64 0}
!12 = !{!11, !11, i64 0}
!13 = !{}
!14 = !{!"keys and guesses", !2, i64 0}
!15 = !{!14, !14, i64 0}
