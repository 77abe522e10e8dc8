"""Reactions, notes and custom feedback; queries and purge."""

import pytest
import weave
from programs import call_server, expr, feedback_expr, field, literal, plain


@weave.op
def reply(text):
    return text.upper()


def call_feedback(client, call) -> list:
    """The feedback of a call, read after a flush: the SDK sends feedback from a queue."""
    client.flush()
    return list(client.get_call(call.id).feedback)


@pytest.fixture
def call(client):
    _, call = reply.call("hello")
    client.flush()
    return client.get_call(call.id)


def test_a_reaction(client, call):
    call.feedback.add_reaction("👍")
    [feedback] = call_feedback(client, call)
    assert feedback.feedback_type == "wandb.reaction.1"
    assert feedback.payload["emoji"] == "👍" and feedback.payload["alias"] == ":thumbs_up:"


def test_a_reaction_with_a_skin_tone_includes_the_base_emoji(client, call):
    call.feedback.add_reaction("👍🏽")
    [feedback] = call_feedback(client, call)
    assert feedback.payload["detoned"] == "👍"


def test_a_word_is_not_a_reaction(client, call):
    with pytest.raises(Exception):
        call.feedback.add_reaction("nice")
        assert call_feedback(client, call) != []


def test_a_note_with_its_creator(client, call):
    call.feedback.add_note("well woven", creator="Ada")
    [feedback] = call_feedback(client, call)
    assert feedback.payload["note"] == "well woven" and feedback.creator == "Ada"
    assert feedback.wb_user_id


def test_custom_feedback(client, call):
    call.feedback.add("quality", {"score": 0.75, "why": {"deep": [1, 2]}})
    call.feedback.add("other", value=3)
    first, second = call_feedback(client, call)
    assert plain(first.payload) == {"score": 0.75, "why": {"deep": [1, 2]}}
    assert second.feedback_type == "other" and second.payload["value"] == 3


def test_feedback_of_a_reserved_type_is_refused(client, call):
    with pytest.raises(ValueError):
        call.feedback.add("wandb.mine", {"x": 1})


def test_feedback_is_purged(client, call):
    kept = call.feedback.add_note("keep")
    doomed = call.feedback.add_note("drop")
    client.flush()
    assert len(call.feedback) == 2
    call.feedback.purge(doomed)
    assert [feedback.id for feedback in call_feedback(client, call)] == [kept]


def test_the_feedback_of_a_project_is_queried(client):
    calls = [reply.call(str(n))[1] for n in range(4)]
    client.flush()
    for n, call in enumerate(calls):
        call.feedback.add_reaction("👍" if n % 2 else "👎")
        call.feedback.add("score", {"value": n})
        client.flush()
    assert len(client.get_feedback()) == 8
    assert len(client.get_feedback(reaction="👍")) == 2
    assert len(client.get_feedback(limit=3)) == 3
    assert len(client.get_feedback(offset=6)) == 2
    query = feedback_expr({"$eq": [field("feedback_type"), literal("score")]})
    assert [feedback.payload["value"] for feedback in client.get_feedback(query)] == [0, 1, 2, 3]
    [one] = client.get_feedback(client.get_feedback()[0].id)
    assert one.payload["emoji"] == "👎"


def test_feedback_has_refs_to_its_calls(client):
    calls = [reply.call(str(n))[1] for n in range(2)]
    client.flush()
    for call in calls:
        call.feedback.add_note("x")
    client.flush()
    refs = client.get_feedback().refs()
    assert sorted(refs) == sorted(call.ref.uri for call in calls)


def test_feedback_on_an_object(client):
    ref = weave.publish({"a": 1}, name="judged")
    from weave.trace.feedback import RefFeedbackQuery

    feedback = RefFeedbackQuery(ref.uri)
    feedback.add_note("an object")
    client.flush()
    [note] = RefFeedbackQuery(ref.uri)
    assert note.payload["note"] == "an object"


def test_calls_include_their_feedback(client, call):
    call.feedback.add_reaction("🎉")
    call.feedback.add_note("twice")
    client.flush()
    [read] = client.get_calls(include_feedback=True)
    kinds = {each["feedback_type"] for each in read.summary["weave"]["feedback"]}
    assert kinds == {"wandb.reaction.1", "wandb.note.1"}


def test_calls_are_found_and_sorted_by_feedback(client):
    for n in range(3):
        _, call = reply.call(str(n))
        client.flush()
        call.feedback.add("score", {"value": n})
    client.flush()
    best = list(client.get_calls(sort_by=[{"field": "feedback.[score].payload.value", "direction": "desc"}]))
    assert [call.inputs["text"] for call in best] == ["2", "1", "0"]
    query = expr({"$gt": [{"$convert": {"input": field("feedback.[score].payload.value"), "to": "int"}}, literal(0)]})
    assert {call.inputs["text"] for call in client.get_calls(query=query)} == {"1", "2"}


def test_an_annotation_follows_its_spec(client, call):
    spec = weave.publish(weave.AnnotationSpec(name="rating", field_schema={"type": "integer", "minimum": 1, "maximum": 5}))
    call.feedback.add("wandb.annotation.rating", {"value": 4}, annotation_ref=spec.uri)
    [feedback] = call_feedback(client, call)
    assert feedback.payload["value"] == 4 and feedback.annotation_ref == spec.uri


def test_feedback_sent_with_the_call_is_stored(client):
    _, call = reply.call("at once")
    call.feedback.add_note("before the call was stored")
    assert len(call_feedback(client, call)) == 1


def test_feedback_is_replaced(client, call):
    before = call.feedback.add_note("draft")
    client.flush()
    response = call_server(
        client,
        "feedback_replace",
        "FeedbackReplaceReq",
        feedback_id=before,
        weave_ref=call.ref.uri,
        feedback_type="wandb.note.1",
        payload={"note": "final"},
    )
    [feedback] = call_feedback(client, call)
    assert feedback.id == response.id and feedback.payload["note"] == "final"
