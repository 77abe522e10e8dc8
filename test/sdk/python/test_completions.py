"""`client.chat.completions`: the server sends the request to a model, the SDK records the call."""

from programs import stored

MESSAGES = [{"role": "user", "content": "What is the weather in Zürich?"}]
REPLY = "It is 21.5 °C in Zürich."


def test_a_completion_is_returned_and_recorded_by_the_sdk(client):
    completion = client.chat.completions.create(model="gpt-4o-mini", messages=MESSAGES, temperature=0.5)
    assert completion.choices[0].message.content == REPLY
    assert completion.usage.prompt_tokens == 100
    [call] = stored(client)
    assert call.func_name == "weave.completions_create"
    assert call.inputs["messages"] == MESSAGES
    assert call.output.choices[0].message.content == REPLY


def test_an_untracked_completion_leaves_no_call(client):
    completion = client.chat.completions.create(model="gpt-4o-mini", messages=MESSAGES, track_llm_call=False)
    assert completion.choices[0].message.content == REPLY
    assert stored(client) == []


def test_a_completion_is_streamed_and_recorded_by_the_sdk(client):
    stream = client.chat.completions.create(model="gpt-4o-mini", messages=MESSAGES, stream=True)
    texts = [choice.delta.content or "" for chunk in stream for choice in chunk.choices]
    assert "".join(texts) == REPLY
    assert [call.func_name for call in stored(client)] == ["weave.completions_create"]
