<?php
function build(int $n): string { $s = ""; for ($i = 0; $i < $n; $i++) { $s .= $i; $s .= ","; } return $s; }
echo build(12), "\n";
function twice(string $s): string { $t = $s; $s .= "!"; $s .= $s; return $s . "/" . $t; }
echo twice("ab"), " ", strlen(build(1000)), "\n";
$name = "World"; $x = 3; $f = 1.5; $n = null; $b = true;
echo "Hello {$name}s, $x $f $n $b\n", "a$x", "\n";
echo "x" . 1 . 2.5 . null . true . false . "y", "\n";
$s = "abc"; echo $s[0], $s[-1], $s[1], "\n", $s[10] ?? "none", "\n";
$u = "é\0z"; echo strlen($u), " ", bin2hex($u), "\n";
function choose(?string $s): string { return ($s ?: "empty") . "|" . ($s ?? "null"); }
echo choose(null), " ", choose(""), " ", choose("0"), " ", choose("v"), "\n";
echo strtoupper("abc"), ucfirst("xyz"), str_repeat("-", 5), substr("hello", 1, 3), strrev("abc"), strpos("hello", "l"), "\n";
printf("%05d|%-6s|%.2f|%x|%b|%'*10s\n", 42, "ab", 3.14159, 255, 5, "pad");
echo sprintf("%s %d", "5 apples", "5"), " ", number_format(1234567.891, 2), " ", trim("  x "), "\n";
$k = "z"; for ($i = 0; $i < 3; $i++) { $k++; echo $k, " "; } echo "\n";
switch ($name) { case "Moon": echo "moon"; break; case "World": echo "world"; break; default: echo "?"; } echo "\n";
echo match (true) { $x > 5 => "big", $x > 2 => "middle", default => "small" }, "\n";
