"""What building any graph needs: scopes, collections, placeholders, conversion, nested structures, operators."""
