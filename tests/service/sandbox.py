"""The restrictions of examples/service/hannan.service without systemd: bubblewrap for files, processes and capabilities, and a
filter of system calls made by libseccomp from the unit's own lists. What is said in the unit is what is applied here."""
import ctypes
import errno
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

UNIT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "service" / "hannan.service"
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10}
NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
WRITE, EXECUTE = 2, 4        # of mmap
ALLOW, ERROR = 0x7FFF0000, 0x00050000
EQUAL, MASKED_EQUAL = 4, 7


def settings(name):
    """All values of a setting, in order; lines add up as in systemd."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.MULTILINE)


def is_on(name):
    return settings(name) in (["yes"], ["strict"], ["invisible"], ["pid"])


@functools.cache
def calls_of(group):
    """The names in a group of system calls, of groups in it too, as this machine's systemd knows them."""
    text = subprocess.run(["systemd-analyze", "syscall-filter", group], check=True, capture_output=True, text=True).stdout
    words = {line.strip() for line in text.splitlines()[1:] if line.startswith("    ") and not line.strip().startswith("#")}
    return frozenset().union(*(calls_of(word) if word.startswith("@") else {word} for word in words))


class Comparison(ctypes.Structure):
    _fields_ = [("place", ctypes.c_uint), ("how", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


class Filter:
    def __init__(self):
        self.library = ctypes.CDLL("libseccomp.so.2")
        self.library.seccomp_init.restype = ctypes.c_void_p
        self.library.seccomp_rule_add_array.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p]
        self.library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
        self.handle = self.library.seccomp_init(ERROR | errno.EPERM)

    def add(self, action, name, *comparisons):
        number = self.library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # not on this machine
            return
        array = (Comparison * len(comparisons))(*comparisons)
        if self.library.seccomp_rule_add_array(self.handle, action, number, len(comparisons), array) != 0:
            raise RuntimeError(name)

    def file(self):
        out = tempfile.TemporaryFile()
        if self.library.seccomp_export_bpf(self.handle, out.fileno()) != 0:
            raise RuntimeError("no filter")
        out.seek(0)
        return out


def filter_of_unit():
    names = set()
    for line in settings("SystemCallFilter"):
        for word in line.removeprefix("~").split():
            names = names - calls_of(word) if line.startswith("~") else names | calls_of(word)
    assert is_on("MemoryDenyWriteExecute") and is_on("RestrictNamespaces") and settings("SystemCallErrorNumber") == ["EPERM"]
    made = Filter()
    for name in sorted(names - {"mmap", "mprotect", "pkey_mprotect", "clone", "clone3", "unshare", "setns", "socket"}):
        made.add(ALLOW, name)
    # The program is started behind the filter, by a call that systemd makes before it.
    made.add(ALLOW, "execve")
    for protection in (0, WRITE, EXECUTE):  # not both
        made.add(ALLOW, "mmap", Comparison(2, MASKED_EQUAL, WRITE | EXECUTE, protection))
    made.add(ALLOW, "mprotect", Comparison(2, MASKED_EQUAL, EXECUTE, 0))
    made.add(ALLOW, "clone", Comparison(0, MASKED_EQUAL, NEW_NAMESPACES, 0))
    made.add(ERROR | errno.ENOSYS, "clone3")  # as systemd: its flags cannot be looked at, and libraries go back to clone
    for family in settings("RestrictAddressFamilies")[0].split():
        made.add(ALLOW, "socket", Comparison(0, EQUAL, FAMILIES[family], 0))
    return made.file()


def missing():
    """Why nothing can be run so on this machine; None where it can."""
    for program in ("bwrap", "systemd-analyze"):
        if not shutil.which(program):
            return f"{program} is not installed"
    try:
        ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return "libseccomp is not installed"
    if subprocess.run(["bwrap", "--ro-bind", "/", "/", "--unshare-pid", "true"], capture_output=True).returncode != 0:
        return "bubblewrap may not make namespaces here"
    return None


def wrapped(words, folders, program_folder):
    """The command in the sandbox, which may write to `folders` alone, and the file of its filter, which it must inherit."""
    assert settings("CapabilityBoundingSet") == [""] and is_on("NoNewPrivileges")
    command = ["bwrap", "--ro-bind", "/", "/", "--die-with-parent", "--cap-drop", "ALL", "--new-session"]
    for name, what in (("ProtectHome", ("--tmpfs", "/home", "--tmpfs", "/root")), ("PrivateTmp", ("--tmpfs", "/tmp", "--tmpfs", "/var/tmp")),
                       ("PrivateDevices", ("--dev", "/dev")), ("ProtectProc", ("--unshare-pid", "--proc", "/proc")),
                       ("RemoveIPC", ("--unshare-ipc",)), ("ProtectHostname", ("--unshare-uts",))):
        assert is_on(name), name
        command += what
    command += ["--ro-bind", str(program_folder), str(program_folder)]
    for folder in folders:
        command += ["--bind", str(folder), str(folder)]
    if os.getuid() == 0:  # not as root inside either; the files stay its own
        command += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    rules = filter_of_unit()
    return [*command, "--seccomp", str(rules.fileno()), "--", *map(str, words)], rules
