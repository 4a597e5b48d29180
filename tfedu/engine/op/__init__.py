"""What an op is: its definition, how a call becomes a node, inference, conversion of values, and the text of its errors."""
