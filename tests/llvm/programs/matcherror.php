<?php
function pick($x) { return match ($x) { 1, 2 => "low", "3" => "three" }; }
echo pick(1), pick("3"), "\n";
echo pick(2.0);
