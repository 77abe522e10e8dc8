"""Fixtures: each test gets its own project on the server that test/sdk/main.ts started, through `weave.init` only."""

import re
import uuid

import pytest
import weave


def new_project(name: str) -> str:
    return f"admin/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')[:60]}-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def project(request):
    return new_project(request.node.name)


@pytest.fixture
def client(project):
    client = weave.init(project)
    yield client
    weave.finish()
