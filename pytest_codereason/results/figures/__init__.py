"""The figures of the studies as typed data: one figure a file. Reporters put them into words and draw them."""
