#!/usr/bin/env python3
"""A bridge from a stream of NATS JetStream to a learner of `hannan serve`.

    nats_bridge.py 127.0.0.1:4222 AUCTIONS unix:/run/hannan/hannan.sock homepage

Each message is {"id": ..., "outcome": ...}, or the outcome alone; then its id is the stream's name and the message's number in it.
The loop: fetch messages, send them with their ids, acknowledge to NATS when the service has answered, never before. NATS
delivers again what was not acknowledged within --ack-wait, and the service knows it by its id, so a kill of any of the three loses and doubles
nothing. What is delivered again may come after newer messages: outcomes are learned from in the order in which they come.
The protocol of NATS is lines of text, so that no client library is needed. The stream must exist; its consumer is made here.
"""
import argparse
import json
import pathlib
import re
import secrets
import socket
import sys
import time

import hannan


class NatsFailure(Exception):
    """A refusal of the server, which another try would not change."""


class Nats:
    """One connection: publish, ask, and fetch from a consumer."""

    def __init__(self, address, timeout=10):
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), timeout)
        self.file = self.socket.makefile("rb")
        self.inbox = "_INBOX." + secrets.token_hex(12)
        self.file.readline()  # INFO
        self.send('CONNECT {"verbose":false,"pedantic":false,"headers":true,"no_responders":true,"lang":"python","version":"1"}')
        self.send(f"SUB {self.inbox} 1")

    def close(self):
        self.file.close()
        self.socket.close()

    def send(self, *lines):
        self.socket.sendall("".join(line + "\r\n" for line in lines).encode())

    def publish(self, subject, payload="", reply=""):
        self.send(f"PUB {subject} {reply} {len(payload.encode())}" if reply else f"PUB {subject} {len(payload.encode())}", payload)

    def next(self):
        """(reply subject, status, payload) of the next message; the status is 200 unless NATS says something itself."""
        while True:
            line = self.file.readline()
            if not line.endswith(b"\r\n"):
                raise ConnectionError("the connection to NATS ended")
            words = line.decode().split()
            if words[0] == "PING":
                self.send("PONG")
            elif words[0] == "-ERR":
                raise NatsFailure(line.decode().strip())
            elif words[0] in ("MSG", "HMSG"):
                header = int(words[-2]) if words[0] == "HMSG" else 0
                content = self.file.read(int(words[-1]) + 2)[:-2]
                if len(content) < int(words[-1]):
                    raise ConnectionError("the connection to NATS ended")
                status = re.match(rb"NATS/1\.0 (\d+)", content[:header])
                reply = words[3] if len(words) > (4 if words[0] == "MSG" else 5) else ""
                return reply, int(status[1]) if status else 200, content[header:]

    def ask(self, subject, body):
        """A question to JetStream, with its answer."""
        self.publish(subject, json.dumps(body), self.inbox)
        _, status, payload = self.next()
        if status != 200:
            raise NatsFailure(f"{subject}: {status}, is JetStream switched on?")
        answer = json.loads(payload)
        if "error" in answer:
            raise NatsFailure(f"{subject}: {answer['error']['description']}")
        return answer

    def make_consumer(self, stream, name, ack_wait):
        """The same one again is no change."""
        self.ask(f"$JS.API.CONSUMER.DURABLE.CREATE.{stream}.{name}", {"stream_name": stream, "config": {
            "durable_name": name, "deliver_policy": "all", "ack_policy": "explicit", "ack_wait": ack_wait * 10**9,
            "max_deliver": -1, "max_ack_pending": 100_000}})

    def fetch(self, stream, name, most, seconds):
        """(reply subject, payload) of what there is, up to `most`; waits for the first for so many seconds."""
        found = []
        for wait in (False, True):  # what is there already; if nothing, the first to come
            body = {"batch": most, "no_wait": True} if not wait else {"batch": 1, "expires": int(seconds * 10**9)}
            self.publish(f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{name}", json.dumps(body), self.inbox)
            while len(found) < body["batch"]:
                reply, status, payload = self.next()
                if status == 100:
                    continue
                if status != 200:
                    break  # 404, 408: no more
                found.append((reply, payload))
            if found:
                break
        return found


def outcomes_of(stream, messages):
    """Ids and outcomes. $JS.ACK.stream.consumer.deliveries.number... is where an acknowledgement goes."""
    ids, outcomes = [], []
    for reply, payload in messages:
        row = json.loads(payload)
        named = isinstance(row, dict)
        ids.append(str(row["id"]) if named else f"{stream}:{reply.split('.')[-4]}")
        outcomes.append(row["outcome"] if named else row)
    return ids, outcomes


def carry(nats, flags, learner, consumer):
    nats.make_consumer(flags.stream, consumer, flags.ack_wait)
    while True:
        messages = nats.fetch(flags.stream, consumer, flags.block, 1 if flags.once else 5)
        if messages:
            ids, outcomes = outcomes_of(flags.stream, messages)
            learner.observe_many(outcomes, ids=ids)
            for reply, _ in messages:
                nats.publish(reply, "+ACK")
        elif flags.once:
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nats", help="HOST:PORT of the server")
    parser.add_argument("stream")
    parser.add_argument("url", help="of hannan serve: http://HOST:PORT or unix:PATH")
    parser.add_argument("learner")
    parser.add_argument("--token-file", help="a file with the token, where the service asks for one")
    parser.add_argument("--block", type=int, default=1000, help="messages of a request")
    parser.add_argument("--ack-wait", type=int, default=30, help="seconds until NATS delivers again; longer than a request takes")
    parser.add_argument("--once", action="store_true", help="end when there is nothing more")
    flags = parser.parse_args()
    token = pathlib.Path(flags.token_file).read_text(encoding="utf-8").strip() if flags.token_file else None
    consumer = "hannan-" + flags.learner.replace(".", "_")  # no dots in their names
    with hannan.connect(flags.url, token) as service:
        while True:
            try:
                nats = Nats(flags.nats)
                try:
                    return carry(nats, flags, service.learner(flags.learner), consumer)
                finally:
                    nats.close()
            except OSError:  # NATS is away
                time.sleep(0.5)


if __name__ == "__main__":
    try:
        main()
    except NatsFailure as failure:
        sys.exit(f"nats_bridge: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
