"""OpenTelemetry's own instrumentation of OpenAI: spans, and prompts and replies as log records."""

import chat
from opentelemetry import _logs, trace
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

try:
    from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
except ImportError:  # its name until 2026
    from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

traces, logs = TracerProvider(), LoggerProvider()
traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
trace.set_tracer_provider(traces)
_logs.set_logger_provider(logs)
OpenAIInstrumentor().instrument(tracer_provider=traces, logger_provider=logs)
chat.answer()
chat.fail()
traces.shutdown()
logs.shutdown()
