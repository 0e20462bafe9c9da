"""Trains a player by PPO, a policy-gradient method, in many games at once, and saves it for `learned.py`.

    pip install 'qpolis[learn]'
    python train_ppo.py --updates 400 --out learned.npz

The agent plays one seat and shipped bots the others, all of them in compiled code. It sees observations and masks of
legal actions, and is paid at the end of a game: its lead over the best other seat. One network with two hidden layers
gives both what to do and what to expect.
"""

from __future__ import annotations

import argparse
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax

import qpolis

TEACHER = "heuristic"
STEPS = 64  # of each game, before every update
DISCOUNT, TRACE = 0.98, 0.9  # of generalised advantages
CLIP = 0.2  # how far an update may change what is done
ENTROPY = 0.01  # how much trying is worth
VALUE = 0.5  # weight of what is expected, beside what is done
EPOCHS, BATCHES = 4, 8  # how often a rollout is gone through, and in how many parts
SCALE = 10.0  # points of lead that pay 1


def new_network(key, sizes):
    """Weights and biases of each layer."""
    keys = jax.random.split(key, len(sizes) - 1)
    spread = [np.sqrt(2)] * (len(sizes) - 2) + [0.01]  # at first all actions are nearly equal
    return [
        (spread[i] / np.sqrt(n_in) * jax.random.normal(keys[i], (n_in, n_out)), jnp.zeros(n_out))
        for i, (n_in, n_out) in enumerate(zip(sizes, sizes[1:]))
    ]


def apply_network(network, observations, masks):
    """The logarithms of the probabilities of actions, and what is expected."""
    hidden = observations
    for weights, bias in network[:-1]:
        hidden = jax.nn.relu(hidden @ weights + bias)
    weights, bias = network[-1]
    out = hidden @ weights + bias
    return jax.nn.log_softmax(jnp.where(masks, out[:, 1:], -1e9)), out[:, 0]


@jax.jit
def act(network, key, observations, masks):
    """Draw an action for each row."""
    key, now = jax.random.split(key)
    logits, values = apply_network(network, observations, masks)
    actions = jax.random.categorical(now, logits)
    return key, actions, jnp.take_along_axis(logits, actions[:, None], 1)[:, 0], values


def loss(network, batch, taught):
    """The clipped objective of PPO, with the error of what was expected, a bonus for trying, and as long as `taught`
    is not 0 how unlikely it finds what the teacher would do."""
    logits, values = apply_network(network, batch["observations"], batch["masks"])
    chosen = jnp.take_along_axis(logits, batch["actions"][:, None], 1)[:, 0]
    ratio = jnp.exp(chosen - batch["chosen"])
    gain = batch["advantages"]
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    objective = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    entropy = -(jnp.exp(logits) * jnp.where(batch["masks"], logits, 0)).sum(1).mean()
    error = ((values - batch["returns"]) ** 2).mean()
    unlike = -jnp.take_along_axis(logits, batch["teacher"][:, None], 1).mean()
    return -objective + VALUE * error - ENTROPY * entropy + taught * unlike


@partial(jax.jit, static_argnums=0, donate_argnums=(1, 2))
def improve(optimizer, network, memory, batch, taught):
    """One step of gradient descent."""
    slopes = jax.grad(loss)(network, batch, taught)
    changes, memory = optimizer.update(slopes, memory, network)
    return optax.apply_updates(network, changes), memory


def advantages(rewards, done, values, last):
    """Generalised advantages: how much better an action was than what had been expected."""
    found = np.zeros_like(rewards)
    trace = np.zeros_like(last)
    for time in reversed(range(len(rewards))):
        going = ~done[time]
        error = rewards[time] + DISCOUNT * going * last - values[time]
        trace = error + DISCOUNT * TRACE * going * trace
        found[time] = trace
        last = values[time]
    return found


class Trainer:
    """Plays and learns. `leads` are those of the games of the last update."""

    def __init__(self, env, hidden=256, rate=5e-4, seed=0, updates=400):
        self.env = env
        sizes = [env.observation_size, hidden, hidden, 1 + env.action_count]
        self.key, first = jax.random.split(jax.random.PRNGKey(seed))
        self.network = new_network(first, sizes)
        steps = updates * EPOCHS * BATCHES
        self.optimizer = optax.chain(
            optax.clip_by_global_norm(0.5), optax.adam(optax.linear_schedule(rate, 0.1 * rate, steps))
        )
        self.memory = self.optimizer.init(self.network)
        self.chooser = np.random.default_rng(seed)
        self.seen = env.__class__.buffers(env)
        self.rollout = type(self.seen)(*(np.zeros((STEPS + 1, *a.shape), a.dtype) for a in self.seen))
        self.env.reset(out=self.row(0))

    def row(self, time):
        return type(self.seen)(*(array[time] for array in self.rollout))

    def update(self, taught=0.0):
        """Play some steps in all games, and learn from them. Returns the leads at the ends of games."""
        n = self.env.n
        actions, teacher = np.zeros((2, STEPS, n), np.int32)
        chosen, values = np.zeros((2, STEPS, n), np.float32)
        rewards = np.zeros((STEPS, n), np.float32)
        leads = []
        for time in range(STEPS):
            now = self.row(time)
            self.key, action, likely, value = act(self.network, self.key, now.observations, now.masks)
            actions[time], chosen[time], values[time] = action, likely, value
            if taught:
                teacher[time] = self.env.choices(TEACHER)
            after = self.env.step(actions[time], out=self.row(time + 1))
            ended = np.flatnonzero(after.done)
            leads += lead_of(after.scores[ended], after.movers[ended]).tolist()
            rewards[time] = after.reward / SCALE
        end = self.row(STEPS)
        last = np.asarray(act(self.network, self.key, end.observations, end.masks)[3])
        gains = advantages(rewards, self.rollout.done[1:], values, last)
        learned = {
            "observations": self.rollout.observations[:-1],
            "masks": self.rollout.masks[:-1],
            "actions": actions,
            "teacher": teacher,
            "chosen": chosen,
            "advantages": gains,
            "returns": gains + values,
        }
        learned = {name: array.reshape(STEPS * n, *array.shape[2:]) for name, array in learned.items()}
        for _ in range(EPOCHS):
            for part in np.split(self.chooser.permutation(STEPS * n), BATCHES):
                batch = {name: array[part] for name, array in learned.items()}
                self.network, self.memory = improve(self.optimizer, self.network, self.memory, batch, taught)
        for array in self.rollout:
            array[0] = array[STEPS]
        return leads


def lead_of(scores, seats):
    """The points of a seat more than the best other one has."""
    rows = np.arange(len(scores))
    own = scores[rows, seats]
    others = scores.copy()
    others[rows, seats] = -1e9
    return own - others.max(axis=1)


def save(path, network):
    """The network as `learned.py` reads it."""
    np.savez(path, **{f"{name}{i}": part for i, layer in enumerate(network) for name, part in zip("wb", layer)})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="quadropolis")
    parser.add_argument("--opponents", default="heuristic")
    parser.add_argument("--games", type=int, default=128)
    parser.add_argument("--updates", type=int, default=400)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--taught", type=int, default=60)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="learned.npz")
    given = parser.parse_args()
    env = qpolis.vector(given.game, given.games, seed=given.seed, opponents=given.opponents, rewards="points")
    trainer = Trainer(env, given.hidden, given.rate, given.seed, given.updates)
    begun = time.time()
    for update in range(1, given.updates + 1):
        leads = trainer.update(max(0.0, 1.0 - update / given.taught) if given.taught else 0.0)
        if update % 10 == 0:
            wins = np.mean([(lead > 0) + 0.5 * (lead == 0) for lead in leads])
            print(
                f"update {update}, {time.time() - begun:.0f} s, {update * STEPS * env.n:,} decisions: "
                f"lead {np.mean(leads):+.1f}, wins {wins:.0%} of {len(leads)} games",
                flush=True,
            )
            save(given.out, trainer.network)
    save(given.out, trainer.network)


if __name__ == "__main__":
    main()
