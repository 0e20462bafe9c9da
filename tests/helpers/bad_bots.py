"""Programs that fail in every way we could think of."""

from __future__ import annotations

from qpolis.sandbox.program import Limits

HUNG = Limits(decision=1.0)  # only where the bot never answers
MEMORY = Limits(memory=500 << 20)

# name: (trouble, end, reason, decisions answered before it, limits)
TROUBLES = {
    "raises": ("raise ValueError('lost my way')", "crash", "code 1: ValueError: lost my way", 2, None),
    "exits": ("os._exit(0)", "crash", r"exited with code 0", 2, None),
    "exits-3": ("print('no idea', file=sys.stderr)\nsys.exit(3)", "crash", "code 3: no idea", 2, None),
    "dies": ("os.kill(os.getpid(), signal.SIGSEGV)", "crash", r"killed by SIGSEGV", 2, None),
    "reports-crash": (
        "say(type='error', end='crash', message='ValueError: a\\nb')",
        "crash",
        "ValueError: a b",
        2,
        None,
    ),
    "reports-memory": ("say(type='error', end='memory', message='MemoryError')", "memory", "MemoryError", 2, None),
    "reports-nothing": ("say(type='error')", "crash", "None", 2, None),
    "unknown-id": ("say(action=10**6)", "illegal", "chose 1000000, which is not one of the legal", 3, None),
    "negative": ("say(action=-1)", "illegal", "chose -1", 3, None),
    "bool": ("say(action=True)", "illegal", "chose true", 3, None),
    "float": ("say(action=float(message['legal'][0]))", "illegal", r"chose [0-9]+\.0", 3, None),
    "string": ("say(action=str(message['legal'][0]))", "illegal", r'chose "[0-9]+"', 3, None),
    "null": ("say(action=None)", "illegal", "chose null", 3, None),
    "list": ("say(action=message['legal'])", "illegal", "chose ", 3, None),
    "huge-number": (
        "print('{\"action\": ' + '9' * 9999 + '}', flush=True)",
        "illegal",
        "not a JSON object",
        3,
        None,
    ),
    "no-action": ("say(answer=3)", "illegal", 'answered without an action: {"answer":3}', 3, None),
    "no-object": ("print(message['legal'][0], flush=True)", "illegal", "not a JSON object: [0-9]+", 3, None),
    "garbage": ("print('let me think\\x07', flush=True)", "illegal", "not a JSON object: let me think", 3, None),
    "empty-line": ("print(flush=True)", "illegal", "not a JSON object", 3, None),
    "not-utf-8": ("os.write(1, b'\\xff\\xfe\\n')", "illegal", "not a JSON object", 3, None),
    "nested": ("print('[' * 50000, flush=True)", "illegal", "not a JSON object", 3, None),
    "deep": ("print('{\"a\":' * 900 + '0' + '}' * 900, flush=True)", "illegal", "answered without", 3, None),
    "long-line": ("print('x' * 10**7, flush=True)", "illegal", "printed more than 65536 bytes", 3, None),
    "endless-line": ("while True: os.write(1, b'x' * 65536)", "illegal", "printed more than 65536 bytes", 3, None),
    "endless-lines": (
        "line = json.dumps({'action': message['legal'][0]}).encode() + b'\\n'\n"
        "while True: os.write(1, line * 1000)",
        "illegal",
        "out of turn|printed more",
        4,
        None,
    ),
    "twice": (
        "line = json.dumps({'action': message['legal'][0]}).encode() + b'\\n'\nos.write(1, line + line)",
        "illegal",
        "spoke out of turn",
        4,
        None,
    ),
    "closes-output": ("os.close(1)\ntime.sleep(1e6)", "crash", "closed its standard output", 2, None),
    "closes-input": ("os.close(0)\ngood(message)\ntime.sleep(1e6)", "crash", "closed its standard input", 3, None),
    "sleeps": ("print('hm', file=sys.stderr)\ntime.sleep(1e6)", "timeout", "no answer within 1 s: hm", 2, HUNG),
    "spins": ("while True: pass", "timeout", "no answer within 1 s", 2, HUNG),
    "ignores-signals": (
        "for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:\n"
        "    signal.signal(number, signal.SIG_IGN)\nwhile True: pass",
        "timeout",
        "no answer within 1 s",
        2,
        HUNG,
    ),
    "stuck-in-c": ("re.match('(a+)+$', 'a' * 99 + 'b')", "timeout", "no answer within 1 s", 2, HUNG),
    "stops": ("os.kill(os.getpid(), signal.SIGSTOP)", "timeout", "no answer within 1 s", 2, HUNG),
    "half-a-line": ("sys.stdout.write('{')\nsys.stdout.flush()\ntime.sleep(1e6)", "timeout", "no answer", 2, HUNG),
    "endless-errors": ("while True: os.write(2, b'x' * 65536)", "timeout", "no answer within 1 s: xxx", 2, HUNG),
    "eats-memory": (
        "eaten = []\nwhile True: eaten.append(b'x' * 2**20)",
        "memory",
        "used more than 500 MB",
        2,
        MEMORY,
    ),
    "child-eats-memory": (
        "if os.fork():\n    time.sleep(1e6)\neaten = []\nwhile True: eaten.append(b'x' * 2**20)",
        "memory",
        "used more than 500 MB",
        2,
        MEMORY,
    ),
    "children": (
        "for _ in range(3):\n    if not os.fork(): time.sleep(1e6)\nsys.exit(5)",
        "crash",
        "exited with code 5",
        2,
        None,
    ),
    "breeds": (
        "for _ in range(2000):\n    if not os.fork(): time.sleep(1e6)\ntime.sleep(1e6)",
        "memory",
        "started more than 512 processes|used more than",
        2,
        Limits(sandbox="off"),  # in a sandbox there are never so many
    ),
    "daemon": (
        "if not os.fork():\n    os.setsid()\n    if os.fork(): os._exit(0)\n"
        "    for pipe in (0, 1, 2): os.close(pipe)\n    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "    time.sleep(1e6)\nos.wait()\nsay(action='bye')",
        "illegal",
        'chose "bye"',
        3,
        None,
    ),
}

# The same for their starts: (code, end, reason)
HELLOS = {
    "exits-at-start": ("raise SystemExit('no licence')", "crash", "exited with code 1: no licence"),
    "no-hello": ("def hello(message): time.sleep(1e6)", "timeout", "no hello within 1 s"),
    "garbage": ("print('Welcome!', flush=True)", "crash", "no hello: answered with what is not a JSON obj"),
    "no-type": ("def hello(message): say(protocol=1)", "crash", r"no hello: answered {\"protocol\":1}"),
    "other-protocol": ("def hello(message): say(type='hello', protocol=2)", "crash", "speaks protocol 2, not 1"),
    "no-protocol": ("def hello(message): say(type='hello')", "crash", "speaks protocol null, not 1"),
    "true-protocol": ("def hello(message): say(type='hello', protocol=True)", "crash", "speaks protocol true"),
    "reports": (
        "def hello(message): say(type='error', end='crash', message='ImportError: x')",
        "crash",
        "ImportError: x",
    ),
    "flood": ("while True: print('x' * 1000)", "crash", "no hello: "),
}
