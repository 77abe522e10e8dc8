"""Extensions of Schemathesis for this API, loaded through SCHEMATHESIS_HOOKS."""

import json
from datetime import datetime

import jsonschema_rs
import schemathesis
from hypothesis import strategies
from schemathesis.core.failures import Failure

COMPONENTS = "#/components/schemas/"

# This operation is tested with the whole grammar of queries. One parser reads the queries of all operations, so the
# others get queries with a single comparison: the whole grammar is 2,500 cases for each of them.
WHOLE_GRAMMAR = "/calls/query_stats"


# The server stores the years 1900 to 2299. Most times of the default strategy do not match the pattern that says so.
schemathesis.openapi.format(
    "date-time",
    strategies.datetimes(datetime(1900, 1, 2), datetime(2299, 12, 30)).map(lambda time: f"{time.isoformat()}Z"),
)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    schemas = raw_schema["components"]["schemas"]
    for name in [name for name in schemas if name.endswith("Query") and name != "PurgeQuery"]:
        schemas[f"Single{name}"] = single_comparison(schemas, name)
    for path, methods in raw_schema["paths"].items():
        if path != WHOLE_GRAMMAR:
            raw_schema["paths"][path] = with_single_comparisons(methods, schemas)


def single_comparison(schemas, name):
    """`{"$expr": {"$eq": [field, literal]}}` with the fields of this kind of query."""
    operands = schemas[name.replace("Query", "Operand")]["oneOf"]
    field, literal = (
        next(operand for operand in operands if operator in operand.get("required", ()))
        for operator in ("$getField", "$literal")
    )
    equal = {"type": "array", "prefixItems": [field, literal], "minItems": 2, "maxItems": 2}
    node = {"type": "object", "required": ["$eq"], "properties": {"$eq": equal}, "additionalProperties": False}
    return {**schemas[name], "properties": {"$expr": node}}


def with_single_comparisons(value, schemas):
    if isinstance(value, list):
        return [with_single_comparisons(inner, schemas) for inner in value]
    if not isinstance(value, dict):
        return value
    name = str(value.get("$ref", "")).removeprefix(COMPONENTS)
    if f"Single{name}" in schemas:
        return {**value, "$ref": f"{COMPONENTS}Single{name}"}
    return {key: with_single_comparisons(inner, schemas) for key, inner in value.items()}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    return not is_sign_in_limit(failure) and not is_being_deleted(failure, response)


def is_sign_in_limit(failure):
    """Wrong passwords are limited by name, so the probes of `ignored_auth` get 429 after the first ones."""
    return type(failure).__name__ == "IgnoredAuth" and "429" in failure.message


def is_being_deleted(failure, response):
    """A second deletion of a project while the first one lasts is asked to try again."""
    if type(failure).__name__ != "ServerError" or response.status_code != 503:
        return False
    return "retry-after" in response.headers and "is being deleted" in response.json()["reason"]


@schemathesis.check
def json_lines_conformance(ctx, response, case):
    """Every line of a JSON Lines response matches the schema, which describes one line."""
    if response.status_code != 200 or "jsonl" not in response.headers.get("content-type", [""])[0]:
        return
    document = case.operation.schema.raw_schema
    definition = document["paths"][case.operation.path][case.operation.method.lower()]
    schema = definition["responses"]["200"]["content"]["application/jsonl"]["schema"]
    if schema.get("format") == "binary":
        return
    validator = jsonschema_rs.validator_for({**schema, "components": document["components"]})
    for line in response.content.decode().splitlines():
        if error := next(validator.iter_errors(json.loads(line)), None):
            raise Failure(operation=case.operation.label, title="Invalid line", message=error.message)
