"""Weave's integration of the Claude Agent SDK, as conversations and, with WEAVE_USE_OTEL_V2=false, as calls."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import weave
from programs import stored

if not hasattr(weave, "start_conversation"):
    pytest.skip("this release has no conversations", allow_module_level=True)

PROGRAM = Path(__file__).with_name("claude_agent.py")


def run_agent(project, use_conversations: bool) -> None:
    env = os.environ | {"WEAVE_USE_OTEL_V2": str(use_conversations).lower()}
    subprocess.run([sys.executable, PROGRAM, project], env=env, check=True, timeout=300)


def test_turns_of_an_agent_are_conversations(client, project):
    run_agent(project, use_conversations=True)
    calls = stored(client)
    assert [call.func_name for call in calls] == [
        "invoke_agent claude_agent_sdk",
        "chat claude-sonnet-4-5",
        "Bash",
        "chat claude-sonnet-4-5",
        "invoke_agent claude_agent_sdk",
        "chat claude-sonnet-4-5",
    ]
    first, thinking, tool, answer, second, _ = calls
    assert {call.thread_id for call in calls} == {"11111111-2222-4333-8444-555555555555"}
    assert [call.parent_id for call in (thinking, tool, answer)] == [first.id] * 3
    assert first.inputs["messages"][0]["parts"][0]["content"] == "weather?"
    assert [part["type"] for part in thinking.output["messages"][0]["parts"]] == ["reasoning", "text", "tool_call"]
    assert (tool.inputs, tool.output) == ({"command": "curl wttr.in"}, "rain")
    assert answer.output["messages"][0]["parts"][0]["content"] == "It rains."
    # The prompt includes what was read from the cache and written to it.
    usage = answer.summary["usage"]["claude-sonnet-4-5"]
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (314, 20)
    assert (usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"]) == (300, 4)
    assert first.exception is None and "Still rain." in second.exception


def test_turns_of_an_agent_are_calls(client, project):
    run_agent(project, use_conversations=False)
    calls = stored(client)
    assert [call.func_name.removeprefix("claude_agent_sdk.") for call in calls] == [
        "query",
        "thinking",
        "text",
        "tool_use.Bash",
        "text",
        "query",
        "text",
    ]
    first, _, _, tool, _, second, _ = calls
    assert tool.parent_id == first.id and tool.output["content"] == "rain"
    assert first.inputs["prompt"] == "weather?" and first.output["status"] == "completed"
    assert "Still rain." in second.exception
