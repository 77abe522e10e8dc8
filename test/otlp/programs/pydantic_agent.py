"""A Pydantic AI agent with a tool, instrumented with OpenTelemetry."""

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
agent = Agent(OpenAIChatModel("gpt-4o-mini"), name="weather_agent", instructions="You know the weather.")


@agent.tool_plain
def get_weather(city: str) -> dict:
    return {"city": city, "celsius": 21.5}


agent.run_sync("How warm is it in Zürich?", conversation_id="s1")
try:
    Agent(OpenAIChatModel("no-such-model"), name="failing_agent").run_sync("Hi")
except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
    print(type(error).__name__)
provider.shutdown()
