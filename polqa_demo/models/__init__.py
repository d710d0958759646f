"""One way to the models of others: hub name or folder, refusals, lengths, device and precision."""
