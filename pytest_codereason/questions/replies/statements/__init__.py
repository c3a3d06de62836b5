"""The statements of a reply: assertions and sentences about the value of a call."""
