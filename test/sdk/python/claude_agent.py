"""Test program: two turns of the Claude Agent SDK, one with a tool and one that fails, sent by Weave's integration.

`claude_agent.py PROJECT`. The process of the agent needs an account: a transport with its messages replaces it.
"""

import asyncio
import contextlib
import json
import sys

import weave
from claude_agent_sdk import ClaudeAgentOptions, Transport, query

SESSION = "11111111-2222-4333-8444-555555555555"
MODEL = "claude-sonnet-4-5"


def assistant(*content, **fields):
    message = {"id": f"msg_{len(content)}", "role": "assistant", "model": MODEL, "content": list(content)}
    return {"type": "assistant", "message": message, "session_id": SESSION, "parent_tool_use_id": None, **fields}


def tool_result(tool_use_id, text):
    content = [{"type": "tool_result", "tool_use_id": tool_use_id, "content": text}]
    message = {"role": "user", "content": content}
    return {"type": "user", "message": message, "session_id": SESSION, "parent_tool_use_id": None}


def result(text, is_error=False):
    return {
        "type": "result",
        "subtype": "error_during_execution" if is_error else "success",
        "duration_ms": 1200,
        "duration_api_ms": 900,
        "is_error": is_error,
        "num_turns": 2,
        "session_id": SESSION,
        "total_cost_usd": 0.0123,
        "usage": {
            "input_tokens": 10,
            "output_tokens": 20,
            "cache_read_input_tokens": 300,
            "cache_creation_input_tokens": 4,
        },
        "result": text,
    }


TURNS = {
    "weather?": [
        assistant({"type": "thinking", "thinking": "look outside", "signature": "s"}),
        assistant(
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "curl wttr.in"}},
        ),
        tool_result("toolu_1", "rain"),
        assistant({"type": "text", "text": "It rains."}),
        result("It rains."),
    ],
    "again": [assistant({"type": "text", "text": "Still rain."}), result("Still rain.", is_error=True)],
}


class Recorded(Transport):
    """Confirms the requests of the SDK and sends the messages of one turn."""

    def __init__(self, messages):
        self.messages = messages
        self.requests = asyncio.Queue()

    async def connect(self):
        pass

    async def write(self, data):
        for line in data.splitlines():
            self.requests.put_nowait(json.loads(line))

    async def read_messages(self):
        while (request := await self.requests.get())["type"] == "control_request":
            response = {"subtype": "success", "request_id": request["request_id"], "response": {}}
            yield {"type": "control_response", "response": response}
        yield {"type": "system", "subtype": "init", "session_id": SESSION, "model": MODEL, "tools": ["Bash"]}
        for message in self.messages:
            yield message

    async def close(self):
        pass

    def is_ready(self):
        return True

    async def end_input(self):
        pass


async def main():
    for prompt, messages in TURNS.items():
        messages_of_turn = query(prompt=prompt, options=ClaudeAgentOptions(), transport=Recorded(messages))
        with contextlib.suppress(Exception):  # The SDK raises after a turn that failed.
            async for _ in messages_of_turn:
                pass


weave.init(sys.argv[1])
asyncio.run(main())
weave.finish()
