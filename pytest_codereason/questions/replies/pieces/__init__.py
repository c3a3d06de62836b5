"""The pieces of a reply: its final text, blocks, tags, boxes, and what in them is no answer."""
