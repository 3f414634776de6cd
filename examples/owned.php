<?php
function greet(string $name): string {
    $text = "Hello, " . $name;
    echo $text;
    return $text;
}
greet("you");
