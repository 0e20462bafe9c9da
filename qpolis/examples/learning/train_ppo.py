"""Trains a player by PPO, a policy-gradient method, in many games at once, and saves it for `learned.py`.

    pip install 'qpolis[learn]'
    python train_ppo.py --updates 400 --out learned.npz

The agent plays one seat and a shipped bot the others, all of them in compiled code. It sees observations and masks
of legal actions, and is paid the points that its own actions bring. One network with two hidden layers gives both
what to do and what to expect. In the first part of the training another shipped bot teaches: the agent plays, and
is told for every position that it comes to what the teacher would do there. That weighs less and less, and nothing
in the second part, in which it learns from rewards alone.
"""

import argparse
import csv
import time
from functools import partial
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import optax

import qpolis

STEPS = 64  # in each game, before every update
EPOCHS, BATCHES = 4, 8  # how often a rollout is gone through, and in how many parts
DISCOUNT, TRACE = 0.98, 0.9  # of generalised advantages
CLIP = 0.2  # how far an update may change what is done
ENTROPY, VALUE = 0.01, 0.5  # weights of trying things, and of what is expected, beside what is done
POINTS = 10  # that count 1
SHOWN = 10  # updates a line of the log is about


def new_network(key, sizes):
    """Weights and biases of each layer."""
    layers = []
    for one, (inputs, outputs) in zip(jax.random.split(key, len(sizes) - 1), pairwise(sizes)):
        spread = 0.01 if outputs == sizes[-1] else 2**0.5  # at first all actions are nearly equal
        layers.append((spread / inputs**0.5 * jax.random.normal(one, (inputs, outputs)), jnp.zeros(outputs)))
    return layers


def apply_network(network, observations, masks):
    """The logarithms of the probabilities of actions, and what is expected."""
    hidden = observations
    for weights, bias in network[:-1]:
        hidden = jax.nn.relu(hidden @ weights + bias)
    weights, bias = network[-1]
    out = hidden @ weights + bias
    return jax.nn.log_softmax(jnp.where(masks, out[:, 1:], -1e9)), out[:, 0]


def of_each(table, columns):
    """The entry of each row in the column that is given for it."""
    return jnp.take_along_axis(table, columns[:, None], 1)[:, 0]


@jax.jit
def act(network, key, observations, masks):
    """Draw an action for each row; also gives how likely it was, and what is expected."""
    likely, values = apply_network(network, observations, masks)
    actions = jax.random.categorical(key, likely)
    return actions, of_each(likely, actions), values


def loss(network, batch, taught):
    """The clipped objective of PPO, with the error of what was expected, a reward for trying, and, while it is
    taught, how unlikely it finds what the teacher would do."""
    likely, values = apply_network(network, batch["observations"], batch["masks"])
    ratio = jnp.exp(of_each(likely, batch["actions"]) - batch["likely"])
    gains = batch["gains"]
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    objective = jnp.minimum(ratio * gains, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gains).mean()
    entropy = -(jnp.exp(likely) * jnp.where(batch["masks"], likely, 0)).sum(1).mean()
    error = ((values - batch["returns"]) ** 2).mean()
    unlike = -of_each(likely, batch["teacher"]).mean()
    return -objective + VALUE * error - ENTROPY * entropy + taught * unlike


@partial(jax.jit, static_argnums=0, donate_argnums=(1, 2))
def improve(optimizer, network, memory, batch, taught):
    """One step of gradient descent."""
    slopes = jax.grad(loss)(network, batch, taught)
    changes, memory = optimizer.update(slopes, memory, network)
    return optax.apply_updates(network, changes), memory


def advantages(rewards, done, values, last):
    """Generalised advantages: how much better an action was than what had been expected."""
    found, trace = np.zeros_like(rewards), np.zeros_like(last)
    for step in reversed(range(len(rewards))):
        going = DISCOUNT * ~done[step]
        trace = rewards[step] + going * last - values[step] + TRACE * going * trace
        found[step] = trace
        last = values[step]
    return found


class Trainer:
    """Plays in an environment for one seat, whose rewards are points, and learns."""

    def __init__(self, env, hidden=256, rate=1e-3, updates=400, seed=1):
        self.env = env
        self.key, first = jax.random.split(jax.random.PRNGKey(seed))
        self.network = new_network(first, [env.observation_size, hidden, hidden, 1 + env.action_count])
        falling = optax.linear_schedule(rate, 0.1 * rate, updates * EPOCHS * BATCHES)
        self.optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(falling))
        self.memory = self.optimizer.init(self.network)
        self.order = np.random.default_rng(seed)
        one = env.buffers()
        self.rollout = type(one)(*(np.zeros((STEPS + 1, *array.shape), array.dtype) for array in one))
        env.reset(out=self.at(STEPS))

    def at(self, step):
        """The arrays of one step of the rollout."""
        return type(self.rollout)(*(array[step] for array in self.rollout))

    def act(self, step):
        self.key, now = jax.random.split(self.key)
        seen = self.at(step)
        return map(np.asarray, act(self.network, now, seen.observations, seen.masks))

    def play(self, teacher):
        """Play some steps in all games. Returns what can be learned from them, and the leads where games ended."""
        shape = (STEPS, self.env.n)
        actions, advice = np.zeros((2, *shape), np.int32)
        likely, values, rewards = np.zeros((3, *shape), np.float32)
        leads = []
        for array in self.rollout:
            array[0] = array[STEPS]
        for step in range(STEPS):
            actions[step], likely[step], values[step] = self.act(step)
            if teacher:
                advice[step] = self.env.choices(teacher)
            now = self.env.step(actions[step], out=self.at(step + 1))
            rewards[step] = now.reward / POINTS
            leads += leads_of(now)
        _, _, last = self.act(STEPS)
        gains = advantages(rewards, self.rollout.done[1:], values, last)
        learned = {
            "observations": self.rollout.observations[:-1],
            "masks": self.rollout.masks[:-1],
            "actions": actions,
            "teacher": advice,
            "likely": likely,
            "gains": gains,
            "returns": gains + values,
        }
        return {name: array.reshape(-1, *array.shape[2:]) for name, array in learned.items()}, leads

    def update(self, teacher="", taught=0.0):
        """Play, and learn from that: from the teacher, too, with the weight `taught`. Returns the leads."""
        learned, leads = self.play(teacher if taught else "")
        for _ in range(EPOCHS):
            for rows in np.split(self.order.permutation(STEPS * self.env.n), BATCHES):
                batch = {name: array[rows] for name, array in learned.items()}
                self.network, self.memory = improve(self.optimizer, self.network, self.memory, batch, taught)
        return leads

    def save(self, path):
        """The network as `learned.py` reads it."""
        parts = {f"{name}{i}": part for i, layer in enumerate(self.network) for name, part in zip("wb", layer)}
        np.savez(path, **parts)


def leads_of(now):
    """By how many points the agent was ahead of the best other seat, in each game that ended."""
    ended = np.flatnonzero(now.done)
    others = now.scores[ended]
    own = others[np.arange(len(ended)), now.movers[ended]]
    others[np.arange(len(ended)), now.movers[ended]] = -(10**9)
    return (own - others.max(axis=1)).tolist()


def draw(rows, opponent, path):
    """The learning curve."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    decisions = [row["decisions"] / 1e6 for row in rows]
    axes.plot(decisions, [row["lead"] for row in rows], color="#1f6f8b")
    axes.axhline(0, color="#888888", linewidth=0.8)
    taught = [row["decisions"] / 1e6 for row in rows if row["taught"]]
    if taught:
        axes.axvspan(0, max(taught), color="#eeeeee", label="taught, less and less")
        axes.legend(loc="lower right", frameon=False)
    axes.set_xlabel("decisions, in millions")
    axes.set_ylabel(f"points ahead of {opponent}")
    axes.margins(x=0)
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="quadropolis")
    parser.add_argument("--opponent", default="heuristic", help="a bot that ships")
    parser.add_argument("--teacher", default="greedy", help="another one; empty: learn from rewards alone")
    parser.add_argument("--updates", type=int, default=400)
    parser.add_argument("--games", type=int, default=128, help="at once")
    parser.add_argument("--hidden", type=int, default=256, help="numbers in each hidden layer")
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning, at first")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", default="learned.npz", help="the network; beside it .csv and .png of the training"
    )
    given = parser.parse_args()

    env = qpolis.vector(given.game, given.games, seed=given.seed, opponents=given.opponent, rewards="points")
    trainer = Trainer(env, given.hidden, given.rate, given.updates, given.seed)
    rows, leads, begun = [], [], time.time()
    for update in range(given.updates):
        taught = max(0.0, 1 - 2 * update / given.updates) if given.teacher else 0.0
        leads += trainer.update(given.teacher, taught)
        if (update + 1) % SHOWN == 0:
            rows.append(
                {
                    "decisions": (update + 1) * STEPS * env.n,
                    "seconds": round(time.time() - begun),
                    "processor_seconds": round(time.process_time()),
                    "taught": taught,
                    "lead": round(float(np.mean(leads)), 2),
                    "wins": round(float(np.mean([(lead > 0) + (lead == 0) / 2 for lead in leads])), 3),
                }
            )
            print(", ".join(f"{name} {value:,}" for name, value in rows[-1].items()), flush=True)
            leads = []
            trainer.save(given.out)
    stem = given.out.removesuffix(".npz")
    with open(f"{stem}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    draw(rows, given.opponent, f"{stem}.png")


if __name__ == "__main__":
    main()
