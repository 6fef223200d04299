"""The routes of the service, rendered from service/openapi.json: a table a route."""
import json

from .stage import write


def resolved(node, whole):
    """A node, or what its $ref names."""
    while "$ref" in node:
        found = whole
        for part in node["$ref"].lstrip("#/").split("/"):
            found = found[part]
        node = found
    return node


def kind_of(schema, whole):
    """A schema in a few words."""
    schema = resolved(schema, whole)
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    for choice in ("oneOf", "anyOf", "allOf"):
        if choice in schema:
            return " or ".join(kind_of(one, whole) for one in schema[choice])
    word = schema.get("type", "any")
    return f"list of {kind_of(schema['items'], whole)}" if word == "array" and "items" in schema else word


def one_line(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def fields(schema, whole):
    """The rows of an object's fields."""
    schema = resolved(schema, whole)
    needed = set(schema.get("required", []))
    return [f"| `{name}` | {one_line(kind_of(part, whole))} | {'yes' if name in needed else ''} | "
            f"{one_line(resolved(part, whole).get('description', ''))} |"
            for name, part in schema.get("properties", {}).items()]


HEAD = ["", "| field | kind | needed | meaning |", "|---|---|---|---|"]


def body_of(content, whole):
    lines = []
    for media, body in content.items():
        schema = body.get("schema", {})
        rows = fields(schema, whole)
        lines += ["", f"`{media}`: {kind_of(schema, whole)}"] + (HEAD + rows if rows else [])
    return lines


def route(path, method, about, shared, whole):
    lines = ["", f"### {method.upper()} {path}", "", one_line(about.get("summary") or about.get("description") or "")]
    parameters = [resolved(one, whole) for one in shared + about.get("parameters", [])]
    if parameters:
        lines += ["", "| parameter | in | kind | needed | meaning |", "|---|---|---|---|---|"]
        lines += [f"| `{one['name']}` | {one['in']} | {one_line(kind_of(one.get('schema', {}), whole))} | "
                  f"{'yes' if one.get('required') else ''} | {one_line(one.get('description', ''))} |" for one in parameters]
    if "requestBody" in about:
        request = resolved(about["requestBody"], whole)
        lines += ["", "Request:"] + body_of(request.get("content", {}), whole)
    lines += ["", "| status | meaning |", "|---|---|"]
    lines += [f"| {status} | {one_line(resolved(reply, whole).get('description', ''))} |" for status, reply in about["responses"].items()]
    return lines


def page(root, target):
    whole = json.loads((root / "service/openapi.json").read_text())
    lines = ["# Routes of the service", "", "Made from `service/openapi.json`, which the service answers with at `/openapi.json`.",
             "What it promises: [service.md](../docs/service.md).", "", "## Routes"]
    for path, methods in whole["paths"].items():
        for method, about in methods.items():
            if method in ("get", "put", "post", "delete", "patch", "head"):
                lines += route(path, method, about, methods.get("parameters", []), whole)
    lines += ["", "## Values"]
    for name, schema in whole["components"]["schemas"].items():
        rows = fields(schema, whole)
        lines += ["", f"### {name}", "", one_line(schema.get("description", kind_of(schema, whole)))] + (HEAD + rows if rows else [])
    write(target, "reference/service.md", "\n".join(lines) + "\n")
