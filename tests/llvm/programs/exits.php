<?php
function leave($s) { $local = $s . "!"; if (strlen($local) > 3) { exit(strlen($local)); } return $local; }
echo leave("a"), "\n";
echo leave("long"), "\n";
