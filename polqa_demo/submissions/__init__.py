"""Files of others in, records out, with every problem named by line."""
