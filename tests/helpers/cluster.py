"""Starts a Ray cluster of three nodes on this machine, for tests: prints its address, and then obeys its input.

kill worker   kills a process that plays
kill node     takes a node away, as if its machine had died
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

from ray.cluster_utils import Cluster  # noqa: E402


def workers() -> list[int]:
    """Processes that Ray plays in at this moment, by the title it gives them."""
    listing = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0]) for line in listing.splitlines() if line.split()[1].startswith("ray::work")]


def main() -> None:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line == "kill worker\n":
            while not (playing := workers()):
                pass
            os.kill(playing[0], signal.SIGKILL)
        elif line == "kill node\n":
            cluster.remove_node(nodes.pop(), allow_graceful=False)
        print("done", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
