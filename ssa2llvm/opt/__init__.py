"""The pass table, the pipeline and one file a pass."""
