"""OpenInference for smolagents."""

import os

import chat
from openinference.instrumentation import using_attributes
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import OpenAIServerModel, ToolCallingAgent, tool
from telemetry import provider

SmolagentsInstrumentor().instrument(tracer_provider=provider)


@tool
def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: The name of the city.
    """
    return chat.result({"city": city})


def model(name):
    return OpenAIServerModel(model_id=name, api_base=os.environ["OPENAI_BASE_URL"], api_key="unused")


USER = chat.MESSAGES[1]["content"]
with using_attributes(session_id="s1", user_id="u1"):
    # After one step of a tool the model is asked for the answer.
    ToolCallingAgent(tools=[get_weather], model=model(chat.MODEL), max_steps=1).run(USER)
    try:
        ToolCallingAgent(tools=[], model=model("no-such-model"), max_steps=1).run(USER)
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)
provider.shutdown()
