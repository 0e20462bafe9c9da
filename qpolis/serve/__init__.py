"""A local page where a person takes a seat against bots."""
