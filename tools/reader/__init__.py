"""The span reader's adapter, trained on the embedded encoder."""
