"""MLflow's tracing of OpenAI, exported by OTLP only."""

import os

os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces"
os.environ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] = "http/protobuf"
import chat  # noqa: E402
import mlflow  # noqa: E402

mlflow.openai.autolog()


@mlflow.trace(span_type="TOOL", name="get_weather")
def get_weather(city):
    return chat.get_weather(city)


@mlflow.trace(span_type="AGENT", name="weather_agent")
def ask(question):
    mlflow.update_current_trace(metadata={"mlflow.trace.session": "s1", "mlflow.trace.user": "u1"})
    return chat.answer(tool=get_weather)


ask("How warm is it?")
chat.fail()
mlflow.flush_trace_async_logging()
