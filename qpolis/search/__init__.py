"""Game-agnostic search: playouts and tree search through the verbs alone."""
