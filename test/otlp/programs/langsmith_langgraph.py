"""LangSmith's exporter of OpenTelemetry, for LangGraph."""

import os

os.environ.update(
    LANGSMITH_OTEL_ENABLED="true", LANGSMITH_TRACING="true", LANGSMITH_OTEL_ONLY="true", LANGSMITH_API_KEY="unused"
)
import langchain_core.tracers.langchain  # noqa: E402
import langgraph_agent  # noqa: E402
from telemetry import provider  # noqa: E402

langgraph_agent.run({"metadata": {"session_id": "s1", "user_id": "u1"}, "tags": ["test"]})
langchain_core.tracers.langchain.wait_for_all_tracers()
provider.shutdown()
