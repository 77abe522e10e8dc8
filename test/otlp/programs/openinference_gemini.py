"""OpenInference for Google's GenAI client."""

import os

import chat
from google import genai
from google.genai import errors, types
from openinference.instrumentation import using_attributes
from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor
from telemetry import provider

GoogleGenAIInstrumentor().instrument(tracer_provider=provider)
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)
client = genai.Client(api_key="unused", http_options={"base_url": os.environ["MODEL_URL"]})
schema = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}
tool = types.Tool(function_declarations=[{"name": "get_weather", "description": "Weather", "parameters": schema}])
config = types.GenerateContentConfig(system_instruction=SYSTEM, tools=[tool], temperature=0.5)


def create(contents, model="gemini-2.5-flash"):
    return client.models.generate_content(model=model, contents=contents, config=config)


with using_attributes(session_id="s1", user_id="u1"), provider.get_tracer("app").start_as_current_span("ask"):
    question = types.Content(role="user", parts=[types.Part(text=USER)])
    answer = create([question]).candidates[0].content
    call = answer.parts[0].function_call
    result = types.Part.from_function_response(name=call.name, response=chat.get_weather(**call.args))
    create([question, answer, types.Content(role="user", parts=[result])])
    try:
        create([question], "no-such-model")
    except errors.ClientError:
        pass
provider.shutdown()
