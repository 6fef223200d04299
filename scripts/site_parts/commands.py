"""The command reference: what the program says of itself, `hannan COMMAND --help-all`, a page a command."""
import re
import subprocess

from .stage import write

# Commands for one kind of data, which the list of the program leaves to their own help.
KINDS = [(f"{name} forecasts", "the same for tables of forecasts") for name in ("run", "compare", "oracle")]


WIDE = "---\nhide:\n  - toc\n---\n\n"  # the help has 100 characters a line, and no headings


def said(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise SystemExit(f"{program} {' '.join(words)}: found exit status {done.returncode}, expected 0: {done.stderr}")
    return done.stdout


def names_of(help_text):
    """The commands that the help of the program lists, with what they do. A name may have two words."""
    part = help_text[help_text.index("\nCommands:\n"):].split("\n\n")[0]
    return re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +(\S.*(?:\n {20,}\S.*)*)$", part, re.MULTILINE)


def fenced(text):
    return "```text\n" + text.rstrip("\n") + "\n```\n"


def pages(program, target):
    """Writes reference/commands/; returns the entries of the navigation."""
    overview = said(program, "--help")
    rows, entries = [], [{"All commands": "reference/commands/index.md"}]
    for name, about in names_of(overview) + KINDS:
        file = name.replace(" ", "-") + ".md"
        text = said(program, *name.split(), "--help-all")
        write(target, f"reference/commands/{file}", f"{WIDE}# hannan {name}\n\n" + fenced(text))
        rows.append(f"| [{name}]({file}) | {' '.join(about.split())} |")
        entries.append({name: f"reference/commands/{file}"})
    if not rows:
        raise SystemExit("found no command in the help of the program, expected some")
    write(target, "reference/commands/index.md", "# Commands\n\nMade from the program's own help.\n\n| command | what it does |\n"
          "|---|---|\n" + "\n".join(rows) + "\n\n" + fenced(said(program, "help")))
    return entries
