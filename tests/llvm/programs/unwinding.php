<?php
// What an error leaves on its way: arrays of loops, a silenced expression, a catch of another class, a finally.
function inner(array $list, string $word): string {
    foreach ($list as $item) {
        foreach ([[$item], [$word . "!"]] as $pair) {
            try {
                try {
                    $made = [$word . "?", $pair];
                    if ($item === 2) { throw new RuntimeException("two " . $pair[0]); }
                    if ($item === 3) { return $word . count($made); }
                    echo $item, $made[0], "\n";
                } catch (LogicException $e) {
                    echo "never\n";
                } catch (TypeError $e) {
                    echo "never\n";
                }
            } finally {
                echo "finally $item\n";
            }
        }
    }
    return "end";
}
function quiet(array $a) { return @($a["missing"] . $undefined . fail($a)); }
function fail(array $a) { return $a["also missing"] . intdiv(1, 0); }
foreach ([[1, 2], [3], [[]]] as $list) {
    try {
        echo inner($list, "word"), "\n";
    } catch (Exception $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}
try {
    quiet([1]);
} catch (DivisionByZeroError $e) {
    echo $e->getMessage(), "\n";
}
echo $heard;
function replaced(array $a) {
    foreach ($a as $k => $v) {
        try {
            throw new LogicException("first " . $v);
        } finally {
            if ($k === "return") { return "returned"; }
            if ($k === "throw") { throw new RuntimeException("second " . $v); }
        }
    }
    return "behind";
}
foreach (["return", "throw", "nothing"] as $how) {
    try {
        echo replaced([$how => $how . "!"]), "\n";
    } catch (Exception $e) {
        do { echo get_class($e), ": ", $e->getMessage(), "\n"; } while ($e = $e->getPrevious());
    }
}
function ring() {
    $first = new LogicException("first");
    $second = new LogicException("second", 2, $first);
    for ($i = 0; $i < 3; $i++) {
        try {
            try { throw [$first, $second, $first][$i]; } finally { throw [$second, $first, $first][$i]; }
        } catch (LogicException $e) {
            echo $e->getMessage(), " caused by ", $e->getPrevious() === null ? "nothing" : "something", "\n";
        }
        try {
            try {
                try { throw new LogicException("a" . $i); } finally { throw new LogicException("b" . $i); }
            } finally {
                try { throw new RuntimeException("caught inside"); } catch (RuntimeException $e) { }
                echo @fail([new LogicException("silenced")]);
            }
        } catch (Throwable $e) {
            do { echo get_class($e), ": ", $e->getMessage(), "\n"; } while ($e = $e->getPrevious());
        }
    }
}
ring();
function leaves(array $a) {
    foreach ($a as $v) {
        try {
            try { $kept = [$v . "x"]; exit($v === "go" ? 0 : 1); } finally { echo "never\n"; }
        } catch (Exception $e) {
            echo "never\n";
        }
    }
}
leaves(["go"]);
