"""OpenInference for LlamaIndex: an agent with a tool."""

import asyncio
import os

import chat
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI
from openinference.instrumentation import using_attributes
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from telemetry import provider

LlamaIndexInstrumentor().instrument(tracer_provider=provider)
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)


def get_weather(city: str) -> str:
    """The weather in a city."""
    return chat.result({"city": city})


def model(name):
    return OpenAI(model=name, api_base=os.environ["OPENAI_BASE_URL"], max_retries=0, temperature=0.5)


async def main():
    llm = model(chat.MODEL)
    await FunctionAgent(tools=[get_weather], llm=llm, system_prompt=SYSTEM, name="weather_agent", streaming=False).run(USER)
    try:
        # Its client knows the names of models, and accepts those of fine-tuned ones.
        model("ft:gpt-4o-mini:no-such-model").complete("Hi")
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)


with using_attributes(session_id="s1", user_id="u1"):
    asyncio.run(main())
provider.shutdown()
