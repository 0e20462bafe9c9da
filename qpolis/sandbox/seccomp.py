"""Which system calls a jailed program is refused, as a program for the kernel's seccomp filter.

Most are refused with EPERM, so that a library that only tries goes on. Calls of another architecture kill: their
numbers mean other things.
"""

from __future__ import annotations

import errno
import platform
import struct

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}  # audit number, column of the tables
X32 = 0x40000000  # from this number on: the other way of calling an x86_64 kernel
NEW_NAMESPACES = 0x7E020000  # every CLONE_NEW* that clone takes
CLONE, CLONE3, PRCTL, PRLIMIT = (56, 220), (435, 435), (157, 167), (302, 261)
PR_SET_PDEATHSIG = 1
# Locks on files that several programs can read would carry words between them. Each is alone with the files it can
# write to, so it may believe that it has every lock.
FLOCK, FCNTL = (73, 32), (72, 25)
SET_LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW and those of open files
SET_LEASE, NOTIFY = 1024, 1026
SET_HINTS = (1036, 1038)  # what a file is for: the hint stays with the file, and needs no right to write
# Through ioctl whoever owns a file changes its flags, read-only or not: where no mount forbids that, only this is
# left of it: whether a file is a terminal, and what is about the descriptor alone.
IOCTL = (16, 29)
HARMLESS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x5452)

# fmt: off
# Numbers on x86_64 and aarch64; -1: there is no such call.
REFUSED = {
    # The process group is stopped while nobody asks the program: it must not leave it, nor its cores.
    "setsid": (112, 157), "setpgid": (109, 154), "sched_setaffinity": (203, 122),
    # Other processes.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "migrate_pages": (256, 238), "move_pages": (279, 239),
    # Namespaces and mounts.
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # Parts of the kernel that a bot has no use for.
    "bpf": (321, 280), "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    "quotactl": (179, 60), "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266),
    "adjtimex": (159, 171), "syslog": (103, 116), "sethostname": (170, 161), "setdomainname": (171, 162),
    "personality": (135, 92), "vhangup": (153, 58), "iopl": (172, -1), "ioperm": (173, -1),
    "modify_ldt": (154, -1),
    # What other processes do with files.
    "inotify_init": (253, -1), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
    # Memory that belongs to no process, which the looks at the memory would not see.
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194),
}
# Without namespaces the sockets, queues, processes and files of the user are within reach: Landlock leaves these.
REFUSED_WITHOUT_NAMESPACES = {
    "socket": (41, 198), "connect": (42, 203), "mq_open": (240, 180), "msgget": (68, 186), "semget": (64, 190),
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, -1), "fchown": (93, 55), "lchown": (94, -1), "fchownat": (260, 54),
    "utime": (132, -1), "utimes": (235, -1), "futimesat": (261, -1), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "setpriority": (141, 140), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
    "sched_setattr": (314, 274), "ioprio_set": (251, 30),
}
# fmt: on

NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # where the filter finds them, in bytes
ARGUMENT = 8  # bytes of one
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # instructions
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000  # answers
DONE = 0  # the error that stands for success: nothing is done, and nobody told


def supported() -> bool:
    """Is the table of this machine's calls known?"""
    return platform.machine() in ARCHITECTURES


def program(namespaces: bool) -> bytes:
    """The filter for this machine, as an array of `struct sock_filter`; empty if there is none for it."""
    if not supported():
        return b""
    audit, column = ARCHITECTURES[platform.machine()]
    refused = REFUSED if namespaces else REFUSED | REFUSED_WITHOUT_NAMESPACES
    parts = [_op(LOAD, ARCHITECTURE), _op(EQUAL, audit, 1, 0), _op(RETURN, KILL), _op(LOAD, NUMBER)]
    if column == 0:
        parts += [_op(AT_LEAST, X32, 0, 1), _op(RETURN, KILL)]
    for numbers in refused.values():
        if numbers[column] >= 0:
            parts += [_op(EQUAL, numbers[column], 0, 1), _op(RETURN, ERROR | errno.EPERM)]
    # The flags of clone3 are in memory, where a filter cannot look: libraries fall back to clone.
    parts += [_op(EQUAL, CLONE3[column], 0, 1), _op(RETURN, ERROR | errno.ENOSYS)]
    parts += _if_argument(CLONE[column], _op(ANY_BIT, NEW_NAMESPACES, 0, 1))
    parts += _if_argument(PRLIMIT[column], _op(EQUAL, 0, 1, 0))  # of no process but itself
    if not namespaces:
        parts += _if_argument(PRCTL[column], _op(EQUAL, PR_SET_PDEATHSIG, 0, 1))  # it has to end with its parent
    parts += [_op(EQUAL, FLOCK[column], 0, 1), _op(RETURN, ERROR | DONE)]
    for command in SET_LOCKS:
        parts += _if_argument(FCNTL[column], _op(EQUAL, command, 0, 1), 1, DONE)
    for command in (SET_LEASE, NOTIFY, *SET_HINTS):
        parts += _if_argument(FCNTL[column], _op(EQUAL, command, 0, 1), 1)
    if not namespaces:
        refuse = [_op(RETURN, ERROR | errno.ENOTTY), _op(LOAD, NUMBER)]
        tests = [_op(EQUAL, command, len(HARMLESS) - place, 0) for place, command in enumerate(HARMLESS)]
        instead = [_op(LOAD, ARGUMENTS + ARGUMENT), *tests, *refuse]
        parts += [_op(EQUAL, IOCTL[column], 0, len(instead)), *instead]
    return b"".join([*parts, _op(RETURN, ALLOW)])


def _if_argument(number: int, test: bytes, place: int = 0, answer: int = errno.EPERM) -> list[bytes]:
    """Do not carry out a call whose argument at this place does not make `test` jump over the answer."""
    instead = [_op(LOAD, ARGUMENTS + ARGUMENT * place), test, _op(RETURN, ERROR | answer), _op(LOAD, NUMBER)]
    return [_op(EQUAL, number, 0, len(instead)), *instead]


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
