"""Makes the programs of the source ``horizon``: as many executed steps as one wants, each of which is needed."""
