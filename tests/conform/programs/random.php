<?php
function f0(int $n, ?int $a) {
    $i = 0; $b = 10;
    if (!$b) {
        do {
            if ($n - 255 === $i) { break; }
            $n = $x[$a] ?? $o->p ?? $a;
            if (is_object($i)) { return $d; }
        } while ($n);
        while (true === $i) {
            $j = $d << $d;
        }
        $b = $a ?: 5;
    }
    while ($a-- != 1000 + $n) {
        $d = $c . $b;
        if (true !== $a) { break; }
    }
    $d = $i;
    if (!is_array($a)) { return 3; }
    for ($j = $j; $j; ++$j) {
    }
}
function f1($n, $a = null) {
    $i = 0; $b = 10;
    $a--;
    $c = match ($j) { 0, 1 => $b, 2 => 3, 5, 7, 9 => -1, 3 => 0, 4 => 1, default => 11 };
    for ($i = 3; $d++; $i++) {
        ++$i;
        $b = $o?->p?->q($d);
    }
L0:
    $x[] = PHP_INT_MIN;
    $j = (++$d) ? -1 : $j;
    if (!is_string($j)) {
        switch ($d) {
            default:
            $b = match ($a) { 0, 1 => $c, 2 => 64, 5, 7, 9 => 1,  };
            case 3:
            case 10:
            $c = match ($i) { 0, 1 => -8, 2 => $a, 5, 7, 9 => $b, 3 => $j, 4 => 1, default => 11 };
            case -2:
            while (!$a) {
                $d += -1;
                $i -= $c;
            }
            break;
            case 11:
            break;
            case 1:
            case -1:
            break;
            case 2:
            break;
        }
    } else {
    }
L1:
L2:
    return $c | -8;
}
function f2($n) {
    do {
        $j = $d & $n;
        for ($i = 5; $n >= $d++; $i--) {
            echo $j . 1000;
        }
        ++$a;
        $c = $b | -1;
    } while ($d);
    $j = (is_float($a)) ? PHP_INT_MIN : $d;
    $b = ($j === true) ? 2 : $c;
L0:
    for ($j = 1000; (1000 + $a <=> 0) > 0 && $j < 7; $j--) {
    }
    $n = $i - $i;
    if ($n-- === $c--) {
        echo $n;
    } else {
        $c = match ($b) { 0, 1 => $b, 2 => $i, 5, 7, 9 => 3, 3 => $a, 4 => $n,  };
    }
L1:
    while ($a-- == --$c) {
    }
L2:
    return $n ^ 10;
}
function f3($n) {
    $i = 0; $b = 10;
    if ($c) {
    }
    while ($a) {
        if ($a++) {
            for ($i = $j; $d - PHP_INT_MIN >= $c--; $i--) {
                while (--$c) {
                    $n = -8;
                }
                if ($c <= 100) { return 100; }
            }
        } else {
            foreach ($x as $c) {
                if ($j instanceof \Countable) {
                }
            }
        }
        $d .= 64;
        if (is_resource($b)) {
            do {
                if (null !== $c) { goto L0; }
                break 2;
            } while ($j === -1);
        } elseif (--$a) {
        } elseif ($c) {
        } elseif ($n++ != $n) {
        } elseif (--$d != --$j) {
        } else {
        }
    }
L0:
    return ($n++) ? $a : $a;
}
function f4($n) {
    $i = 0; $b = 10;
    if ($n) { goto L2; }
    $a[1][2] = $c;
    $a++;
L0:
    switch ($n) {
        default:
        $d--;
        case 'k10':
        do {
        } while (++$d && $d--);
        break;
        case 'k1':
        if ($i) { break; }
        break;
        case 'k-3':
        switch ($d) {
            case 4:
            break;
            case 9:
            $o->p = $a; $o->q->r[] = $b; $o->n++;
            case -1:
            break;
            case 1:
            switch ($b + $c) {
                case 9:
                foreach ($x as $v) {
                    $d = 255;
                }
                break;
            }
            $x[0] = 0;
            break;
            case 0:
            $c ^= -PHP_INT_MAX;
            break;
            case 5:
            break;
            case 2:
            break;
            default:
        }
        break;
        case 'k9':
        break;
        case 'k-2':
        break;
        case 'k6':
        break;
        case 'k5':
        break;
    }
L1:
L2:
    return $b + $i;
}
