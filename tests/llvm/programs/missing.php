<?php
function start() { echo "before\n"; return nowhere(strlen("x")); }
start();
