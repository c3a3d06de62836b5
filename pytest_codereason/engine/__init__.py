"""From instances to records: the window of requests, the store, retries, budgets, sharding."""
