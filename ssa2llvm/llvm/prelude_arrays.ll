; Fast paths of arrays: elements read, one step of foreach. See prelude.ll.
;
; The header's words cannot be changed by a store to an element (!tbaa), so that LLVM may keep them in registers in a loop
; that writes elements. What is not the usual case goes to C. Pairs are put together in one last block: LLVM follows the
; halves through a phi, but not a pair.
;
; layouts.ARRAY: refcount 0, count 8, data 16, capacity 24, element_kind 32, used 48. layouts.BUCKET: payload 0, tag 8,
; string 24; 32 bytes. ArrayKind: long 0, double 1, bool 2, value 3, hash 4; a bool is a byte.

declare %s2l_value @s2l_array_find_long(ptr, i64) #12
declare %s2l_value @s2l_array_find_string(ptr, ptr) #12
declare %s2l_value @s2l_array_find_guessed(ptr, ptr, ptr)
declare zeroext i1 @s2l_array_next(ptr, ptr, ptr, ptr)

; ---- reading -------------------------------------------------------------------------------------------------------

; array[key], borrowed, with its tag; UNDEF for one that is not there. The name says which kind is tried inline.

; Element number `key` of packed bools.
define internal %s2l_value @s2l.array.bool(ptr %data, i64 %key) #10 {
  %at = getelementptr inbounds i8, ptr %data, i64 %key
  %byte = load i8, ptr %at, !tbaa !6
  %bit = trunc i8 %byte to i1
  %wide = zext i1 %bit to i64
  %tag = or disjoint i64 %wide, 2
  %found = insertvalue %s2l_value zeroinitializer, i64 %tag, 1
  ret %s2l_value %found
}

define internal %s2l_value @s2l.array.peek.long(ptr %array, i64 %key) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %expected = icmp eq i32 %kind, 0
  br i1 %expected, label %packed, label %other, !prof !1
packed:
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %inside = icmp ult i64 %key, %count
  br i1 %inside, label %read, label %missing, !prof !1
read:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i64, ptr %data, i64 %key
  %payload = load i64, ptr %at, !tbaa !6
  br label %done
missing:
  br label %done
other:
  %found = call %s2l_value @s2l_array_find_long(ptr %array, i64 %key)
  %found.payload = extractvalue %s2l_value %found, 0
  %found.tag = extractvalue %s2l_value %found, 1
  br label %done
done:
  %payload.done = phi i64 [ %payload, %read ], [ 0, %missing ], [ %found.payload, %other ]
  %tag.done = phi i64 [ 4, %read ], [ 0, %missing ], [ %found.tag, %other ]
  %r.0 = insertvalue %s2l_value poison, i64 %payload.done, 0
  %r.1 = insertvalue %s2l_value %r.0, i64 %tag.done, 1
  ret %s2l_value %r.1
}

define internal %s2l_value @s2l.array.peek.double(ptr %array, i64 %key) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %expected = icmp eq i32 %kind, 1
  br i1 %expected, label %packed, label %other, !prof !1
packed:
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %inside = icmp ult i64 %key, %count
  br i1 %inside, label %read, label %missing, !prof !1
read:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i64, ptr %data, i64 %key
  %payload = load i64, ptr %at, !tbaa !6
  br label %done
missing:
  br label %done
other:
  %found = call %s2l_value @s2l_array_find_long(ptr %array, i64 %key)
  %found.payload = extractvalue %s2l_value %found, 0
  %found.tag = extractvalue %s2l_value %found, 1
  br label %done
done:
  %payload.done = phi i64 [ %payload, %read ], [ 0, %missing ], [ %found.payload, %other ]
  %tag.done = phi i64 [ 5, %read ], [ 0, %missing ], [ %found.tag, %other ]
  %r.0 = insertvalue %s2l_value poison, i64 %payload.done, 0
  %r.1 = insertvalue %s2l_value %r.0, i64 %tag.done, 1
  ret %s2l_value %r.1
}

define internal %s2l_value @s2l.array.peek.bool(ptr %array, i64 %key) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %expected = icmp eq i32 %kind, 2
  br i1 %expected, label %packed, label %other, !prof !1
packed:
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %inside = icmp ult i64 %key, %count
  br i1 %inside, label %read, label %missing, !prof !1
read:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %hit = call %s2l_value @s2l.array.bool(ptr %data, i64 %key)
  %hit.payload = extractvalue %s2l_value %hit, 0
  %hit.tag = extractvalue %s2l_value %hit, 1
  br label %done
missing:
  br label %done
other:
  %found = call %s2l_value @s2l_array_find_long(ptr %array, i64 %key)
  %found.payload = extractvalue %s2l_value %found, 0
  %found.tag = extractvalue %s2l_value %found, 1
  br label %done
done:
  %payload.done = phi i64 [ %hit.payload, %read ], [ 0, %missing ], [ %found.payload, %other ]
  %tag.done = phi i64 [ %hit.tag, %read ], [ 0, %missing ], [ %found.tag, %other ]
  %r.0 = insertvalue %s2l_value poison, i64 %payload.done, 0
  %r.1 = insertvalue %s2l_value %r.0, i64 %tag.done, 1
  ret %s2l_value %r.1
}

define internal %s2l_value @s2l.array.peek.value(ptr %array, i64 %key) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %is_hash = icmp eq i32 %kind, 4
  br i1 %is_hash, label %other, label %packed, !prof !0
packed:
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %inside = icmp ult i64 %key, %count
  br i1 %inside, label %read, label %missing, !prof !1
read:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  switch i32 %kind, label %any [ i32 0, label %number i32 1, label %number i32 2, label %bool ]
number:
  %is_double = icmp eq i32 %kind, 1
  %tag.number = select i1 %is_double, i64 5, i64 4
  %number_at = getelementptr inbounds i64, ptr %data, i64 %key
  %bits = load i64, ptr %number_at, !tbaa !6
  br label %done
bool:
  %truth = call %s2l_value @s2l.array.bool(ptr %data, i64 %key)
  %truth.payload = extractvalue %s2l_value %truth, 0
  %truth.tag = extractvalue %s2l_value %truth, 1
  br label %done
any:
  %at = getelementptr inbounds %s2l_value, ptr %data, i64 %key
  %payload = load i64, ptr %at, !tbaa !6
  %tag_at = getelementptr inbounds i8, ptr %at, i64 8
  %tag = load i64, ptr %tag_at, !tbaa !6
  %is_reference = icmp eq i64 %tag, 10
  br i1 %is_reference, label %other, label %plain, !prof !0
plain:
  br label %done
missing:
  br label %done
other:
  %found = call %s2l_value @s2l_array_find_long(ptr %array, i64 %key)
  %found.payload = extractvalue %s2l_value %found, 0
  %found.tag = extractvalue %s2l_value %found, 1
  br label %done
done:
  %payload.done = phi i64 [ %bits, %number ], [ %truth.payload, %bool ], [ %payload, %plain ], [ 0, %missing ], [ %found.payload, %other ]
  %tag.done = phi i64 [ %tag.number, %number ], [ %truth.tag, %bool ], [ %tag, %plain ], [ 0, %missing ], [ %found.tag, %other ]
  %r.0 = insertvalue %s2l_value poison, i64 %payload.done, 0
  %r.1 = insertvalue %s2l_value %r.0, i64 %tag.done, 1
  ret %s2l_value %r.1
}

define internal %s2l_value @s2l.array.peek.string(ptr %array, ptr %key) #10 {
  %found = call %s2l_value @s2l_array_find_string(ptr %array, ptr %key)
  ret %s2l_value %found
}

; The bucket of a hash where `key`, a string that is written in the program, was last time; null if it is not there.
define internal ptr @s2l.array.guess(ptr %array, ptr %key, ptr %guess) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %used_at = getelementptr inbounds i8, ptr %array, i64 48
  %used = load i64, ptr %used_at, !tbaa !3
  %position = load i64, ptr %guess, !tbaa !15
  %is_hash = icmp eq i32 %kind, 4
  %inside = icmp ult i64 %position, %used
  %sensible = and i1 %is_hash, %inside
  br i1 %sensible, label %look, label %other, !prof !1
look:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %bucket = getelementptr inbounds [32 x i8], ptr %data, i64 %position
  %string_at = getelementptr inbounds i8, ptr %bucket, i64 24
  %string = load ptr, ptr %string_at, !tbaa !15
  %same = icmp eq ptr %string, %key
  br i1 %same, label %found, label %other, !prof !1
found:
  ret ptr %bucket
other:
  ret ptr null
}

define internal %s2l_value @s2l.array.peek.guessed(ptr %array, ptr %key, ptr %guess) #10 {
  %bucket = call ptr @s2l.array.guess(ptr %array, ptr %key, ptr %guess)
  %missed = icmp eq ptr %bucket, null
  br i1 %missed, label %other, label %read, !prof !0
read:
  %payload = load i64, ptr %bucket, !tbaa !6
  %tag_at = getelementptr inbounds i8, ptr %bucket, i64 8
  %tag = load i64, ptr %tag_at, !tbaa !6
  %is_reference = icmp eq i64 %tag, 10
  br i1 %is_reference, label %other, label %plain, !prof !0
plain:
  br label %done
other:
  %found = call %s2l_value @s2l_array_find_guessed(ptr %array, ptr %key, ptr %guess)
  %found.payload = extractvalue %s2l_value %found, 0
  %found.tag = extractvalue %s2l_value %found, 1
  br label %done
done:
  %payload.done = phi i64 [ %payload, %plain ], [ %found.payload, %other ]
  %tag.done = phi i64 [ %tag, %plain ], [ %found.tag, %other ]
  %r.0 = insertvalue %s2l_value poison, i64 %payload.done, 0
  %r.1 = insertvalue %s2l_value %r.0, i64 %tag.done, 1
  ret %s2l_value %r.1
}

; ---- foreach -------------------------------------------------------------------------------------------------------

; One step of foreach: the next position (-1 at the end), key and value, owned.
define internal { i64, i64, i64, i64, i64 } @s2l.array.next(ptr %array, i64 %position, i1 %wants_key) #10 {
  %key_slot = alloca %s2l_value
  %value_slot = alloca %s2l_value
  %position_slot = alloca i64
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %is_hash = icmp eq i32 %kind, 4
  br i1 %is_hash, label %buckets, label %packed
packed:
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %inside = icmp ult i64 %position, %count
  br i1 %inside, label %element, label %end
element:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %following = add nuw nsw i64 %position, 1
  switch i32 %kind, label %any [ i32 0, label %number i32 1, label %number i32 2, label %bool ]
number:
  %is_double = icmp eq i32 %kind, 1
  %number_tag = select i1 %is_double, i64 5, i64 4
  %number_at = getelementptr inbounds i64, ptr %data, i64 %position
  %bits = load i64, ptr %number_at, !tbaa !6
  br label %found
bool:
  %truth = call %s2l_value @s2l.array.bool(ptr %data, i64 %position)
  %truth_tag = extractvalue %s2l_value %truth, 1
  br label %found
any:
  %value_at = getelementptr inbounds %s2l_value, ptr %data, i64 %position
  %value_tag_at = getelementptr inbounds i8, ptr %value_at, i64 8
  %value_payload = load i64, ptr %value_at, !tbaa !6
  %value_tag = load i64, ptr %value_tag_at, !tbaa !6
  %is_reference = icmp eq i64 %value_tag, 10
  br i1 %is_reference, label %hash, label %plain, !prof !0
plain:
  call void @s2l.dup.value(i64 %value_payload, i64 %value_tag)
  br label %found
buckets:
  %used_at = getelementptr inbounds i8, ptr %array, i64 48
  %used = load i64, ptr %used_at, !tbaa !3
  %is_bucket = icmp ult i64 %position, %used
  br i1 %is_bucket, label %bucket, label %end
bucket:
  %buckets_at = getelementptr inbounds i8, ptr %array, i64 16
  %all = load ptr, ptr %buckets_at, !tbaa !3
  %at = getelementptr inbounds [32 x i8], ptr %all, i64 %position
  %bucket_tag_at = getelementptr inbounds i8, ptr %at, i64 8
  %bucket_tag = load i64, ptr %bucket_tag_at, !tbaa !6
  %is_removed = icmp eq i64 %bucket_tag, 0
  %holds_reference = icmp eq i64 %bucket_tag, 10
  %unusual = or i1 %is_removed, %holds_reference
  br i1 %unusual, label %hash, label %usual, !prof !0
usual:
  %bucket_value = load i64, ptr %at, !tbaa !6
  %number_key_at = getelementptr inbounds i8, ptr %at, i64 16
  %number_key = load i64, ptr %number_key_at, !tbaa !15
  %string_at = getelementptr inbounds i8, ptr %at, i64 24
  %string = load ptr, ptr %string_at, !tbaa !15
  %is_number = icmp eq ptr %string, null
  %string_bits = ptrtoint ptr %string to i64
  %bucket_key = select i1 %is_number, i64 %number_key, i64 %string_bits
  %bucket_key_tag = select i1 %is_number, i64 4, i64 6
  %behind = add nuw nsw i64 %position, 1
  call void @s2l.dup.value(i64 %bucket_value, i64 %bucket_tag)
  br i1 %wants_key, label %count_bucket_key, label %found
count_bucket_key:
  call void @s2l.dup.value(i64 %bucket_key, i64 %bucket_key_tag)
  br label %found
hash:
  store i64 %position, ptr %position_slot
  %more = call zeroext i1 @s2l_array_next(ptr %array, ptr %position_slot, ptr %key_slot, ptr %value_slot)
  br i1 %more, label %copy, label %end
copy:
  %after = load i64, ptr %position_slot
  %hash_key = load i64, ptr %key_slot
  %key_tag_at = getelementptr inbounds i8, ptr %key_slot, i64 8
  %hash_key_tag = load i64, ptr %key_tag_at
  %hash_value = load i64, ptr %value_slot
  %hash_value_tag_at = getelementptr inbounds i8, ptr %value_slot, i64 8
  %hash_value_tag = load i64, ptr %hash_value_tag_at
  call void @s2l.dup.value(i64 %hash_value, i64 %hash_value_tag)
  br i1 %wants_key, label %count_key, label %found
count_key:
  call void @s2l.dup.value(i64 %hash_key, i64 %hash_key_tag)
  br label %found
end:
  br label %found
found:
  %next = phi i64 [ %behind, %usual ], [ %behind, %count_bucket_key ], [ %following, %number ], [ %following, %bool ], [ %following, %plain ], [ %after, %copy ], [ %after, %count_key ], [ -1, %end ]
  %key = phi i64 [ %bucket_key, %usual ], [ %bucket_key, %count_bucket_key ], [ %position, %number ], [ %position, %bool ], [ %position, %plain ], [ %hash_key, %copy ], [ %hash_key, %count_key ], [ 0, %end ]
  %key_tag = phi i64 [ %bucket_key_tag, %usual ], [ %bucket_key_tag, %count_bucket_key ], [ 4, %number ], [ 4, %bool ], [ 4, %plain ], [ %hash_key_tag, %copy ], [ %hash_key_tag, %count_key ], [ 0, %end ]
  %value = phi i64 [ %bucket_value, %usual ], [ %bucket_value, %count_bucket_key ], [ %bits, %number ], [ 0, %bool ], [ %value_payload, %plain ], [ %hash_value, %copy ], [ %hash_value, %count_key ], [ 0, %end ]
  %tag = phi i64 [ %bucket_tag, %usual ], [ %bucket_tag, %count_bucket_key ], [ %number_tag, %number ], [ %truth_tag, %bool ], [ %value_tag, %plain ], [ %hash_value_tag, %copy ], [ %hash_value_tag, %count_key ], [ 0, %end ]
  %r.0 = insertvalue { i64, i64, i64, i64, i64 } poison, i64 %next, 0
  %r.1 = insertvalue { i64, i64, i64, i64, i64 } %r.0, i64 %key, 1
  %r.2 = insertvalue { i64, i64, i64, i64, i64 } %r.1, i64 %key_tag, 2
  %r.3 = insertvalue { i64, i64, i64, i64, i64 } %r.2, i64 %value, 3
  %r.4 = insertvalue { i64, i64, i64, i64, i64 } %r.3, i64 %tag, 4
  ret { i64, i64, i64, i64, i64 } %r.4
}
