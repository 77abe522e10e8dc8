"""Sends the log records of a prompt to Claude Code, and metrics, with the exporters of OpenTelemetry, each twice."""

import sys
import time

if sys.argv[1] == "grpc":
    from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
else:
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter

from opentelemetry._logs import LogRecord
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource

resource = Resource.create({"service.name": "claude-code"})
# Two exporters: the same records arrive twice.
provider = LoggerProvider(resource=resource)
for _ in range(2):
    provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
logger = provider.get_logger("com.anthropic.claude_code.events")
start = time.time_ns()


def emit(ms, event, **attributes):
    common = {
        "session.id": "session-1",
        "prompt.id": "prompt-1",
        "user.email": "ada@example.com",
        "event.name": event,
        "event.timestamp": "2026-11-19T22:45:57.094Z",
    }
    at = start + ms * 1_000_000
    logger.emit(
        LogRecord(
            timestamp=at, observed_timestamp=at, body=f"claude_code.{event}", attributes={**common, **attributes}
        )
    )


def request(ms, number):
    usage = {"input_tokens": 60, "output_tokens": 20, "cache_read_tokens": 40, "cache_creation_tokens": 10}
    emit(
        ms,
        "api_request",
        model="claude-sonnet-4-5",
        cost_usd=0.0007,
        duration_ms=400,
        request_id=f"req_{number}",
        query_source="sdk",
        **usage,
    )


emit(0, "user_prompt", prompt="How warm is it in Zürich?", prompt_length="25")
request(500, 1)
emit(
    600,
    "tool_result",
    tool_name="Bash",
    tool_use_id="toolu_1",
    success="false",
    duration_ms="50",
    error="exit code 1",
    tool_input='{"command":"weather"}',
)
request(1100, 2)
emit(1100, "assistant_response", response="21.5 °C", request_id="req_2", query_source="sdk")
provider.shutdown()

meters = MeterProvider(
    resource=resource, metric_readers=[PeriodicExportingMetricReader(OTLPMetricExporter(), 60_000)]
)
meters.get_meter("com.anthropic.claude_code").create_counter("claude_code.token.usage").add(60, {"type": "input"})
meters.shutdown()
