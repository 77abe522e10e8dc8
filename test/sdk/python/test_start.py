"""`weave.init` with one environment variable and an API key."""

import os
import subprocess
import sys
import urllib.request

import pytest
import weave
from conftest import new_project


def run(program: str, **env: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **env}, capture_output=True, text=True, timeout=120
    )


def test_init_creates_the_project(client, project):
    assert client.project_id == project
    assert weave.get_client() is client


def test_a_bare_project_name_goes_to_the_default_entity():
    name = new_project("bare").split("/")[1]
    client = weave.init(name)
    assert client.project_id == f"admin/{name}"
    weave.finish()


def test_init_twice_is_the_same_project(project):
    weave.init(project)
    assert weave.init(project).project_id == project
    weave.finish()


def test_init_fails_with_a_wrong_key(project):
    result = run(f"import weave; weave.init('{project}')", WANDB_API_KEY="x" * 40)
    assert result.returncode != 0


def test_calls_are_sent_when_the_program_exits(project):
    result = run(
        f"import weave\nweave.init('{project}')\n@weave.op\ndef last_words(x): return x + 1\nlast_words(41)\n"
    )
    assert result.returncode == 0, result.stderr
    client = weave.init(project)
    [call] = client.get_calls()
    assert call.output == 42
    weave.finish()


def test_a_disabled_program_sends_nothing(project):
    program = f"import weave\nweave.init('{project}')\n@weave.op\ndef quiet(x): return x\nprint(quiet(7))\n"
    result = run(program, WEAVE_DISABLED="true")
    assert result.returncode == 0 and "7" in result.stdout, result.stderr
    client = weave.init(project)
    assert len(client.get_calls()) == 0
    weave.finish()


def test_printed_links_resolve(client):
    @weave.op
    def linked(x):
        return x

    _, call = linked.call(1)
    client.flush()
    ref = weave.publish({"a": 1}, name="linked-object")
    base = os.environ["WANDB_BASE_URL"]
    for path in (f"{client.project_id}/weave", f"{client.project_id}/weave/objects/{ref.name}/versions/{ref.digest}"):
        with urllib.request.urlopen(f"{base}/{path}") as response:
            assert response.status == 200
    assert call.ui_url.startswith(base)
    with urllib.request.urlopen(call.ui_url) as response:
        page = response.read().decode()
    # The web UI, or without a build a page about the call. Other paths have the status 404.
    assert response.status == 200 and ("requires JavaScript" in page or call.id in page)


def test_ops_before_init_run_untraced():
    @weave.op
    def untraced(x):
        return x * 2

    assert untraced(4) == 8


def test_finish_stops_tracing(client):
    @weave.op
    def counted(x):
        return x

    counted(1)
    weave.finish()
    counted(2)
    again = weave.init(client.project_id)
    assert [call.output for call in again.get_calls()] == [1]


def test_an_empty_project_name_is_refused():
    with pytest.raises(ValueError):
        weave.init("")
