"""An agent of Microsoft's Agent Framework, which uses the Responses API."""

import asyncio
import os

import chat
from agent_framework import Agent
from agent_framework.observability import enable_instrumentation
from agent_framework.openai import OpenAIChatClient
from telemetry import provider

enable_instrumentation(enable_sensitive_data=True)
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)


def get_weather(city: str) -> str:
    """The weather in a city."""
    return chat.result({"city": city})


async def run(model, tools):
    client = OpenAIChatClient(model=model, api_key="unused", base_url=os.environ["OPENAI_BASE_URL"])
    await Agent(client=client, name="weather_agent", instructions=SYSTEM, tools=tools).run(USER)


async def main():
    await run(chat.MODEL, [get_weather])
    try:
        await run("no-such-model", [])
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)


asyncio.run(main())
provider.shutdown()
