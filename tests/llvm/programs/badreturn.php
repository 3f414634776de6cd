<?php
function number(string $s): int { return $s; }
echo number("12"), "\n";
echo number("twelve");
