"""What every program does with OpenAI's client: a chat with a tool, then a call that fails."""

import json

import openai

MODEL = "gpt-4o-mini"
MESSAGES = [
    {"role": "system", "content": "You know the weather."},
    {"role": "user", "content": "How warm is it in Zürich?"},
]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "The weather in a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
        },
    },
]


def get_weather(city):
    return {"city": city, "celsius": 21.5}


def result(arguments):
    """What a tool that returns text returns."""
    return json.dumps(get_weather(**arguments), ensure_ascii=False)


def answer(tool=get_weather):
    """Asks the model, calls the tool that it asks for, and returns the reply."""
    client = openai.OpenAI()
    first = client.chat.completions.create(model=MODEL, messages=MESSAGES, tools=TOOLS, temperature=0.5)
    message = first.choices[0].message
    call = message.tool_calls[0]
    result = tool(**json.loads(call.function.arguments))
    history = [
        *MESSAGES,
        {"role": "assistant", "tool_calls": [call.model_dump()]},
        {"role": "tool", "tool_call_id": call.id, "content": json.dumps(result, ensure_ascii=False)},
    ]
    second = client.chat.completions.create(model=MODEL, messages=history, tools=TOOLS)
    return second.choices[0].message.content


def fail(messages=MESSAGES):
    try:
        openai.OpenAI(max_retries=0).chat.completions.create(model="no-such-model", messages=messages)
    except openai.NotFoundError:
        pass
