"""OpenInference for the OpenAI Agents SDK, which uses the Responses API."""

import chat
from agents import Agent, Runner, function_tool
from openinference.instrumentation import using_attributes
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
from telemetry import provider

OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)


@function_tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return chat.result({"city": city})


with using_attributes(session_id="s1", user_id="u1"):
    Runner.run_sync(Agent(name="weather_agent", instructions=SYSTEM, model=chat.MODEL, tools=[get_weather]), USER)
    try:
        Runner.run_sync(Agent(name="failing_agent", model="no-such-model"), USER)
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)
provider.shutdown()
