"""OpenLIT for OpenAI."""

import chat
import openlit
from opentelemetry import trace

openlit.init(application_name="openlit", environment="test", disable_metrics=True)


@openlit.trace
def ask():
    chat.answer()


ask()
chat.fail()
trace.get_tracer_provider().shutdown()
