"""An oracle that answers well and then goes wrong in the way its first argument names.

    faulty.py WAY [AT [MARK]]

It always plays the first action of `experts` until call AT (3 where it is left out; 0 is the hello line). With WAY `none`
it never goes wrong; MARK is for finding the process."""
import json
import os
import signal
import sys
import time

WAY, AT = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def go_wrong(number, good):
    if WAY == "crash":
        raise RuntimeError("the cat sat on the keyboard")
    if WAY == "exit":
        sys.exit(7)
    if WAY == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if WAY == "partial":
        sys.stdout.write(good[: len(good) // 2])
        sys.stdout.flush()
        sys.exit(0)
    if WAY == "hang":
        time.sleep(600)
    if WAY == "grandchild":  # a child of ours that would outlive us, holding all streams
        os.system("sleep 600")
    if WAY == "garbage":
        say("hello there")
    if WAY == "empty":
        say("")
    if WAY == "array":
        say("[1,2]")
    if WAY == "nan":
        say('{"id":%d,"action":0,"floor":NaN}' % number)
    if WAY == "wrong-id":
        say('{"id":%d,"action":0}' % (number + 1))
    if WAY == "no-action":
        say('{"id":%d}' % number)
    if WAY == "extra":
        say('{"id":%d,"action":0,"value":0}' % number)
    if WAY == "unknown-action":
        say('{"id":%d,"action":99}' % number)
    if WAY == "text-action":
        say('{"id":%d,"action":"first"}' % number)
    if WAY == "huge":
        say('{"id":%d,"action":"%s"}' % (number, "x" * (3 << 20)))
    if WAY == "endless":
        while True:
            sys.stdout.write("y" * 65536)
    if WAY == "close-output":
        os.close(1)
        time.sleep(600)
    if WAY == "close-input":
        os.close(0)
        time.sleep(600)
    if WAY == "high-floor":
        say('{"id":%d,"action":0,"floor":1000}' % number)
    if WAY == "not-ready":
        say('{"ready":false}')
    if WAY == "not-exact":
        say('{"id":%d,"action":1}' % number)


def main():
    if WAY == "deaf":  # never reads
        time.sleep(600)
    sys.stdin.readline()
    ready = json.dumps({"ready": True, "signed": True, "exact": WAY == "not-exact"})
    if AT == 0:
        go_wrong(0, ready)
    say(ready)
    for line in sys.stdin:
        number = json.loads(line)["id"]
        good = json.dumps({"id": number, "action": 0})
        if WAY == "noisy":  # far more than a pipe holds
            sys.stderr.write("complaint\n" * 50000)
        if WAY == "slow":
            for byte in good + "\n":
                sys.stdout.write(byte)
                sys.stdout.flush()
            continue
        if number == AT and WAY not in ("none", "noisy"):
            go_wrong(number, good)
        else:
            say(good)


if __name__ == "__main__":
    main()
