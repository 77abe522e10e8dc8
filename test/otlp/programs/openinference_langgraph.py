"""OpenInference for LangChain and LangGraph."""

import langgraph_agent
from openinference.instrumentation import using_attributes
from openinference.instrumentation.langchain import LangChainInstrumentor
from telemetry import provider

LangChainInstrumentor().instrument(tracer_provider=provider)
with using_attributes(session_id="s1", user_id="u1"):
    langgraph_agent.run({})
provider.shutdown()
