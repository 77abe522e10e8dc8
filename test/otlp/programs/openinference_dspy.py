"""OpenInference for DSPy and LiteLLM."""

import os

import chat
import dspy
from openinference.instrumentation import using_attributes
from openinference.instrumentation.dspy import DSPyInstrumentor
from openinference.instrumentation.litellm import LiteLLMInstrumentor
from telemetry import provider

DSPyInstrumentor().instrument(tracer_provider=provider)
LiteLLMInstrumentor().instrument(tracer_provider=provider)


def ask(messages, model=chat.MODEL):
    lm = dspy.LM(f"openai/{model}", api_base=os.environ["OPENAI_BASE_URL"], api_key="unused", cache=False, num_retries=0)
    return lm(messages=messages, tools=chat.TOOLS)[0]


with using_attributes(session_id="s1", user_id="u1"), provider.get_tracer("app").start_as_current_span("ask"):
    function = ask(chat.MESSAGES)["tool_calls"][0]["function"]
    call = {"id": "call_1", "type": "function", "function": dict(function)}
    history = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    ask([*chat.MESSAGES, *history, {"role": "tool", "tool_call_id": "call_1", "content": chat.result({"city": "Zürich"})}])
    try:
        ask(chat.MESSAGES, "no-such-model")
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)
provider.shutdown()
