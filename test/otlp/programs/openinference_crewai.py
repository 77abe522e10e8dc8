"""OpenInference for CrewAI, whose calls of OpenAI are instrumented too."""

import os

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_TRACING_ENABLED="false", OTEL_SDK_DISABLED="false")
import chat  # noqa: E402
from crewai import LLM, Agent, Crew, Task  # noqa: E402
from crewai.tools import tool  # noqa: E402
from openinference.instrumentation import using_attributes  # noqa: E402
from openinference.instrumentation.crewai import CrewAIInstrumentor  # noqa: E402
from openinference.instrumentation.openai import OpenAIInstrumentor  # noqa: E402
from telemetry import provider  # noqa: E402

CrewAIInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)


@tool("get_weather")
def get_weather(city: str) -> str:
    """The weather in a city."""
    return chat.result({"city": city})


def run(model, tools):
    llm = LLM(model=f"openai/{model}", base_url=os.environ["OPENAI_BASE_URL"], api_key="unused", max_retries=0)
    agent = Agent(role="Meteorologist", goal=SYSTEM, backstory="Zürich", llm=llm, tools=tools, max_retry_limit=0)
    Crew(agents=[agent], tasks=[Task(description=USER, expected_output="A sentence", agent=agent)]).kickoff()


with using_attributes(session_id="s1", user_id="u1"):
    run(chat.MODEL, [get_weather])
    try:
        run("no-such-model", [])
    except Exception as error:  # noqa: BLE001 - any failure is fine, its span is the test
        print(type(error).__name__)
provider.shutdown()
