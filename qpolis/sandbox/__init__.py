"""Other people's bots in processes of their own, behind one door. What the rest of qpolis uses:

    inspection   what bots are in a Python file or module, found out without running it here
    program      `ProcessBot`: a program at a seat, which speaks JSON lines; `Limits`, `Forfeit`

Behind the door, in this process: `child_process` (pipes, deadlines, memory) and `process_tree` (a process and all
it starts). In the child: `host` (a bot of Python, as a program), with `loading`, and `policy_bot` for a compiled
policy. Nothing is imported here: `host` must start without NumPy.
"""
