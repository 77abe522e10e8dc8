"""Langfuse's callback for LangChain, with LangGraph."""

import langgraph_agent
from langfuse import get_client
from langfuse.langchain import CallbackHandler

metadata = {"langfuse_session_id": "s1", "langfuse_user_id": "u1"}
langgraph_agent.run({"callbacks": [CallbackHandler()], "metadata": metadata})
get_client().flush()
