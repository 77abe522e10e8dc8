"""OpenLLMetry (Traceloop) for OpenAI, with its decorators: spans over HTTP."""

import chat
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import tool, workflow
from traceloop.sdk.instruments import Instruments

Traceloop.init(
    app_name="openllmetry",
    exporter=OTLPSpanExporter(),
    disable_batch=True,
    instruments={Instruments.OPENAI},
    telemetry_enabled=False,
)
Traceloop.set_association_properties({"session_id": "s1", "user_id": "u1"})


@workflow(name="weather_workflow")
def ask(question):
    return chat.answer(tool=tool(name="get_weather")(chat.get_weather))


ask("How warm is it?")
chat.fail()
