"""OpenInference for Haystack: an agent with a tool."""

import chat
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from openinference.instrumentation import using_attributes
from openinference.instrumentation.haystack import HaystackInstrumentor
from telemetry import provider

HaystackInstrumentor().instrument(tracer_provider=provider)
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return chat.result({"city": city})


def run(model, tools):
    agent = Agent(chat_generator=OpenAIChatGenerator(model=model, max_retries=0), tools=tools, system_prompt=SYSTEM)
    agent.run(messages=[ChatMessage.from_user(USER)])


with using_attributes(session_id="s1", user_id="u1"):
    run(chat.MODEL, [get_weather])
    try:
        run("no-such-model", [])
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)
provider.shutdown()
