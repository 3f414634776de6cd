"""Readers and printers: zir, PHP's dump text, opcache's file cache."""
