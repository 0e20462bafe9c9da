"""Players that learn: games against themselves, training, models in files, and the command that does it all."""
