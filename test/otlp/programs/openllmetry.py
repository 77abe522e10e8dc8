"""OpenLLMetry (Traceloop) for OpenAI, with its decorators: spans over HTTP."""

import chat
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import tool, workflow
from traceloop.sdk.instruments import Instruments

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="


class InlineImages:
    """Without it, images are uploaded to an API of Traceloop, and a prompt whose upload fails has no messages."""

    async def aupload_base64_image(self, trace_id, span_id, name, image):
        return f"data:image/{name.rsplit('.', 1)[-1]};base64,{image}"


Traceloop.init(
    app_name="openllmetry",
    exporter=OTLPSpanExporter(),
    disable_batch=True,
    instruments={Instruments.OPENAI},
    telemetry_enabled=False,
    image_uploader=InlineImages(),
)
Traceloop.set_association_properties({"session_id": "s1", "user_id": "u1"})


@workflow(name="weather_workflow")
def ask(question):
    return chat.answer(tool=tool(name="get_weather")(chat.get_weather))


ask("How warm is it?")
image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
chat.fail([{"role": "user", "content": [{"type": "text", "text": "What is it?"}, image]}])
