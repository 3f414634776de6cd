; Fast paths of arrays: elements read, written and pushed, one step of foreach. See prelude.ll.
;
; An element of a packed array, owned; UNDEF for one that is not there. A hash is asked in C. The header's words cannot be
; changed by a store to an element (!tbaa), so that LLVM may keep them in registers in a loop that writes elements.
;
; layouts.ARRAY: refcount 0, count 8, data 16, capacity 24, element_kind 32. ArrayKind: long 0, double 1, value 2, hash 3.

declare %s2l_value @s2l_array_find_long(ptr, i64)
declare %s2l_value @s2l_array_find_string(ptr, ptr)
declare void @s2l_array_set_long(ptr, ptr, i64, i64, i64)
declare zeroext i1 @s2l_array_next(ptr, ptr, ptr, ptr)

define internal %s2l_value @s2l.array.get.long(ptr %array, i64 %key) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %is_long = icmp eq i32 %kind, 0
  br i1 %is_long, label %packed, label %other, !prof !1
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
  %hit.0 = insertvalue %s2l_value poison, i64 %payload, 0
  %hit = insertvalue %s2l_value %hit.0, i64 4, 1
  ret %s2l_value %hit
missing:
  ret %s2l_value zeroinitializer
other:
  %found = call %s2l_value @s2l.array.get.any(ptr %array, i64 %key)
  ret %s2l_value %found
}

define internal %s2l_value @s2l.array.get.double(ptr %array, i64 %key) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %is_double = icmp eq i32 %kind, 1
  br i1 %is_double, label %packed, label %other, !prof !1
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
  %hit.0 = insertvalue %s2l_value poison, i64 %payload, 0
  %hit = insertvalue %s2l_value %hit.0, i64 5, 1
  ret %s2l_value %hit
missing:
  ret %s2l_value zeroinitializer
other:
  %found = call %s2l_value @s2l.array.get.any(ptr %array, i64 %key)
  ret %s2l_value %found
}

define internal %s2l_value @s2l.array.get.value(ptr %array, i64 %key) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %is_hash = icmp eq i32 %kind, 3
  br i1 %is_hash, label %other, label %packed
packed:
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %inside = icmp ult i64 %key, %count
  br i1 %inside, label %read, label %missing, !prof !1
read:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %is_value = icmp eq i32 %kind, 2
  br i1 %is_value, label %any, label %number
number:
  %number_at = getelementptr inbounds i64, ptr %data, i64 %key
  %bits = load i64, ptr %number_at, !tbaa !6
  %wide_kind = zext i32 %kind to i64
  %number_tag = add nuw nsw i64 %wide_kind, 4
  %n.0 = insertvalue %s2l_value poison, i64 %bits, 0
  %n.1 = insertvalue %s2l_value %n.0, i64 %number_tag, 1
  ret %s2l_value %n.1
any:
  %at = getelementptr inbounds %s2l_value, ptr %data, i64 %key
  %payload = load i64, ptr %at, !tbaa !6
  %tag_at = getelementptr inbounds i8, ptr %at, i64 8
  %tag = load i64, ptr %tag_at, !tbaa !6
  %is_reference = icmp eq i64 %tag, 10
  br i1 %is_reference, label %other, label %plain, !prof !0
plain:
  call void @s2l.dup.value(i64 %payload, i64 %tag)
  %hit.0 = insertvalue %s2l_value poison, i64 %payload, 0
  %hit = insertvalue %s2l_value %hit.0, i64 %tag, 1
  ret %s2l_value %hit
missing:
  ret %s2l_value zeroinitializer
other:
  %found = call %s2l_value @s2l.array.get.any(ptr %array, i64 %key)
  ret %s2l_value %found
}

define internal %s2l_value @s2l.array.get.any(ptr %array, i64 %key) #11 {
  %found = call %s2l_value @s2l_array_find_long(ptr %array, i64 %key)
  %payload = extractvalue %s2l_value %found, 0
  %tag = extractvalue %s2l_value %found, 1
  call void @s2l.dup.value(i64 %payload, i64 %tag)
  ret %s2l_value %found
}

define internal %s2l_value @s2l.array.get.string(ptr %array, ptr %key) #11 {
  %found = call %s2l_value @s2l_array_find_string(ptr %array, ptr %key)
  %payload = extractvalue %s2l_value %found, 0
  %tag = extractvalue %s2l_value %found, 1
  call void @s2l.dup.value(i64 %payload, i64 %tag)
  ret %s2l_value %found
}

; array[key] = an int: in place in an array of ints that nobody else counts; the array (consumed, owned again).
define internal ptr @s2l.array.set.long(ptr %context, ptr %array, i64 %key, i64 %number) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %references = load i32, ptr %array, !tbaa !8
  %is_long = icmp eq i32 %kind, 0
  %inside = icmp ult i64 %key, %count
  %alone = icmp eq i32 %references, 1
  %fits = and i1 %is_long, %inside
  %in_place = and i1 %fits, %alone
  br i1 %in_place, label %write, label %other, !prof !1
write:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i64, ptr %data, i64 %key
  store i64 %number, ptr %at, !tbaa !6
  ret ptr %array
other:
  %written = call ptr @s2l.array.set.any(ptr %context, ptr %array, i64 %key, i64 %number, i64 4)
  ret ptr %written
}

define internal ptr @s2l.array.set.double(ptr %context, ptr %array, i64 %key, double %number) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %references = load i32, ptr %array, !tbaa !8
  %is_double = icmp eq i32 %kind, 1
  %inside = icmp ult i64 %key, %count
  %alone = icmp eq i32 %references, 1
  %fits = and i1 %is_double, %inside
  %in_place = and i1 %fits, %alone
  %bits = bitcast double %number to i64
  br i1 %in_place, label %write, label %other, !prof !1
write:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i64, ptr %data, i64 %key
  store i64 %bits, ptr %at, !tbaa !6
  ret ptr %array
other:
  %written = call ptr @s2l.array.set.any(ptr %context, ptr %array, i64 %key, i64 %bits, i64 5)
  ret ptr %written
}

; The same for any value (consumed): a number into an array of its kind, anything into one of values. A slot that holds a
; reference is written in C.
define internal ptr @s2l.array.set.value(ptr %context, ptr %array, i64 %key, i64 %payload, i64 %tag) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %references = load i32, ptr %array, !tbaa !8
  %inside = icmp ult i64 %key, %count
  %alone = icmp eq i32 %references, 1
  %able = and i1 %inside, %alone
  br i1 %able, label %which, label %other, !prof !1
which:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %is_value = icmp eq i32 %kind, 2
  br i1 %is_value, label %look, label %numbers
numbers:
  %wide_kind = zext i32 %kind to i64
  %kind_tag = add nuw nsw i64 %wide_kind, 4
  %same = icmp eq i64 %kind_tag, %tag
  %is_number = icmp ult i64 %tag, 6
  %fits = and i1 %same, %is_number
  br i1 %fits, label %write_number, label %other
write_number:
  %number_at = getelementptr inbounds i64, ptr %data, i64 %key
  store i64 %payload, ptr %number_at, !tbaa !6
  ret ptr %array
look:
  %at = getelementptr inbounds %s2l_value, ptr %data, i64 %key
  %tag_at = getelementptr inbounds i8, ptr %at, i64 8
  %old_payload = load i64, ptr %at, !tbaa !6
  %old_tag = load i64, ptr %tag_at, !tbaa !6
  %is_reference = icmp eq i64 %old_tag, 10
  br i1 %is_reference, label %other, label %write, !prof !0
write:
  store i64 %payload, ptr %at, !tbaa !6
  store i64 %tag, ptr %tag_at, !tbaa !6
  call void @s2l.drop.value(ptr %context, i64 %old_payload, i64 %old_tag)
  ret ptr %array
other:
  %written = call ptr @s2l.array.set.any(ptr %context, ptr %array, i64 %key, i64 %payload, i64 %tag)
  ret ptr %written
}

define internal ptr @s2l.array.set.any(ptr %context, ptr %array, i64 %key, i64 %payload, i64 %tag) #11 {
  %variable = alloca ptr
  store ptr %array, ptr %variable
  call void @s2l_array_set_long(ptr %context, ptr %variable, i64 %key, i64 %payload, i64 %tag)
  %written = load ptr, ptr %variable
  ret ptr %written
}

; array[] = an int: in place if there is room; null, with nothing done, if the runtime must do it.
define internal ptr @s2l.array.push.long(ptr %context, ptr %array, i64 %number) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %is_long = icmp eq i32 %kind, 0
  %pushed = call ptr @s2l.array.push.bits(ptr %array, i1 %is_long, i64 %number)
  ret ptr %pushed
}

define internal ptr @s2l.array.push.double(ptr %context, ptr %array, double %number) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %is_double = icmp eq i32 %kind, 1
  %bits = bitcast double %number to i64
  %pushed = call ptr @s2l.array.push.bits(ptr %array, i1 %is_double, i64 %bits)
  ret ptr %pushed
}

define internal ptr @s2l.array.push.bits(ptr %array, i1 %fits, i64 %bits) #10 {
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %capacity_at = getelementptr inbounds i8, ptr %array, i64 24
  %capacity = load i64, ptr %capacity_at, !tbaa !3
  %references = load i32, ptr %array, !tbaa !8
  %has_room = icmp ult i64 %count, %capacity
  %not_first = icmp ne i64 %count, 0
  %alone = icmp eq i32 %references, 1
  %able.0 = and i1 %has_room, %not_first
  %able.1 = and i1 %able.0, %alone
  %in_place = and i1 %able.1, %fits
  br i1 %in_place, label %write, label %other, !prof !1
write:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i64, ptr %data, i64 %count
  store i64 %bits, ptr %at, !tbaa !6
  %more = add i64 %count, 1
  store i64 %more, ptr %count_at, !tbaa !3
  ret ptr %array
other:
  ret ptr null
}

; One step of foreach: the next position (-1 at the end), key and value, owned.
define internal { i64, i64, i64, i64, i64 } @s2l.array.next(ptr %array, i64 %position, i1 %wants_key) #10 {
  %key_slot = alloca %s2l_value
  %value_slot = alloca %s2l_value
  %position_slot = alloca i64
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %is_hash = icmp eq i32 %kind, 3
  br i1 %is_hash, label %hash, label %packed
packed:
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %inside = icmp ult i64 %position, %count
  br i1 %inside, label %element, label %end
element:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %following = add nuw nsw i64 %position, 1
  %is_value = icmp eq i32 %kind, 2
  br i1 %is_value, label %any, label %number
number:
  %number_at = getelementptr inbounds i64, ptr %data, i64 %position
  %bits = load i64, ptr %number_at, !tbaa !6
  %is_double = zext i32 %kind to i64
  %number_tag = add nuw nsw i64 %is_double, 4
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
  ret { i64, i64, i64, i64, i64 } { i64 -1, i64 0, i64 0, i64 0, i64 0 }
found:
  %next = phi i64 [ %following, %number ], [ %following, %plain ], [ %after, %copy ], [ %after, %count_key ]
  %key = phi i64 [ %position, %number ], [ %position, %plain ], [ %hash_key, %copy ], [ %hash_key, %count_key ]
  %key_tag = phi i64 [ 4, %number ], [ 4, %plain ], [ %hash_key_tag, %copy ], [ %hash_key_tag, %count_key ]
  %value = phi i64 [ %bits, %number ], [ %value_payload, %plain ], [ %hash_value, %copy ], [ %hash_value, %count_key ]
  %tag = phi i64 [ %number_tag, %number ], [ %value_tag, %plain ], [ %hash_value_tag, %copy ], [ %hash_value_tag, %count_key ]
  %r.0 = insertvalue { i64, i64, i64, i64, i64 } poison, i64 %next, 0
  %r.1 = insertvalue { i64, i64, i64, i64, i64 } %r.0, i64 %key, 1
  %r.2 = insertvalue { i64, i64, i64, i64, i64 } %r.1, i64 %key_tag, 2
  %r.3 = insertvalue { i64, i64, i64, i64, i64 } %r.2, i64 %value, 3
  %r.4 = insertvalue { i64, i64, i64, i64, i64 } %r.3, i64 %tag, 4
  ret { i64, i64, i64, i64, i64 } %r.4
}
