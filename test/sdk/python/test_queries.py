"""`client.get_calls`: filters, queries, sorting, columns, expanded refs."""

import datetime

import pytest
import weave
from programs import expr, field, literal, plain, stored


@weave.op
def fetch(n, label):
    return {"n": n, "square": n * n, "label": label}


@weave.op
def other(n):
    if n == 2:
        raise ValueError("two")
    return n


@pytest.fixture
def filled(client):
    with weave.attributes({"batch": "first"}):
        for n in range(6):
            fetch(n, f"label {n}")
    for n in range(3):
        try:
            other(n)
        except ValueError:
            pass
    client.flush()
    return client


def outputs(calls):
    return [plain(call.output) for call in calls]


def test_by_op_name_with_any_version(filled):
    name = f"weave:///{filled.project_id}/op/fetch:*"
    assert len(stored(filled, filter={"op_names": [name]})) == 6
    exact = stored(filled, filter={"op_names": [name]})[0].op_name
    assert len(stored(filled, filter={"op_names": [exact]})) == 6
    assert len(stored(filled, filter={"op_names": [f"weave:///{filled.project_id}/op/nothing:*"]})) == 0


def test_by_ids_and_roots(filled):
    calls = stored(filled)
    ids = [calls[1].id, calls[3].id]
    assert [call.id for call in stored(filled, filter={"call_ids": ids})] == ids
    assert len(stored(filled, filter={"trace_ids": [calls[0].trace_id]})) == 1
    assert len(stored(filled, filter={"trace_roots_only": True})) == 9
    assert len(stored(filled, filter={"parent_ids": [calls[0].id]})) == 0


def test_limit_and_offset(filled):
    calls = stored(filled)
    assert [call.id for call in stored(filled, limit=3, offset=2)] == [call.id for call in calls[2:5]]


def test_slices_and_length(filled):
    calls = filled.get_calls(sort_by=[{"field": "started_at", "direction": "asc"}])
    assert len(calls) == 9
    assert [call.output["n"] for call in calls[1:4]] == [1, 2, 3]
    assert calls[5].output["n"] == 5


def test_pages_smaller_than_the_result(filled):
    calls = filled.get_calls(page_size=2, sort_by=[{"field": "started_at", "direction": "asc"}])
    assert [call.inputs["n"] for call in calls] == [0, 1, 2, 3, 4, 5, 0, 1, 2]


def test_equals_on_an_input(filled):
    [call] = stored(filled, query=expr({"$eq": [field("inputs.label"), literal("label 4")]}))
    assert call.output["square"] == 16


def test_greater_than_on_an_output(filled):
    calls = stored(filled, query=expr({"$gt": [{"$convert": {"input": field("output.square"), "to": "int"}}, literal(8)]}))
    assert [call.output["n"] for call in calls] == [3, 4, 5]


def test_contains_and_in(filled):
    contains = expr({"$contains": {"input": field("inputs.label"), "substr": literal("LABEL"), "case_insensitive": True}})
    assert len(stored(filled, query=contains)) == 6
    among = expr({"$in": [field("inputs.label"), [literal("label 1"), literal("label 5"), literal("nowhere")]]})
    assert [call.output["n"] for call in stored(filled, query=among)] == [1, 5]


def test_and_or_not(filled):
    query = expr(
        {
            "$and": [
                {"$or": [{"$eq": [field("inputs.label"), literal("label 1")]}, {"$eq": [field("inputs.label"), literal("label 2")]}]},
                {"$not": [{"$eq": [field("inputs.label"), literal("label 2")]}]},
            ]
        }
    )
    assert [call.output["n"] for call in stored(filled, query=query)] == [1]


def test_by_status(filled):
    [call] = stored(filled, query=expr({"$eq": [field("summary.weave.status"), literal("error")]}))
    assert "two" in call.exception


def test_by_attribute(filled):
    assert len(stored(filled, query=expr({"$eq": [field("attributes.batch"), literal("first")]}))) == 6


def test_by_time(filled):
    calls = stored(filled)
    query = expr({"$gte": [field("started_at"), literal(calls[6].started_at.timestamp())]})
    assert len(stored(filled, query=query)) == 3
    future = expr({"$gt": [field("started_at"), literal(datetime.datetime.now().timestamp() + 3600)]})
    assert stored(filled, query=future) == []


def test_by_exception(filled):
    none = expr({"$eq": [field("exception"), literal(None)]})
    assert len(stored(filled, query=none)) == 8


def test_sorted_by_an_output_descending(filled):
    calls = stored(filled, query=expr({"$eq": [field("attributes.batch"), literal("first")]}), sort_by=[{"field": "output.square", "direction": "desc"}])
    assert [call.output["n"] for call in calls] == [5, 4, 3, 2, 1, 0]


def test_sorted_by_several_fields(filled):
    calls = stored(filled, sort_by=[{"field": "inputs.n", "direction": "desc"}, {"field": "op_name", "direction": "asc"}])
    assert [call.inputs["n"] for call in calls] == [5, 4, 3, 2, 2, 1, 1, 0, 0]


def test_sorted_by_latency(filled):
    calls = stored(filled, sort_by=[{"field": "summary.weave.latency_ms", "direction": "asc"}])
    latencies = [call.summary["weave"]["latency_ms"] for call in calls]
    assert latencies == sorted(latencies)


def test_only_the_requested_columns(filled):
    calls = stored(filled, columns=["inputs.n"])
    assert [call.inputs["n"] for call in calls] == [0, 1, 2, 3, 4, 5, 0, 1, 2]
    assert all(call.output is None for call in calls)
    assert all(call.id and call.trace_id and call.op_name for call in calls)


def test_a_key_of_an_output_brings_the_output(filled):
    calls = stored(filled, columns=["output.square"], filter={"op_names": [f"weave:///{filled.project_id}/op/fetch:*"]})
    assert [call.output["square"] for call in calls] == [0, 1, 4, 9, 16, 25]
    assert all(plain(call.inputs) == {} for call in calls)


def test_refs_are_expanded(client):
    ref = weave.publish({"colour": "red", "size": {"w": 3}}, name="thing")
    plainer = weave.publish({"colour": "blue", "size": {"w": 1}}, name="thing")

    @weave.op
    def use(thing):
        return 1

    for each in (ref, plainer):
        use(each.get())
    red = stored(client, expand_columns=["inputs.thing"], query=expr({"$eq": [field("inputs.thing.colour"), literal("red")]}))
    assert len(red) == 1
    ordered = stored(client, expand_columns=["inputs.thing"], sort_by=[{"field": "inputs.thing.size.w", "direction": "desc"}])
    assert [plain(call.inputs["thing"])["colour"] for call in ordered] == ["red", "blue"]


def test_calls_by_the_object_they_used(client):
    class Config(weave.Object):
        depth: int

    shallow, deep = Config(name="config", depth=1), Config(name="config", depth=9)
    refs = [weave.publish(config) for config in (shallow, deep)]

    @weave.op
    def run(config):
        return config.depth

    run(shallow), run(deep), run(deep)
    assert [call.output for call in stored(client, filter={"input_refs": [refs[1].uri]})] == [9, 9]
    assert len(stored(client, filter={"input_refs": [f"weave:///{client.project_id}/object/config:*"]})) == 3


def test_calls_by_what_they_returned(client):
    made = weave.publish({"made": True}, name="product").get()

    @weave.op
    def make():
        return made

    make()
    client.flush()
    assert len(stored(client, filter={"output_refs": [f"weave:///{client.project_id}/object/product:*"]})) == 1


def test_sizes_are_included(filled):
    calls = stored(filled, include_storage_size=True, include_total_storage_size=True)
    assert all(call.storage_size_bytes > 0 for call in calls)
    assert all(call.total_storage_size_bytes >= call.storage_size_bytes for call in calls)


def test_calls_of_a_user(filled):
    [user] = {call.wb_user_id for call in stored(filled)}
    assert len(stored(filled, filter={"wb_user_ids": [user]})) == 9
    assert stored(filled, filter={"wb_user_ids": ["nobody"]}) == []


def test_a_name_instead_of_a_user_id(filled):
    assert {call.wb_username for call in stored(filled, include_usernames=True)} == {"admin"}


def test_a_malformed_query_is_an_error(filled):
    with pytest.raises(Exception):
        stored(filled, query={"$expr": {"$nonsense": []}})


def test_an_unknown_call_is_an_error(filled):
    with pytest.raises(ValueError):
        filled.get_call("0199f0a0-0000-7000-8000-000000000000")


def test_no_calls_is_an_empty_list(client):
    assert stored(client) == [] and len(client.get_calls()) == 0
