"""OpenInference for OpenAI: spans over HTTP."""

import chat
from openinference.instrumentation import using_attributes
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIInstrumentor().instrument(tracer_provider=provider)
with using_attributes(session_id="s1", user_id="u1", tags=["test"], metadata={"tier": "gold"}):
    chat.answer()
    chat.fail()
provider.shutdown()
