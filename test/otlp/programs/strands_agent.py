"""An agent of Strands."""

import os

import chat
from opentelemetry import trace
from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.telemetry import StrandsTelemetry

StrandsTelemetry().setup_otlp_exporter()
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return chat.result({"city": city})


def run(model, tools):
    client = {"api_key": "unused", "base_url": os.environ["OPENAI_BASE_URL"], "max_retries": 0}
    Agent(
        model=OpenAIModel(client_args=client, model_id=model),
        tools=tools,
        name="weather_agent",
        system_prompt=SYSTEM,
        trace_attributes={"session.id": "s1", "user.id": "u1"},
        callback_handler=None,
    )(USER)


run(chat.MODEL, [get_weather])
try:
    run("no-such-model", [])
except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
    print(type(error).__name__)
trace.get_tracer_provider().force_flush()
