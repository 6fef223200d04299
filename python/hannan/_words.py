"""Messages of the library in words of Python: arguments where the program has flags.

Every error passes through :func:`in_python` when it becomes an exception, so that no message needs a second form.
"""

from __future__ import annotations

import re

#: Flags whose argument has another name, or that stand for data.
_SHORT = {"n": "count", "d": "outcomes", "l": "learners", "o": "path", "p": "path"}
_RENAMED = {"data": "outcomes", "learner": "learners", "for": "problem"}
#: Flags without a value.
_SWITCHES = {"accept-hidden", "complete", "floors-drop-empty", "losses", "no-rivals", "randomised", "reverse", "small",
             "top-hidden"}

# A command of the program is named as it is typed.
_COMMAND = re.compile(r"hannan (?:run|convert|compare|experiment|report|oracle|fold|serve|check|simulate)(?: --[a-z-]+)*")
# Where a message names the command and the call, the call is enough.
_COMBINE = re.compile(r"hannan compare forecasts -d .*? --actual [^;]*; in Python ")
_HELP = re.compile(r"hannan help ([a-z][a-z-]*)")
_PARAM = re.compile(r"--param ([A-Za-z_]+)=(\"?)([^\s,;:\"')]+)\2")
_BARE_PARAM = re.compile(r"--param ([a-z_]+)(?![\w=])")
_LISTED = re.compile(r"--(where|names|columns) ([^\s=,;]+=[^\s,;]+)")
# A value is a placeholder in capitals, a number, or a word that another flag or a mark follows.
_FLAG = re.compile(r"(?<![\w-])--([a-z][a-z-]*)(?:([ =])([A-Z][A-Z0-9_.=:,]*(?![a-z])|[0-9][0-9.]*[0-9]|[0-9]))?")
_WORD = re.compile(r"([a-z_]+)= (long|wide|openrtb|identity|all|segment|rank|order|none|pool|drop|day-first|month-first|"
                   r"pay-as-bid|second-price|first-price|posted|uniform|sleep|worst|refuse)\b")
_LETTER = re.compile(r"(?<![\w-])-([ndlop])(?![\w-])")


def in_python(text: str) -> str:
    """The text with arguments for flags: ``--cap-quantile 1`` is ``cap_quantile=1``."""
    if "--" not in text and not _LETTER.search(text) and "hannan help" not in text:
        return text
    text = _COMBINE.sub("", text)
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found.group())
        return f"\x00{len(kept) - 1}\x00"

    said = _HELP.sub(_page, text)
    said = _COMMAND.sub(keep, said)
    said = _PARAM.sub(lambda found: f"{found[1]}={_literal(found[3])}", said)
    if re.fullmatch(r"--param(\.[a-z_]+)?", said):  # a place
        return said.replace("--param", "params")
    if re.fullmatch(r"--[a-z][a-z-]*|-[ndlop]", said):
        return _argument(said)
    said = _BARE_PARAM.sub(r"\1=", said)
    said = _LISTED.sub(r'\1=["\2"]', said)
    said = _FLAG.sub(_keyword, said)
    said = _WORD.sub(lambda found: f'{found[1]}="{found[2]}"', said)
    said = _LETTER.sub(lambda found: _SHORT[found[1]] + "=", said)
    return re.sub(r"\x00(\d+)\x00", lambda found: kept[int(found[1])], said)


def _page(found: re.Match[str]) -> str:
    return "docs/logs.md" if found[1] == "logs" else f"docs/problems/{found[1]}.md"


def _argument(flag: str) -> str:
    name = flag.lstrip("-")
    return _SHORT[name] if not flag.startswith("--") else _RENAMED.get(name, name).replace("-", "_")


def _keyword(found: re.Match[str]) -> str:
    name, value = _argument("--" + found[1]), found[3]
    if found[1] in _SWITCHES:
        return f"{name}=True" + (f"{found[2]}{value}" if value else "")
    return f"{name}={value or ''}"


def _literal(value: str) -> str:
    plain = re.fullmatch(r"-?[0-9.]+|[A-Z_]+|true|false|\[.*", value)
    return value if plain else f'"{value}"'
