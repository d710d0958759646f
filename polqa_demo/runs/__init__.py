"""Many questions: answered in batches that can be stopped and resumed, whole splits, passages from anywhere."""
