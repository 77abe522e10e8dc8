"""Conversations: agents, turns, model calls and tools, which newer releases send as OpenTelemetry spans."""

import pytest
import weave
from programs import call_server, stored

if not hasattr(weave, "start_conversation"):
    pytest.skip("this release has no conversations", allow_module_level=True)

from opentelemetry import trace
from weave.conversation import Message, Turn, Usage, log_conversation


@weave.op
def lookup(x):
    return x * 2


def spans(client) -> dict[str, list]:
    """The calls of the project by the name of their op, oldest first."""
    trace.get_tracer_provider().force_flush()
    calls = {}
    for call in stored(client):
        calls.setdefault(call.func_name, []).append(call)
    return calls


def converse():
    with weave.start_conversation(agent_name="bot", conversation_id="conv-1"):
        with weave.start_turn(user_message="weather?"):
            with weave.start_llm(model="gpt-4o", provider_name="openai") as llm:
                llm.record(
                    input_messages=[Message(role="user", content="weather?")],
                    output_messages=[Message(role="assistant", content="rain")],
                    usage=Usage(input_tokens=5, output_tokens=7),
                )
                llm.think("look outside")
            with weave.start_tool(name="search", arguments='{"q": "rain"}', tool_call_id="t-1") as tool:
                tool.result = '{"found": 1}'
            with weave.start_subagent(name="helper", model="gpt-4o-mini") as helper:
                with helper.start_llm(model="gpt-4o-mini") as llm:
                    llm.output("from the helper")
            lookup(4)
        with weave.start_turn(user_message="again") as turn:
            with weave.start_llm(model="gpt-4o") as llm:
                llm.output("second")
            turn.record_error(ValueError("no weather"))


def test_nothing_of_a_conversation_is_lost(client):
    converse()
    calls = spans(client)
    assert {name: len(each) for name, each in calls.items()} == {
        "invoke_agent bot": 2,
        "invoke_agent helper": 1,
        "chat gpt-4o": 2,
        "chat gpt-4o-mini": 1,
        "search": 1,
        "lookup": 1,
    }
    first, second = calls["invoke_agent bot"]
    assert first.inputs["messages"][0]["parts"][0]["content"] == "weather?"
    chat = calls["chat gpt-4o"][0]
    assert chat.output["messages"][0]["parts"] == [
        {"type": "reasoning", "content": "look outside"},
        {"type": "text", "content": "rain"},
    ]
    usage = chat.summary["usage"]["gpt-4o"]
    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]) == (5, 7, 12)
    [search] = calls["search"]
    assert (search.inputs, search.output) == ({"q": "rain"}, {"found": 1})
    [helper] = calls["invoke_agent helper"]
    [inner] = calls["chat gpt-4o-mini"]
    parents = {chat.parent_id, search.parent_id, helper.parent_id}
    assert parents == {first.id} and inner.parent_id == helper.id
    assert inner.output["messages"][0]["parts"][0]["content"] == "from the helper"
    assert (first.exception, second.exception.strip()) == (None, "ValueError: no weather")


def test_a_conversation_is_a_thread_of_its_turns(client):
    converse()
    turns = spans(client)["invoke_agent bot"]
    [thread] = call_server(client, "threads_query_stream", "ThreadsQueryReq")
    assert (thread.thread_id, thread.turn_count) == ("conv-1", 2)
    assert (thread.first_turn_id, thread.last_turn_id) == (turns[0].id, turns[1].id)
    inside = stored(client, filter={"thread_ids": ["conv-1"]})
    assert len(inside) == 7 and {call.func_name for call in inside}.isdisjoint({"lookup"})


def test_a_logged_conversation_is_stored(client):
    result = log_conversation(
        conversation_id="logged",
        agent_name="bot",
        turns=[Turn(messages=[Message(role="user", content=text)]) for text in ("one", "two")],
    )
    calls = spans(client)["invoke_agent bot"]
    assert result.conversation_id == "logged"
    assert [call.inputs["messages"][0]["parts"][0]["content"] for call in calls] == ["one", "two"]
    assert {call.thread_id for call in calls} == {"logged"}
