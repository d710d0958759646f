"""Where records come from: PolQA, PolEval, the embedded sample, passages on disk."""
