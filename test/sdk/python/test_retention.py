"""The maximum age of calls, which newer releases set on the server of a client."""

import pytest
from weave.trace.weave_client import WeaveClient

# These releases send plain mappings.
if not hasattr(WeaveClient, "create_annotation_queue"):
    pytest.skip("this release has no settings of retention", allow_module_level=True)


def test_the_maximum_age_of_calls_is_stored(client):
    project = {"project_id": client.project_id}
    server = client.server
    assert server.project_ttl_settings_read(project).retention_days is None
    update = {**project, "retention_days": 30, "wb_user_id": None}
    assert server.project_ttl_settings_update(update).retention_days == 30
    assert server.project_ttl_settings_read(project).retention_days == 30
    assert server.project_ttl_settings_update({**update, "retention_days": None}).retention_days is None
