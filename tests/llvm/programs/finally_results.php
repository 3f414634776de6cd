<?php
// Values to be returned wait while a finally runs; an error frees them when they are half made.
function fails($m) { throw new Exception($m); }
function maybe($i) { if ($i < 3) { fails("i$i"); } return "[$i]"; }
function half_made() {
    try {
        return new Exception("outer", 5, fails("inner"));
    } catch (LogicException $e) {
        return 1;
    } finally {
        echo "finally\n";
    }
}
function nested($a) {
    foreach ([1, 2, 3, 4] as $i) {
        try {
            try {
                if ($i == 4) { return [$a, maybe($i)]; }
                maybe($i);
            } finally {
                try { throw new Exception("q"); } catch (Exception $e) { echo $e->getMessage(); }
                if ($i == 3) {
                    try {
                        return ["x$i", $a . maybe($i)];
                    } finally {
                        try { fails("z"); } catch (Exception $e) { echo "n"; }
                    }
                }
            }
        } catch (Exception $e) {
            echo "L$i";
        }
    }
}
function first_or_second($how) {
    try {
        return [$how . "!", maybe($how)];
    } catch (TypeError | LogicException $e) {
        return [get_class($e)];
    } catch (RuntimeException | Exception $e) {
        return [$how . "?", maybe($how + 1)];
    } finally {
        if ($how == 9) { throw new Exception("nine"); }
        echo "f$how\n";
    }
}
try { half_made(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
print_r(nested("A"));
foreach ([1, 2, 3, 9] as $how) {
    try { echo implode(" ", first_or_second($how)), "\n"; } catch (Exception $e) { echo $e->getMessage(), "\n"; }
}
function never_left($d) {
    try {
        try {
            if ($d) { goto behind; }
        } finally {
            return "returned";
        }
    } finally {
        echo "outer ";
    }
behind:
    return "behind";
}
echo never_left(1), never_left(0), "\n";
