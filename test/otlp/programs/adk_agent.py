"""An agent of Google's Agent Development Kit."""

import asyncio
import os

import chat
from google.adk.agents import Agent
from google.adk.runners import InMemoryRunner
from google.genai import types
from telemetry import provider

os.environ["GOOGLE_GEMINI_BASE_URL"] = os.environ["MODEL_URL"]
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)


def get_weather(city: str) -> dict:
    """The weather in a city."""
    return chat.get_weather(city)


async def run(model, tools):
    agent = Agent(name="weather_agent", model=model, instruction=SYSTEM, tools=tools)
    runner = InMemoryRunner(agent=agent, app_name="weather")
    await runner.session_service.create_session(app_name="weather", user_id="u1", session_id="s1")
    question = types.Content(role="user", parts=[types.Part(text=USER)])
    async for _ in runner.run_async(user_id="u1", session_id="s1", new_message=question):
        pass


async def main():
    await run("gemini-2.5-flash", [get_weather])
    try:
        await run("gemini-no-such-model", [])
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)


asyncio.run(main())
provider.shutdown()
