"""The rules of Prebid's price floors, schema versions 1 and 2, as its documentation and module state them.

The data object must hold schema.fields, a list of at least one different string, and values, an object of at least one rule. The
fields gptSlot, adUnitCode, mediaType, size and domain are built in; any other needs a matching function of the same name on the page
(additionalSchemaFields). A rule's key has as many parts as there are fields, cut at schema.delimiter ("|" unless said otherwise), keys
are compared in lower case, "*" matches anything, and the floor is a number. A rule that breaks this is thrown away in silence, so here
it is an error. currency is three letters, modelVersion a string, skipRate a whole number from 0 to 100, default a number that holds
where no rule matches, floorMin a number below which no floor goes. floorsSchemaVersion is 1 or left out.

Version 2 has modelGroups, a list of at least one object with schema, values, default and a modelWeight from 1 to 100, of which one is
drawn by its weight; floorsSchemaVersion is 2, and what a group does not say stands beside the groups."""
import re

BUILT_IN = {"gptSlot", "adUnitCode", "mediaType", "size", "domain"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def one_model(floors):
    """The same as an object of schema version 1; of version 2 with one group."""
    if floors.get("floorsSchemaVersion") != 2:
        return floors
    group, = floors["modelGroups"]
    if not isinstance(group["modelWeight"], int) or not 1 <= group["modelWeight"] <= 100:
        raise ValueError("a modelWeight outside 1..100")
    if any(name in floors for name in ("schema", "values", "default")):
        raise ValueError("rules beside modelGroups")
    outer = {name: value for name, value in floors.items() if name not in ("modelGroups", "floorsSchemaVersion")}
    return {**outer, **{name: value for name, value in group.items() if name != "modelWeight"}}


def faults(floors, extra_fields=()):
    """What is wrong with a price-floors object; nothing for a good one."""
    wrong = []

    def rule(holds, text):
        if not holds:
            wrong.append(text)
    if not isinstance(floors, dict):
        return ["not an object"]
    rule(floors.get("floorsSchemaVersion", 1) == 1, "floorsSchemaVersion is not 1")
    schema = floors.get("schema")
    fields = schema.get("fields") if isinstance(schema, dict) else None
    if not isinstance(fields, list) or not fields or not all(isinstance(f, str) for f in fields):
        return wrong + ["schema.fields is not a list of strings"]
    rule(len(set(fields)) == len(fields), "a field twice")
    rule(all(f in BUILT_IN or f in extra_fields for f in fields), "an unknown field")
    delimiter = schema.get("delimiter", "|")
    rule(isinstance(delimiter, str) and len(delimiter) == 1, "a delimiter that is not a character")
    values = floors.get("values")
    if not isinstance(values, dict) or not values:
        return wrong + ["values is not an object of rules"]
    for key, floor in values.items():
        rule(len(key.split(delimiter)) == len(fields), f"rule {key!r} has another number of parts than there are fields")
        rule(all(key.split(delimiter)), f"rule {key!r} has an empty part")
        rule(is_number(floor) and floor >= 0, f"rule {key!r} has no number for a floor")
    rule(len({key.lower() for key in values}) == len(values), "two rules that are one in lower case")
    rule(re.fullmatch("[a-zA-Z]{3}", floors.get("currency", "USD")) is not None, "a currency that is not three letters")
    rule(isinstance(floors.get("modelVersion", ""), str), "a modelVersion that is not a string")
    rule(isinstance(floors.get("floorProvider", ""), str), "a floorProvider that is not a string")
    skip = floors.get("skipRate", 0)
    rule(isinstance(skip, int) and 0 <= skip <= 100, "a skipRate outside 0..100")
    for name in ("default", "floorMin"):
        rule(name not in floors or is_number(floors[name]), f"{name} is not a number")
    return wrong


def floor_for(floors, *values):
    """The floor a bid with these field values must meet: the first matching rule, most specific first, else the default."""
    delimiter = floors["schema"].get("delimiter", "|")
    rules = {key.lower(): floor for key, floor in floors["values"].items()}
    choices = [[]]
    for value in values:
        choices = [head + [part] for head in choices for part in (value.lower(), "*")]
    choices.sort(key=lambda parts: parts.count("*"))
    found = next((rules[k] for k in (delimiter.join(c) for c in choices) if k in rules), floors.get("default"))
    return max(found, floors.get("floorMin", 0))
