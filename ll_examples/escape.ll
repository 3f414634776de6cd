; Stack slots: which are variables, and which are memory. A slot whose address does nothing but be loaded from and
; stored to becomes an SSA value; one whose address gets away, or that is accessed in part or as volatile, must stay.
;
; larger(x, y) is the larger one; counted(n) is n, counted by somebody else through a pointer; low_byte(x) is x modulo
; 256 on a machine that stores the low byte first; twice(x) is 2*x, read twice from a volatile slot.
;
; expect construct: @larger: %best promoted, 1 phi in %join
; expect construct: @counted: %i promoted, 1 phi in %head
; expect construct: @counted: %total left in memory: its address is used by the call in line 51
; expect construct: @low_byte: %word left in memory: line 65 accesses it as i8, but it is i32
; expect construct: @twice: %shared left in memory: the store in line 73 is volatile

define i32 @larger(i32 %x, i32 %y) {
entry:
  %best = alloca i32
  store i32 %x, ptr %best
  %less = icmp slt i32 %x, %y
  br i1 %less, label %take_y, label %join

take_y:
  store i32 %y, ptr %best
  br label %join

join:
  %result = load i32, ptr %best
  ret i32 %result
}

define internal void @increment(ptr %where) noinline {
entry:
  %old = load i32, ptr %where
  %new = add nsw i32 %old, 1
  store i32 %new, ptr %where
  ret void
}

define i32 @counted(i32 %n) {
entry:
  %i = alloca i32
  %total = alloca i32
  store i32 0, ptr %i
  store i32 0, ptr %total
  br label %head

head:
  %now = load i32, ptr %i
  %more = icmp slt i32 %now, %n
  br i1 %more, label %body, label %exit

body:
  call void @increment(ptr %total)
  %next = add nsw i32 %now, 1
  store i32 %next, ptr %i
  br label %head

exit:
  %result = load i32, ptr %total
  ret i32 %result
}

define i32 @low_byte(i32 %x) {
entry:
  %word = alloca i32
  store i32 %x, ptr %word
  %byte = load i8, ptr %word
  %wide = zext i8 %byte to i32
  ret i32 %wide
}

define i32 @twice(i32 %x) {
entry:
  %shared = alloca i32
  store volatile i32 %x, ptr %shared
  %one = load volatile i32, ptr %shared
  %two = load volatile i32, ptr %shared
  %sum = add i32 %one, %two
  ret i32 %sum
}
