"""Numbers computed from records: metrics, differences, averages, and what may be claimed of them."""
