"""Shared helpers of the test programs: flush everything, then read it back."""

from __future__ import annotations

from typing import Any

import pytest


def stored(client, **selection) -> list:
    """All calls of the project, oldest first, read after a flush."""
    client.flush()
    selection.setdefault("sort_by", [{"field": "started_at", "direction": "asc"}])
    return list(client.get_calls(**selection))


def by_name(calls) -> dict[str, Any]:
    """Calls by function name. Names must be unique."""
    names = [call.func_name for call in calls]
    assert len(names) == len(set(names)), names
    return dict(zip(names, calls))


def field(name: str) -> dict:
    return {"$getField": name}


def literal(value: Any) -> dict:
    return {"$literal": value}


def expr(operation: dict) -> dict:
    return {"$expr": operation}


def feedback_expr(operation: dict) -> Any:
    """A feedback query: a `Query` object in releases that have that class."""
    try:
        from weave.trace_server.interface.query import Query
    except ImportError:
        return expr(operation)
    return Query(**expr(operation))


def call_server(client, method: str, request: str, **fields):
    """Calls an operation of the trace server that the SDK offers only on `client.server`. Releases until mid-2026 take
    a request object, later ones a mapping."""
    client.flush()
    try:
        from weave.trace_server import trace_server_interface as tsi
    except ImportError:
        return getattr(client.server, method)({"project_id": client.project_id, **fields})
    if not hasattr(tsi, request) or not hasattr(client.server, method):
        pytest.skip(f"this release has no {method}")
    response = getattr(client.server, method)(getattr(tsi, request)(project_id=client.project_id, **fields))
    # The method is declared but not implemented in this release.
    return pytest.skip(f"this release cannot send {method}") if response is None else response


def plain(value: Any) -> Any:
    """A value from the server as plain lists and dicts."""
    if hasattr(value, "unwrap"):
        value = value.unwrap()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
