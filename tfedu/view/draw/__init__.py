"""From records to pictures: SVG, DOT and HTML."""
