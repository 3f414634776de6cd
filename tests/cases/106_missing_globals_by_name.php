<?php
// Globals that are missing where they are written by name are named as such.
function f() { $GLOBALS['u'] .= 'a'; } f(); var_dump($u);
function g() { $GLOBALS['w']++; echo $GLOBALS['zz']; } g(); var_dump($w);
function h() { $GLOBALS['arr'][1] .= 'x'; } h(); print_r($arr);
