"""From the syntax tree to op arrays, instruction for instruction as Zend/zend_compile.c does it.

One family of constructs a file, each a table from node class to function; ``script`` joins the tables.
``compiler`` holds the state that all of them share.
"""
