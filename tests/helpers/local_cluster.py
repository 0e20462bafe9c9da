"""Starts the local cluster of a run, and prints as JSON where its processes listen, how many workers answered,
and how a client without the token fared: `refused`, or what it was told."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import psutil

from qpolis.tourney.schedule import start_ray, stop_ray

CLIENT = """
import sys
from ray._raylet import GcsClient
try:
    GcsClient(address=sys.argv[1]).get_all_node_info(timeout=60)
except Exception as error:
    print("refused" if "authent" in str(error).lower() or "token" in str(error).lower() else repr(error))
else:
    print("let in")
"""


def listening() -> list[str]:
    here = psutil.Process()
    return [
        link.laddr.ip
        for process in [here, *here.children(recursive=True)]
        for link in process.net_connections(kind="inet")
        if link.status == psutil.CONN_LISTEN
    ]


def stranger(address: str) -> str:
    """What a client is told that does not know the token."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    env |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0" * 64}
    done = subprocess.run([sys.executable, "-c", CLIENT, address], env=env, capture_output=True, text=True)
    return done.stdout.strip() or done.stderr


ray = start_ray(2, None)
try:
    answer = ray.get(ray.remote(num_cpus=1)(lambda: os.getpid()).remote())
    told = stranger(ray.get_runtime_context().gcs_address)
    print(json.dumps({"listening": listening(), "worked": answer != os.getpid(), "stranger": told}))
finally:
    stop_ray(ray)
