"""From records to text."""
