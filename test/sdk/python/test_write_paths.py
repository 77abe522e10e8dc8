"""The write paths of older and newer releases in one project, mixed."""

import os
import subprocess
import sys

import pytest
import weave
from programs import stored

PROGRAM = """
import asyncio, sys, weave
client = weave.init(sys.argv[1])
@weave.op
def child(n): return n
@weave.op
def parent(n): return child(n) + child(n)
@weave.op
def broken(): raise ValueError('broken')
@weave.op
def exact(expected, output): return {'correct': expected == output}
for n in range(25): parent(n)
try: broken()
except ValueError: pass
asyncio.run(weave.Evaluation(name='mixed', dataset=[{'n': 1, 'expected': 2}], scorers=[exact]).evaluate(parent))
"""


def run(project: str, complete: str):
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, project],
        env={**os.environ, "WEAVE_USE_CALLS_COMPLETE": complete},
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert result.returncode == 0, result.stderr
    return result


@pytest.mark.parametrize("order", [("true", "false"), ("false", "true"), ("false", "true", "false")])
def test_both_write_paths_fill_one_project(project, order):
    for complete in order:
        run(project, complete)
    client = weave.init(project)
    calls = stored(client)
    # 25 parents with two children, one failure; evaluate, predict_and_score, parent with two children, exact, summarize.
    assert len(calls) == (75 + 1 + 7) * len(order)
    assert all(call.ended_at is not None for call in calls)
    assert sum(call.exception is not None for call in calls) == len(order)
    ids = {call.id for call in calls}
    assert len(ids) == len(calls)
    assert all(call.parent_id is None or call.parent_id in ids for call in calls)
    weave.finish()


def test_a_call_renamed_and_deleted_by_the_other_path(project, monkeypatch):
    monkeypatch.setenv("WEAVE_USE_CALLS_COMPLETE", "false")
    client = weave.init(project)
    first, second = (client.create_call(name, {}) for name in ("first", "second"))
    for call in (first, second):
        client.finish_call(call, output=1)
    weave.finish()
    monkeypatch.setenv("WEAVE_USE_CALLS_COMPLETE", "true")
    client = weave.init(project)
    client.get_call(first.id).set_display_name("renamed")
    client.get_call(second.id).delete()
    [left] = stored(client)
    assert (left.id, left.display_name) == (first.id, "renamed")
    weave.finish()


def test_parallel_and_sequential_table_uploads_have_the_same_digest(project, monkeypatch):
    rows = [{"n": n, "text": "x" * 50} for n in range(1_200)]
    digests = []
    for parallel in ("true", "false"):
        monkeypatch.setenv("WEAVE_USE_PARALLEL_TABLE_UPLOAD", parallel)
        weave.init(project)
        digests.append(weave.publish(weave.Dataset(name="parts", rows=rows)).digest)
        weave.finish()
    assert digests[0] == digests[1]


def test_client_side_digests_match_the_server(project, monkeypatch):
    """With this setting the SDK computes digests before it sends, and the server returns 409 on a mismatch."""
    value = {"a": [1, 2.0, "ü", None, True], "z": {"b": 1e22, "a": 0.1}}
    client = weave.init(project)
    expected = weave.publish(value, name="digest").digest
    weave.finish()
    monkeypatch.setenv("WEAVE_ENABLE_CLIENT_SIDE_DIGESTS", "true")
    client = weave.init(project)
    ref = weave.publish({**value, "new": 1}, name="digest")
    again = weave.publish(value, name="digest")
    client.flush()
    assert again.digest == expected
    assert weave.ref(f"digest:{ref.digest}").get()["new"] == 1
    weave.finish()
