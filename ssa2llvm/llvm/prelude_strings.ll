; Fast paths of strings: one byte read, appended, written or compared. See prelude.ll.
;
; layouts.STRING: refcount 0, hash 8, length 16, capacity 24, bytes from 32 on. layouts.CONTEXT: byte_strings 56, the
; immortal strings of one byte, 40 bytes each. Bytes are another kind of memory than lengths (!tbaa), so that a loop that
; writes the one keeps the other in registers. Every string ends in a NUL that does not count.

declare ptr @s2l_string_append(ptr, ptr, ptr)
declare zeroext i1 @s2l_string_is_identical(ptr, ptr) #12

; string[offset], immortal; null where the offset is negative or too large.
define internal ptr @s2l.string.at(ptr %context, ptr %string, i64 %offset) #10 {
  %length_at = getelementptr inbounds i8, ptr %string, i64 16
  %length = load i64, ptr %length_at, !tbaa !10
  %inside = icmp ult i64 %offset, %length
  br i1 %inside, label %read, label %outside, !prof !1
read:
  %bytes = getelementptr inbounds i8, ptr %string, i64 32
  %byte_at = getelementptr inbounds i8, ptr %bytes, i64 %offset
  %byte = load i8, ptr %byte_at, !tbaa !12
  %number = zext i8 %byte to i64
  %found = call ptr @s2l.string.of.byte(ptr %context, i64 %number)
  ret ptr %found
outside:
  ret ptr null
}

; chr() of 0..255.
define internal ptr @s2l.string.of.byte(ptr %context, i64 %byte) #10 {
  %table_at = getelementptr inbounds i8, ptr %context, i64 56
  %table = load ptr, ptr %table_at, !invariant.load !13
  %found = getelementptr inbounds [40 x i8], ptr %table, i64 %byte
  ret ptr %found
}

; ord(): the first byte, 0 of the empty string.
define internal i64 @s2l.string.first(ptr %string) #10 {
  %bytes = getelementptr inbounds i8, ptr %string, i64 32
  %byte = load i8, ptr %bytes, !tbaa !12
  %number = zext i8 %byte to i64
  ret i64 %number
}

; left (consumed) . right (borrowed), owned: one byte behind a string that nobody else counts and that has room for it.
define internal ptr @s2l.string.append(ptr %context, ptr %left, ptr %right) #10 {
  %right_length_at = getelementptr inbounds i8, ptr %right, i64 16
  %right_length = load i64, ptr %right_length_at, !tbaa !10
  %length_at = getelementptr inbounds i8, ptr %left, i64 16
  %length = load i64, ptr %length_at, !tbaa !10
  %capacity_at = getelementptr inbounds i8, ptr %left, i64 24
  %capacity = load i64, ptr %capacity_at, !tbaa !10
  %references = load i32, ptr %left, !tbaa !8
  %is_byte = icmp eq i64 %right_length, 1
  %alone = icmp eq i32 %references, 1
  %has_room = icmp ult i64 %length, %capacity
  %able = and i1 %alone, %has_room
  %in_place = and i1 %able, %is_byte
  br i1 %in_place, label %write, label %other
write:
  %from = getelementptr inbounds i8, ptr %right, i64 32
  %byte = load i8, ptr %from, !tbaa !12
  %bytes = getelementptr inbounds i8, ptr %left, i64 32
  %at = getelementptr inbounds i8, ptr %bytes, i64 %length
  store i8 %byte, ptr %at, !tbaa !12
  %more = add nuw i64 %length, 1
  %end = getelementptr inbounds i8, ptr %bytes, i64 %more
  store i8 0, ptr %end, !tbaa !12
  store i64 %more, ptr %length_at, !tbaa !10
  %hash_at = getelementptr inbounds i8, ptr %left, i64 8
  store i64 0, ptr %hash_at, !tbaa !10
  ret ptr %left
other:
  %appended = call ptr @s2l_string_append(ptr %context, ptr %left, ptr %right)
  ret ptr %appended
}

; left === right. Most strings that differ do so in length or in their first byte.
define internal i1 @s2l.string.identical(ptr %left, ptr %right) #10 {
  %same = icmp eq ptr %left, %right
  br i1 %same, label %yes, label %lengths
lengths:
  %left_length_at = getelementptr inbounds i8, ptr %left, i64 16
  %left_length = load i64, ptr %left_length_at, !tbaa !10
  %right_length_at = getelementptr inbounds i8, ptr %right, i64 16
  %right_length = load i64, ptr %right_length_at, !tbaa !10
  %left_first = call i64 @s2l.string.first(ptr %left)
  %right_first = call i64 @s2l.string.first(ptr %right)
  %as_long = icmp eq i64 %left_length, %right_length
  %alike = icmp eq i64 %left_first, %right_first
  %likely = and i1 %as_long, %alike
  br i1 %likely, label %rest, label %no
rest:
  %short = icmp ult i64 %left_length, 2
  br i1 %short, label %yes, label %compare
compare:
  %identical = call zeroext i1 @s2l_string_is_identical(ptr %left, ptr %right)
  ret i1 %identical
yes:
  ret i1 true
no:
  ret i1 false
}

; string === a string of the one byte (0..255).
define internal i1 @s2l.string.is.byte(ptr %string, i64 %byte) #10 {
  %length_at = getelementptr inbounds i8, ptr %string, i64 16
  %length = load i64, ptr %length_at, !tbaa !10
  %first = call i64 @s2l.string.first(ptr %string)
  %short = icmp eq i64 %length, 1
  %alike = icmp eq i64 %first, %byte
  %result = and i1 %short, %alike
  ret i1 %result
}

; string < and <= a string of the one byte, which is none of a number's and not 0. The empty string's first byte is 0.
define internal i1 @s2l.string.below.byte(ptr %string, i64 %byte) #10 {
  %first = call i64 @s2l.string.first(ptr %string)
  %result = icmp ult i64 %first, %byte
  ret i1 %result
}

define internal i1 @s2l.string.upto.byte(ptr %string, i64 %byte) #10 {
  %below = call i1 @s2l.string.below.byte(ptr %string, i64 %byte)
  %is = call i1 @s2l.string.is.byte(ptr %string, i64 %byte)
  %result = or i1 %below, %is
  ret i1 %result
}
