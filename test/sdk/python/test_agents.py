"""Queries of agents, by the public methods of the client."""

import datetime

import pytest
import weave

if not hasattr(weave.trace.weave_client.WeaveClient, "get_agents"):
    pytest.skip("this release has no queries of agents", allow_module_level=True)

from opentelemetry import trace
from weave.conversation import Message, Usage


@pytest.fixture
def conversation(client) -> str:
    with weave.start_conversation(agent_name="bot", conversation_id="conv-1") as conversation:
        for question in ("weather?", "and tomorrow?"):
            with conversation.start_turn(user_message=question, agent_version="v1") as turn:
                with weave.start_llm(model="gpt-4o", provider_name="openai") as llm:
                    llm.record(
                        input_messages=[Message(role="user", content=question)],
                        output_messages=[Message(role="assistant", content=f"rain: {question}")],
                        usage=Usage(input_tokens=5, output_tokens=7),
                    )
                with weave.start_tool(name="search", arguments='{"q": "rain"}', tool_call_id="t-1") as tool:
                    tool.result = '{"found": 1}'
                with weave.start_subagent(name="helper", model="gpt-4o-mini"):
                    pass
                turn.set_attributes({"team": "north", "size": 4})
    trace.get_tracer_provider().force_flush()


def test_agents_and_their_versions_are_listed(client, conversation):
    agents = client.get_agents()
    assert len(agents) == 2
    assert {agent.agent_name: agent.invocation_count for agent in agents} == {"bot": 2, "helper": 2}
    [bot] = client.get_agents(agent_name="bot")
    assert (bot.span_count, bot.error_count, bot.total_cost_usd) == (2, 0, None)
    assert bot.first_seen < bot.last_seen
    [version] = client.get_agent_versions(agent_name="bot")
    assert (version.agent_version, version.span_count) == ("v1", 2)
    by_count = client.get_agents(sort_by=[{"field": "first_seen", "direction": "asc"}], limit=1)
    assert [agent.agent_name for agent in by_count] == ["bot"]


def test_spans_are_listed_by_page_and_query(client, conversation):
    spans = client.get_agent_spans(page_size=3)
    assert len(spans) == 8
    assert len({span.span_id for span in spans}) == 8
    assert {span.span_name for span in client.get_agent_spans(agent_name="bot")} == {"invoke_agent bot"}
    query = {"$expr": {"$eq": [{"$getField": "operation_name"}, {"$literal": "chat"}]}}
    chats = list(client.get_agent_spans(query=query, sort_by=[{"field": "started_at", "direction": "asc"}]))
    assert [(chat.input_tokens, chat.output_tokens) for chat in chats] == [(5, 7), (5, 7)]
    assert {chat.conversation_id for chat in chats} == {"conv-1"}
    assert list(client.get_agent_spans(agent_name="nobody", query=query)) == []


def test_a_turn_is_a_chat(client, conversation):
    turns = client.get_agent_turns(conversation_id="conv-1", include_feedback=True)
    assert (turns.total_turns, turns.has_more, len(turns.turns)) == (2, False, 2)
    turn = client.get_agent_turn(trace_id=turns.turns[0].trace_id)
    assert (turn.agent_name, turn.agent_version, turn.total_input_tokens) == ("bot", "v1", 5)
    kinds = [message.type for message in turn.messages]
    assert kinds == ["agent_start", "user_message", "assistant_message", "tool_call", "agent_start"]
    assert turn.messages[1].user_message.text == "weather?"
    assert turn.messages[2].assistant_message.text == "rain: weather?"
    assert turn.messages[3].tool_call.tool_result == '{"found": 1}'
    latest = client.get_agent_turns(conversation_id="conv-1", limit=1)
    assert latest.turns[0].messages[1].user_message.text == "and tomorrow?"


def test_spans_are_counted_over_time(client, conversation):
    start = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=5)
    metrics = [
        {
            "alias": "tokens",
            "value": {"source": "field", "key": "input_tokens"},
            "value_type": "number",
            "aggregations": ["sum"],
        }
    ]
    group_by = [{"source": "field", "key": "operation_name"}]
    stats = client.get_agent_span_stats(start=start, metrics=metrics, group_by=group_by, granularity=86400)
    rows = {}
    for row in stats.rows:
        count, tokens = rows.get(row["operation_name"], (0, 0))
        rows[row["operation_name"]] = (count + row["count"], tokens + row["sum_tokens"])
    assert rows == {"invoke_agent": (4, 0), "chat": (2, 10), "execute_tool": (2, 0)}
    assert [column.role for column in stats.columns] == ["time", "group", "metric", "metric"]


def test_custom_attributes_are_listed(client, conversation):
    found = client.get_agent_custom_attributes()
    counts = {(each.key, each.value_type, each.source): each.span_count for each in found.attributes}
    assert counts["team", "string", "custom_attrs_string"] == 2
    assert counts["size", "int", "custom_attrs_int"] == 2
    page = client.get_agent_custom_attributes(limit=1, offset=1)
    assert (page.limit, page.offset, len(page.attributes)) == (1, 1, 1)
    query = {"$expr": {"$eq": [{"$getField": "agent_name"}, {"$literal": "nobody"}]}}
    none = client.get_agent_custom_attributes(query=query)
    assert (none.attributes, none.has_more) == ([], False)


def test_conversations_have_their_spans_in_short(client, conversation):
    found = client.server.agent_conversation_spans(
        {"project_id": client.project_id, "conversation_ids": ["conv-1", "unknown"]}
    )
    known, unknown = found.conversations
    names = ["invoke_agent", "chat", "execute_tool", "invoke_agent"]
    assert [span.operation_name for span in known.spans] == names * 2
    assert len({span.trace_id for span in known.spans}) == 2
    assert (unknown.conversation_id, unknown.spans, unknown.spans_feedback) == ("unknown", [], [])


def test_messages_are_searched(client, conversation):
    [result] = client.search_agents(query="RAIN: and tom").results
    assert (result.conversation_id, result.agent_name) == ("conv-1", "bot")
    [message] = result.matched_messages
    assert (message.role, message.content_preview) == ("assistant", "rain: and tomorrow?")
    assert message.started_at == result.last_activity
    everything = client.search_agents(conversation_id="conv-1", agent_name="bot", limit=100)
    assert everything.total_conversations == 1
    roles = {message.role for message in everything.results[0].matched_messages}
    assert {"user", "assistant", "tool_call", "tool_result"} <= roles
    assert client.search_agents(query="snow").results == []
    assert client.search_agents(trace_id=message.trace_id, query="weather?").results == []
