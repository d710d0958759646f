"""An adapter for the question vectors of an encoder: a linear map, trained and applied."""
