; Fast paths that write arrays: elements set and pushed, slots of elements. See prelude_arrays.ll.

declare ptr @s2l_slot_find(ptr, ptr, ptr)
declare void @s2l_array_set_long(ptr, ptr, i64, i64, i64)
declare void @s2l_slot_assign(ptr, ptr, i64, i64)

; ---- elements ------------------------------------------------------------------------------------------------------

; array[key] = value in place, of an array that nobody else counts, whose kind fits, at a key that is there: whether that
; could be done (and the value is consumed).

define internal i1 @s2l.array.put.long(ptr %array, i64 %key, i64 %value) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %references = load i32, ptr %array, !tbaa !8
  %expected = icmp eq i32 %kind, 0
  %inside = icmp ult i64 %key, %count
  %alone = icmp eq i32 %references, 1
  %fits = and i1 %expected, %inside
  %in_place = and i1 %fits, %alone
  br i1 %in_place, label %write, label %other, !prof !1
write:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i64, ptr %data, i64 %key
  store i64 %value, ptr %at, !tbaa !6
  ret i1 true
other:
  ret i1 false
}

define internal i1 @s2l.array.put.double(ptr %array, i64 %key, double %value) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %references = load i32, ptr %array, !tbaa !8
  %expected = icmp eq i32 %kind, 1
  %inside = icmp ult i64 %key, %count
  %alone = icmp eq i32 %references, 1
  %fits = and i1 %expected, %inside
  %in_place = and i1 %fits, %alone
  br i1 %in_place, label %write, label %other, !prof !1
write:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds double, ptr %data, i64 %key
  store double %value, ptr %at, !tbaa !6
  ret i1 true
other:
  ret i1 false
}

define internal i1 @s2l.array.put.bool(ptr %array, i64 %key, i1 %value) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %references = load i32, ptr %array, !tbaa !8
  %expected = icmp eq i32 %kind, 2
  %inside = icmp ult i64 %key, %count
  %alone = icmp eq i32 %references, 1
  %fits = and i1 %expected, %inside
  %in_place = and i1 %fits, %alone
  br i1 %in_place, label %write, label %other, !prof !1
write:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i8, ptr %data, i64 %key
  %byte = zext i1 %value to i8
  store i8 %byte, ptr %at, !tbaa !6
  ret i1 true
other:
  ret i1 false
}

define internal i1 @s2l.array.put.value(ptr %context, ptr %array, i64 %key, i64 %payload, i64 %tag) #10 {
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
  %is_value = icmp eq i32 %kind, 3
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
  ret i1 true
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
  ret i1 true
other:
  ret i1 false
}

; array[key] = value in any way; the array (consumed, owned again).

define internal ptr @s2l.array.set.long(ptr %context, ptr %array, i64 %key, i64 %value) #10 {
  %done = call i1 @s2l.array.put.long(ptr %array, i64 %key, i64 %value)
  br i1 %done, label %same, label %other, !prof !1
same:
  ret ptr %array
other:
  %written = call ptr @s2l.array.set.any(ptr %context, ptr %array, i64 %key, i64 %value, i64 4)
  ret ptr %written
}

define internal ptr @s2l.array.set.double(ptr %context, ptr %array, i64 %key, double %value) #10 {
  %done = call i1 @s2l.array.put.double(ptr %array, i64 %key, double %value)
  br i1 %done, label %same, label %other, !prof !1
same:
  ret ptr %array
other:
  %bits = bitcast double %value to i64
  %written = call ptr @s2l.array.set.any(ptr %context, ptr %array, i64 %key, i64 %bits, i64 5)
  ret ptr %written
}

define internal ptr @s2l.array.set.bool(ptr %context, ptr %array, i64 %key, i1 %value) #10 {
  %done = call i1 @s2l.array.put.bool(ptr %array, i64 %key, i1 %value)
  br i1 %done, label %same, label %other, !prof !1
same:
  ret ptr %array
other:
  %wide = zext i1 %value to i64
  %tag = or disjoint i64 %wide, 2
  %written = call ptr @s2l.array.set.any(ptr %context, ptr %array, i64 %key, i64 0, i64 %tag)
  ret ptr %written
}

define internal ptr @s2l.array.set.value(ptr %context, ptr %array, i64 %key, i64 %payload, i64 %tag) #10 {
  %done = call i1 @s2l.array.put.value(ptr %context, ptr %array, i64 %key, i64 %payload, i64 %tag)
  br i1 %done, label %same, label %other, !prof !1
same:
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

; array[] = value in place, if there is room and the kind fits: whether that could be done (and the value is consumed).

define internal i1 @s2l.array.push.long(ptr %array, i64 %value) #10 {
  %end = call i64 @s2l.array.room(ptr %array, i32 0)
  %able = icmp ne i64 %end, 0
  br i1 %able, label %write, label %other, !prof !1
write:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i64, ptr %data, i64 %end
  store i64 %value, ptr %at, !tbaa !6
  %more = add i64 %end, 1
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  store i64 %more, ptr %count_at, !tbaa !3
  ret i1 true
other:
  ret i1 false
}

define internal i1 @s2l.array.push.double(ptr %array, double %value) #10 {
  %end = call i64 @s2l.array.room(ptr %array, i32 1)
  %able = icmp ne i64 %end, 0
  br i1 %able, label %write, label %other, !prof !1
write:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds double, ptr %data, i64 %end
  store double %value, ptr %at, !tbaa !6
  %more = add i64 %end, 1
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  store i64 %more, ptr %count_at, !tbaa !3
  ret i1 true
other:
  ret i1 false
}

define internal i1 @s2l.array.push.bool(ptr %array, i1 %value) #10 {
  %end = call i64 @s2l.array.room(ptr %array, i32 2)
  %able = icmp ne i64 %end, 0
  br i1 %able, label %write, label %other, !prof !1
write:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i8, ptr %data, i64 %end
  %byte = zext i1 %value to i8
  store i8 %byte, ptr %at, !tbaa !6
  %more = add i64 %end, 1
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  store i64 %more, ptr %count_at, !tbaa !3
  ret i1 true
other:
  ret i1 false
}

define internal i1 @s2l.array.push.value(ptr %array, i64 %payload, i64 %tag) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %end = call i64 @s2l.array.room(ptr %array, i32 %kind)
  %able = icmp ne i64 %end, 0
  br i1 %able, label %which, label %other, !prof !1
which:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %is_value = icmp eq i32 %kind, 3
  br i1 %is_value, label %write, label %numbers
numbers:
  %wide_kind = zext i32 %kind to i64
  %kind_tag = add nuw nsw i64 %wide_kind, 4
  %same = icmp eq i64 %kind_tag, %tag
  %is_number = icmp ult i64 %tag, 6
  %fits = and i1 %same, %is_number
  br i1 %fits, label %write_number, label %other
write_number:
  %number_at = getelementptr inbounds i64, ptr %data, i64 %end
  store i64 %payload, ptr %number_at, !tbaa !6
  br label %done
write:
  %at = getelementptr inbounds %s2l_value, ptr %data, i64 %end
  %tag_at = getelementptr inbounds i8, ptr %at, i64 8
  store i64 %payload, ptr %at, !tbaa !6
  store i64 %tag, ptr %tag_at, !tbaa !6
  br label %done
done:
  %more = add i64 %end, 1
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  store i64 %more, ptr %count_at, !tbaa !3
  ret i1 true
other:
  ret i1 false
}

; Where a packed array of `wanted` kind that nobody else counts has room for one more; 0 if it has none or is empty.
define internal i64 @s2l.array.room(ptr %array, i32 %wanted) #10 {
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %capacity_at = getelementptr inbounds i8, ptr %array, i64 24
  %capacity = load i64, ptr %capacity_at, !tbaa !3
  %references = load i32, ptr %array, !tbaa !8
  %expected = icmp eq i32 %kind, %wanted
  %packed = icmp ne i32 %kind, 4
  %has_room = icmp ult i64 %count, %capacity
  %alone = icmp eq i32 %references, 1
  %able.0 = and i1 %expected, %packed
  %able.1 = and i1 %has_room, %alone
  %able = and i1 %able.0, %able.1
  %end = select i1 %able, i64 %count, i64 0
  ret i64 %end
}

; ---- literals ------------------------------------------------------------------------------------------------------

; Element number `index` of a list under construction, which has room for it and is of the kind.

define internal void @s2l.array.fill.long(ptr %array, i64 %index, i64 %value) #10 {
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i64, ptr %data, i64 %index
  store i64 %value, ptr %at, !tbaa !6
  %count = add nuw i64 %index, 1
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  store i64 %count, ptr %count_at, !tbaa !3
  ret void
}

define internal void @s2l.array.fill.double(ptr %array, i64 %index, double %value) #10 {
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds double, ptr %data, i64 %index
  store double %value, ptr %at, !tbaa !6
  %count = add nuw i64 %index, 1
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  store i64 %count, ptr %count_at, !tbaa !3
  ret void
}

define internal void @s2l.array.fill.bool(ptr %array, i64 %index, i1 %value) #10 {
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds i8, ptr %data, i64 %index
  %byte = zext i1 %value to i8
  store i8 %byte, ptr %at, !tbaa !6
  %count = add nuw i64 %index, 1
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  store i64 %count, ptr %count_at, !tbaa !3
  ret void
}

define internal void @s2l.array.fill.value(ptr %array, i64 %index, i64 %payload, i64 %tag) #10 {
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds %s2l_value, ptr %data, i64 %index
  store i64 %payload, ptr %at, !tbaa !6
  %tag_at = getelementptr inbounds i8, ptr %at, i64 8
  store i64 %tag, ptr %tag_at, !tbaa !6
  %count = add nuw i64 %index, 1
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  store i64 %count, ptr %count_at, !tbaa !3
  ret void
}

; The value of bucket number `index` of a record under construction, whose keys are there and whose values are null.
define internal void @s2l.array.fill.bucket(ptr %array, i64 %index, i64 %payload, i64 %tag) #10 {
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %at = getelementptr inbounds [32 x i8], ptr %data, i64 %index
  store i64 %payload, ptr %at, !tbaa !6
  %tag_at = getelementptr inbounds i8, ptr %at, i64 8
  store i64 %tag, ptr %tag_at, !tbaa !6
  ret void
}

; ---- containers ----------------------------------------------------------------------------------------------------

; The array that a variable or element holds (behind its reference); null if it holds none.
define internal ptr @s2l.container.array(ptr %container) #10 {
  %tag_at = getelementptr inbounds i8, ptr %container, i64 8
  %tag = load i64, ptr %tag_at, !tbaa !6
  %array = load ptr, ptr %container, !tbaa !6
  %is_array = icmp eq i64 %tag, 7
  %found = select i1 %is_array, ptr %array, ptr null
  ret ptr %found
}

; container[key], borrowed; UNDEF for one that is not there.
define internal %s2l_value @s2l.container.peek(ptr %container, i64 %key) #10 {
  %array = call ptr @s2l.container.array(ptr %container)
  %is_array = icmp ne ptr %array, null
  br i1 %is_array, label %look, label %other, !prof !1
look:
  %found = call %s2l_value @s2l.array.peek.value(ptr %array, i64 %key)
  %found.payload = extractvalue %s2l_value %found, 0
  %found.tag = extractvalue %s2l_value %found, 1
  br label %done
other:
  br label %done
done:
  %payload.done = phi i64 [ %found.payload, %look ], [ 0, %other ]
  %tag.done = phi i64 [ %found.tag, %look ], [ 0, %other ]
  %r.0 = insertvalue %s2l_value poison, i64 %payload.done, 0
  %r.1 = insertvalue %s2l_value %r.0, i64 %tag.done, 1
  ret %s2l_value %r.1
}

; The slot of container[key]: of an element that is there, of an array with slots that nobody else counts; else null.
define internal ptr @s2l.slot.long(ptr %container, i64 %key) #10 {
  %array = call ptr @s2l.container.array(ptr %container)
  %is_array = icmp ne ptr %array, null
  br i1 %is_array, label %look, label %other, !prof !1
look:
  %kind_at = getelementptr inbounds i8, ptr %array, i64 32
  %kind = load i32, ptr %kind_at, !tbaa !3
  %count_at = getelementptr inbounds i8, ptr %array, i64 8
  %count = load i64, ptr %count_at, !tbaa !3
  %references = load i32, ptr %array, !tbaa !8
  %has_slots = icmp eq i32 %kind, 3
  %inside = icmp ult i64 %key, %count
  %alone = icmp eq i32 %references, 1
  %fits = and i1 %has_slots, %inside
  %able = and i1 %fits, %alone
  br i1 %able, label %found, label %other, !prof !1
found:
  %data_at = getelementptr inbounds i8, ptr %array, i64 16
  %data = load ptr, ptr %data_at, !tbaa !3
  %slot = getelementptr inbounds %s2l_value, ptr %data, i64 %key
  ret ptr %slot
other:
  ret ptr null
}

; The same of a string that is written in the program.
define internal ptr @s2l.slot.guessed(ptr %container, ptr %key, ptr %guess) #10 {
  %array = call ptr @s2l.container.array(ptr %container)
  %is_array = icmp ne ptr %array, null
  br i1 %is_array, label %look, label %other, !prof !1
look:
  %references = load i32, ptr %array, !tbaa !8
  %alone = icmp eq i32 %references, 1
  br i1 %alone, label %try, label %other, !prof !1
try:
  %bucket = call ptr @s2l.array.guess(ptr %array, ptr %key, ptr %guess)
  %missed = icmp eq ptr %bucket, null
  br i1 %missed, label %search, label %found, !prof !0
found:
  ret ptr %bucket
search:
  %slot = call ptr @s2l_slot_find(ptr %array, ptr %key, ptr %guess)
  ret ptr %slot
other:
  ret ptr null
}

; container[key] = value where that is possible in place; whether it was.

define internal i1 @s2l.container.put.long(ptr %container, i64 %key, i64 %value) #10 {
  %array = call ptr @s2l.container.array(ptr %container)
  %is_array = icmp ne ptr %array, null
  br i1 %is_array, label %put, label %other, !prof !1
put:
  %done = call i1 @s2l.array.put.long(ptr %array, i64 %key, i64 %value)
  ret i1 %done
other:
  ret i1 false
}

define internal i1 @s2l.container.put.double(ptr %container, i64 %key, double %value) #10 {
  %array = call ptr @s2l.container.array(ptr %container)
  %is_array = icmp ne ptr %array, null
  br i1 %is_array, label %put, label %other, !prof !1
put:
  %done = call i1 @s2l.array.put.double(ptr %array, i64 %key, double %value)
  ret i1 %done
other:
  ret i1 false
}

define internal i1 @s2l.container.put.bool(ptr %container, i64 %key, i1 %value) #10 {
  %array = call ptr @s2l.container.array(ptr %container)
  %is_array = icmp ne ptr %array, null
  br i1 %is_array, label %put, label %other, !prof !1
put:
  %done = call i1 @s2l.array.put.bool(ptr %array, i64 %key, i1 %value)
  ret i1 %done
other:
  ret i1 false
}

define internal i1 @s2l.container.put.value(ptr %context, ptr %container, i64 %key, i64 %payload, i64 %tag) #10 {
  %array = call ptr @s2l.container.array(ptr %container)
  %is_array = icmp ne ptr %array, null
  br i1 %is_array, label %put, label %other, !prof !1
put:
  %done = call i1 @s2l.array.put.value(ptr %context, ptr %array, i64 %key, i64 %payload, i64 %tag)
  ret i1 %done
other:
  ret i1 false
}

; slot = value (consumed).
define internal void @s2l.slot.assign(ptr %context, ptr %slot, i64 %payload, i64 %tag) #10 {
  %tag_at = getelementptr inbounds i8, ptr %slot, i64 8
  %old = load i64, ptr %tag_at, !tbaa !6
  %counted = icmp uge i64 %old, 6
  br i1 %counted, label %other, label %write, !prof !0
write:
  store i64 %payload, ptr %slot, !tbaa !6
  store i64 %tag, ptr %tag_at, !tbaa !6
  ret void
other:
  call void @s2l_slot_assign(ptr %context, ptr %slot, i64 %payload, i64 %tag)
  ret void
}
