"""OpenInference for Anthropic's client. The client has spans of its own, which are children of these."""

import anthropic
import chat
from openinference.instrumentation import using_attributes
from openinference.instrumentation.anthropic import AnthropicInstrumentor
from telemetry import provider

AnthropicInstrumentor().instrument(tracer_provider=provider)
MODEL = "claude-sonnet-4-5"
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)
TOOLS = [{"name": "get_weather", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}]
client = anthropic.Anthropic(max_retries=0)


def create(messages, model=MODEL):
    return client.messages.create(model=model, max_tokens=200, system=SYSTEM, messages=messages, tools=TOOLS)


with using_attributes(session_id="s1", user_id="u1"), provider.get_tracer("app").start_as_current_span("ask"):
    messages = [{"role": "user", "content": USER}]
    call = create(messages).content[0]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": chat.result(call.input)}
    create([*messages, {"role": "assistant", "content": [call.model_dump()]}, {"role": "user", "content": [result]}])
    try:
        create(messages, "no-such-model")
    except anthropic.NotFoundError:
        pass
provider.shutdown()
