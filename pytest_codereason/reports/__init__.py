"""Words and ink: reports of a run, pages, comparisons, and the logs of other tools."""
