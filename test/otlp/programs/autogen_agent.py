"""An agent of AutoGen, whose calls of OpenAI are instrumented by OpenInference: AutoGen has no spans of them."""

import asyncio
import os

import chat
from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from openinference.instrumentation import using_attributes
from openinference.instrumentation.openai import OpenAIInstrumentor
from telemetry import provider

OpenAIInstrumentor().instrument(tracer_provider=provider)
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)
INFO = {"vision": False, "function_calling": True, "json_output": True, "family": "unknown", "structured_output": True}


async def get_weather(city: str) -> str:
    """The weather in a city."""
    return chat.result({"city": city})


async def run(model, tools):
    client = OpenAIChatCompletionClient(
        model=model, model_info=INFO, base_url=os.environ["OPENAI_BASE_URL"], api_key="unused", max_retries=0
    )
    agent = AssistantAgent("weather_agent", client, tools=tools, system_message=SYSTEM, reflect_on_tool_use=True)
    await agent.run(task=USER)


async def main():
    await run(chat.MODEL, [get_weather])
    try:
        await run("no-such-model", [])
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)


with using_attributes(session_id="s1", user_id="u1"):
    asyncio.run(main())
provider.shutdown()
