"""Langfuse's SDK, with its OpenAI client and decorators. Only its host and keys are set."""

import chat
from langfuse import get_client, observe, propagate_attributes
from langfuse.openai import openai

chat.openai = openai


@observe(as_type="tool", name="get_weather")
def get_weather(city):
    return chat.get_weather(city)


@observe(as_type="agent", name="weather_agent")
def ask(question):
    with propagate_attributes(session_id="s1", user_id="u1", tags=["test"], metadata={"tier": "gold"}):
        return chat.answer(tool=get_weather)


ask("How warm is it?")
chat.fail()
get_client().flush()
