__version__ = "0.2.0"

# Of the games that the engine plays: random streams, verbs, match loop, and which games a plan has. It is raised
# with every change of them: runs from before do not go on. Games and shipped bots have such versions of their own,
# called `behaviour`; tests/golden/behaviour.toml holds them all against signatures of games.
ENGINE_BEHAVIOUR = 1
