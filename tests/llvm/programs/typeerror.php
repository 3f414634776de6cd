<?php
declare(strict_types=1);
function half(int $n): float { return $n / 2; }
function label(string $s): string { return "<" . $s . ">"; }
echo half(5), " ", label("x"), "\n";
echo label(5);
