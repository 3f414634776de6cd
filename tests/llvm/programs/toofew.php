<?php
function need($a, $b, $c = 1) { return $a; }
function call() { return need(1); }
echo call();
