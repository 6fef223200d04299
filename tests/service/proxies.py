"""nginx and Caddy with the files that are shipped, changed only in what belongs to a machine: ports, paths and certificates."""
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

import server
from server import Server

FILES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "service"
SKIPPED = 77  # the exit status by which ctest knows a skipped test


def which(program):
    """Servers may be where only the path of root leads."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def umask_of_unit():
    found = re.search(r"^UMask=(\d+)$", (FILES / "hannan.service").read_text(), re.MULTILINE)
    return int(found[1], 8) if found else 0o022


class SocketServer(Server):
    """The service on a local socket, with the rights that its unit gives to that."""

    def start(self):
        database = [] if "--db" in self.flags else ["--db", str(self.folder / "log.db")]
        self.process = subprocess.Popen([server.BINARY, "serve", *database, "--listen", f"unix:{self.folder}/s", *self.flags],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, umask=umask_of_unit())
        line = self.process.stdout.readline()
        if "serving" not in line:
            raise RuntimeError("the service did not start: " + line + self.process.communicate(timeout=30)[1])


class Proxy:
    """A proxy process in the foreground, in front of folder/s, with TLS on a port of this machine."""
    program = ""

    def __init__(self, folder):
        self.folder, self.port = pathlib.Path(folder), free_port()
        self.context = ssl.create_default_context()
        environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": f"{folder}/data", "XDG_CONFIG_HOME": f"{folder}/config"}
        command = self.prepare()
        with open(self.folder / "proxy.log", "w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment)
        self.wait()

    def log(self):
        return (self.folder / "proxy.log").read_text()

    def wait(self):
        until = time.monotonic() + 30
        while True:
            try:
                self.trust()
                connection = self.connection()
                connection.connect()
                return connection.close()
            except (OSError, ssl.SSLError) as why:
                if self.process.poll() is not None or time.monotonic() > until:
                    self.stop()
                    raise RuntimeError(f"{self.program} did not start: {why}\n{self.log()}") from why
                time.sleep(0.05)

    def connection(self, timeout=30):
        return http.client.HTTPSConnection("localhost", self.port, timeout=timeout, context=self.context)

    def ask(self, method, path, body=None, headers=None):
        return server.ask(self.connection(), method, path, body, headers)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Nginx(Proxy):
    """Part of an http block. Where the test is root, as a system's nginx is, the workers have another user and come to
    the socket by its group."""
    program = "nginx"

    def prepare(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=DNS:localhost", "-days", "2", "-keyout", self.folder / "key", "-out",
                        self.folder / "pem"], check=True, capture_output=True, timeout=60)
        text = (FILES / "nginx.conf").read_text()
        for ours, here in (("unix:/run/hannan/hannan.sock", f"unix:{self.folder}/s"), ("listen 443 ", f"listen 127.0.0.1:{self.port} "),
                           ("/etc/ssl/decisions.pem", f"{self.folder}/pem"), ("/etc/ssl/decisions.key", f"{self.folder}/key"),
                           ("/var/cache/", f"{self.folder}/")):
            assert ours in text, ours
            text = text.replace(ours, here)
        user = "user www-data root;\n" if os.getuid() == 0 else ""
        paths = "".join(f"{kind}_temp_path {self.folder}/{kind};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "scgi", "uwsgi"))
        (self.folder / "nginx.conf").write_text(
            f"{user}daemon off;\nworker_processes 1;\npid {self.folder}/pid;\nerror_log stderr;\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{paths}{text}\n}}\n")
        return [which("nginx"), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]

    def trust(self):
        self.context.load_verify_locations(self.folder / "pem")


class Caddy(Proxy):
    """It makes a certificate of its own here, for it reaches no authority that would give it one."""
    program = "caddy"

    def prepare(self):
        text = (FILES / "Caddyfile").read_text()
        for ours, here in (("unix//run/hannan/hannan.sock", f"unix/{self.folder}/s"),
                           ("decisions.example.org {", f"https://localhost:{self.port} {{\n\ttls internal\n\tbind 127.0.0.1")):
            assert ours in text, ours
            text = text.replace(ours, here)
        (self.folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n" + text)
        return [which("caddy"), "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]

    def trust(self):
        self.context.load_verify_locations(self.folder / "data" / "caddy" / "pki" / "authorities" / "local" / "root.crt")


def missing():
    return [kind.program for kind in (Nginx, Caddy) if not which(kind.program)]


class ProxyTest(unittest.TestCase):
    """One service and one proxy for each test."""
    PROXY = Nginx
    FLAGS = ()

    def setUp(self):
        if not which(self.PROXY.program):
            self.skipTest(f"{self.PROXY.program} is not installed")
        folder = tempfile.TemporaryDirectory(dir="/tmp")  # the path of a socket is short
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)
        self.server = self.start_service()
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.kill())
        self.proxy = self.PROXY(self.folder)
        self.addCleanup(self.proxy.stop)
        self.ask = self.proxy.ask

    def start_service(self):
        return SocketServer(self.folder, *self.FLAGS)

    def json(self, method, path, body=None, headers=None, status=200):
        found, _, answer = self.ask(method, path, body, headers)
        self.assertEqual(found, status, answer[:1000] + self.proxy.log()[-1000:].encode())
        return json.loads(answer)
