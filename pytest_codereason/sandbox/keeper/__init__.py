"""The keeper, the process between pytest and the jobs. It imports the standard library and this folder only."""
