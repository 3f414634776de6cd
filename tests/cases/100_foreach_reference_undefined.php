<?php
// foreach by reference over an undefined variable warns twice and leaves it undefined.
function walk($unset) {
    $list = [1, 2];
    if ($unset) unset($list);
    foreach ($list as &$item) { $item++; }
    echo isset($list) ? "set\n" : "undefined\n";
    foreach ($list as $item) { echo $item; }
    foreach ($never as $key => &$item) { echo "never\n"; }
    var_dump($never);
}
walk(false);
walk(true);
foreach ($main as &$item) { echo "never\n"; }
var_dump($main);
