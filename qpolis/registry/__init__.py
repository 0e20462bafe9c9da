"""Which bots there are, and what a spec such as `mcts:sims=800` names: `spec.resolve` makes it an `Entrant`."""
