"""Scores a trace and an observation with Langfuse's SDK, and reads the feedback that they became."""

import base64
import json
import logging
import os
import sys
import urllib.request

from langfuse import get_client

errors = []


class Errors(logging.Handler):
    def emit(self, record):
        errors.append(record.getMessage())


logging.getLogger("langfuse").addHandler(Errors(level=logging.WARNING))

langfuse = get_client()
assert langfuse.auth_check()
with langfuse.start_as_current_observation(name="answer") as span:
    span.update(input="How warm is it?", output="21.5 °C")
    trace_id, observation_id = span.trace_id, span.id
langfuse.flush()
langfuse.create_score(trace_id=trace_id, name="helpful", value=0.5, comment="warm")
langfuse.create_score(
    trace_id=trace_id, observation_id=observation_id, name="topic", value="weather", data_type="CATEGORICAL"
)
langfuse.shutdown()

project, key = os.environ["LANGFUSE_PUBLIC_KEY"], os.environ["LANGFUSE_SECRET_KEY"]
request = urllib.request.Request(
    os.environ["LANGFUSE_HOST"] + "/feedback/query",
    json.dumps({"project_id": project, "sort_by": [{"field": "feedback_type", "direction": "asc"}]}).encode(),
    {"Authorization": "Basic " + base64.b64encode(f"api:{key}".encode()).decode()},
)
found = json.load(urllib.request.urlopen(request))["result"]
ref = f"weave:///{project}/call/{trace_id[16:]}{observation_id}"
assert [(each["feedback_type"], each["weave_ref"]) for each in found] == [
    ("evaluation.helpful", ref),
    ("evaluation.topic", ref),
], found
assert found[0]["payload"]["value"] == 0.5 and found[1]["payload"]["label"] == "weather", found
if errors:
    sys.exit("\n".join(errors))
