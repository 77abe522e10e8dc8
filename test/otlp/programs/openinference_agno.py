"""OpenInference for Agno."""

import chat
from agno.agent import Agent
from agno.models.openai import OpenAIChat
from openinference.instrumentation.agno import AgnoInstrumentor
from telemetry import provider

AgnoInstrumentor().instrument(tracer_provider=provider)
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)


def get_weather(city: str) -> str:
    """The weather in a city."""
    return chat.result({"city": city})


def run(model, tools):
    agent = Agent(name="weather_agent", model=OpenAIChat(id=model, retries=0), tools=tools, instructions=SYSTEM)
    agent.run(USER, session_id="s1", user_id="u1")


run(chat.MODEL, [get_weather])
try:
    run("no-such-model", [])
except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
    print(type(error).__name__)
provider.shutdown()
