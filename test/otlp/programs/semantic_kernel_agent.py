"""An agent of Semantic Kernel, which sends prompts and replies as log records."""

import asyncio
import logging

import chat
from openai import AsyncOpenAI
from opentelemetry import _logs
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function
from telemetry import provider

try:
    from opentelemetry.sdk._logs import LoggingHandler
except ImportError:  # its place since 2026
    from opentelemetry.instrumentation.logging.handler import LoggingHandler

logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
_logs.set_logger_provider(logs)
logging.getLogger().addHandler(LoggingHandler(logger_provider=logs))
logging.getLogger().setLevel(logging.INFO)
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)


class Weather:
    @kernel_function(name="get_weather", description="The weather in a city.")
    def get_weather(self, city: str) -> str:
        return chat.result({"city": city})


async def run(model, plugins):
    service = OpenAIChatCompletion(ai_model_id=model, async_client=AsyncOpenAI(max_retries=0))
    agent = ChatCompletionAgent(service=service, name="weather_agent", instructions=SYSTEM, plugins=plugins)
    await agent.get_response(messages=USER)


async def main():
    await run(chat.MODEL, [Weather()])
    try:
        await run("no-such-model", [])
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)


asyncio.run(main())
provider.shutdown()
logs.shutdown()
