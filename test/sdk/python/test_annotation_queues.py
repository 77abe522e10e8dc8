"""Annotation queues: created, filled, listed and counted by newer releases, which store them as review queues."""

import pytest
import weave
from programs import expr, field, literal, stored
from weave.trace.weave_client import WeaveClient

if not hasattr(WeaveClient, "create_annotation_queue"):
    pytest.skip("this release has no annotation queues", allow_module_level=True)


@weave.op
def answer(n):
    return n * 2


@pytest.fixture
def call_ids(client):
    for n in range(3):
        answer(n)
    return [call.id for call in stored(client)]


@pytest.fixture
def queue_id(client):
    spec = weave.AnnotationSpec(name="correct", field_schema={"type": "boolean"})
    ref = weave.publish(spec, "correct")
    return client.create_annotation_queue(name="Refunds", scorer_refs=[ref.uri()], description="Was it right?")


def test_a_queue_is_created_read_changed_and_deleted(client, queue_id):
    queue = client.get_annotation_queue(queue_id)
    assert (queue.id, queue.name, queue.description) == (queue_id, "Refunds", "Was it right?")
    assert [weave.ref(ref).get().name for ref in queue.scorer_refs] == ["correct"]
    assert (queue.project_id, queue.created_by, queue.deleted_at) == (client.project_id, "admin", None)

    changed = client.update_annotation_queue(queue_id, name="Returns")
    assert (changed.name, changed.description, changed.scorer_refs) == (
        "Returns",
        "Was it right?",
        queue.scorer_refs,
    )
    assert changed.updated_at > queue.updated_at

    assert client.delete_annotation_queue(queue_id).deleted_at is not None
    assert client.list_annotation_queues() == []
    with pytest.raises(Exception, match="404"):
        client.get_annotation_queue(queue_id)


def test_queues_are_listed(client, queue_id):
    other = client.create_annotation_queue(name="Tone", scorer_refs=[])
    assert [queue.id for queue in client.list_annotation_queues()] == [other, queue_id]
    assert [queue.id for queue in client.list_annotation_queues(name="refund")] == [queue_id]
    by_name = [{"field": "name", "direction": "asc"}]
    assert [queue.name for queue in client.list_annotation_queues(sort_by=by_name, limit=1)] == ["Refunds"]
    assert [queue.name for queue in client.list_annotation_queues(sort_by=by_name, offset=1)] == ["Tone"]


def test_calls_are_added_listed_and_counted(client, queue_id, call_ids):
    added = client.add_calls_to_annotation_queue(queue_id, call_ids=call_ids[:2], display_fields=["inputs.n"])
    assert (added.added_count, added.duplicates) == (2, 0)
    added = client.add_calls_to_annotation_queue(queue_id, call_ids=call_ids, display_fields=["output"])
    assert (added.added_count, added.duplicates) == (1, 2)

    items = client.list_annotation_queue_items(queue_id, include_position=True)
    assert [(item.call_id, item.position_in_queue) for item in items] == list(zip(call_ids, [1, 2, 3]))
    assert [item.display_fields for item in items] == [["inputs.n"], ["inputs.n"], ["output"]]
    assert {item.annotation_state for item in items} == {"unstarted"}
    [item] = client.list_annotation_queue_items(queue_id, filter={"call_id": call_ids[1]})
    assert (item.call_id, item.added_by) == (call_ids[1], "admin")
    assert item.call_started_at is not None and item.call_ended_at is not None
    assert item.call_op_name.startswith("weave:///") and item.call_trace_id

    in_queue = expr({"$eq": [field("annotation_queue_items.queue_id"), literal(queue_id)]})
    assert [call.id for call in stored(client, query=in_queue)] == call_ids


def test_the_state_of_items_is_stored(client, queue_id, call_ids):
    client.add_calls_to_annotation_queue(queue_id, call_ids=call_ids, display_fields=[])
    items = client.list_annotation_queue_items(queue_id)

    def progress(item, state):
        request = {"queue_id": queue_id, "item_id": item.id, "annotation_state": state}
        return client.server.annotator_queue_items_progress_update(
            {"project_id": client.project_id, **request}
        ).item.annotation_state

    states = ["completed", "skipped", "in_progress"]
    assert [progress(item, state) for item, state in zip(items, states)] == states
    items = client.list_annotation_queue_items(queue_id)
    assert [(item.annotation_state, item.annotator_user_id) for item in items] == [
        (state, "admin") for state in states
    ]
    open_items = client.list_annotation_queue_items(queue_id, filter={"annotation_states": ["in_progress"]})
    assert [item.call_id for item in open_items] == [call_ids[2]]
    [stats] = client.get_annotation_queue_stats([queue_id])
    assert (stats.queue_id, stats.total_items, stats.completed_items) == (queue_id, 3, 2)
