"""Everything that answers a question: endpoints, weights on this machine, stored replies, baselines."""
