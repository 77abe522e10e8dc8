"""What the programs of LangChain do: an agent of LangGraph with a tool, then a call that fails."""

import chat
from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

SYSTEM, USER = (message["content"] for message in chat.MESSAGES)


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return chat.result({"city": city})


def run(config):
    agent = create_agent(
        ChatOpenAI(model=chat.MODEL, temperature=0.5), [get_weather], system_prompt=SYSTEM, name="weather_agent"
    )
    agent.invoke({"messages": [{"role": "user", "content": USER}]}, config=config)
    try:
        ChatOpenAI(model="no-such-model", max_retries=0).invoke(USER, config=config)
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)
