"""What every graph needs: scopes, collections, placeholders, conversion, nested structures, operators, type specs."""
