"""Plain spans with the OpenTelemetry SDK, over HTTP or gRPC (the first argument)."""

import sys

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

if sys.argv[1] == "grpc":
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
else:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("test.spans", "1.0")
with tracer.start_as_current_span("plan trip", attributes={"session.id": "s1", "user.id": "u1", "steps": 3}):
    with tracer.start_as_current_span(
        "chat gpt-4o-mini",
        kind=trace.SpanKind.CLIENT,
        attributes={
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "gpt-4o-mini",
            "gen_ai.response.model": "gpt-4o-mini-2024-07-18",
            "gen_ai.usage.input_tokens": 100,
            "gen_ai.usage.output_tokens": 20,
            "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"Hi, Zürich"}]}]',
            "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"Grüezi"}]}]',
        },
    ):
        pass
    try:
        with tracer.start_as_current_span("load 42"):
            raise ValueError("no such file")
    except ValueError:
        pass
provider.shutdown()
