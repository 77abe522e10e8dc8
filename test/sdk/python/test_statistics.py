"""Counts over time and over a project."""

import datetime

import weave
from programs import call_server


@weave.op
def work(n):
    if n == 3:
        raise ValueError("three")
    return n


def run():
    for n in range(5):
        try:
            work(n)
        except ValueError:
            pass


def hour():
    now = datetime.datetime.now(datetime.timezone.utc)
    return {"start": now - datetime.timedelta(hours=1), "end": now + datetime.timedelta(hours=1)}


def test_calls_and_errors_over_time(client):
    run()
    response = call_server(
        client,
        "call_stats",
        "CallStatsReq",
        **hour(),
        granularity=3600,
        call_metrics=[{"metric": "call_count", "aggregations": ["sum"]}, {"metric": "error_count", "aggregations": ["sum"]}],
    )
    buckets = [bucket if isinstance(bucket, dict) else bucket.model_dump() for bucket in response.call_buckets]
    assert sum(bucket["sum_call_count"] for bucket in buckets) == 5
    assert sum(bucket["sum_error_count"] for bucket in buckets) == 1


def test_tokens_over_time(client):
    call = client.create_call("llm", {})
    call.summary = {"usage": {"gpt-4o": {"requests": 1, "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}}
    client.finish_call(call, output="x")
    response = call_server(
        client, "call_stats", "CallStatsReq", **hour(), granularity=3600, usage_metrics=[{"metric": "total_tokens", "aggregations": ["sum"]}]
    )
    buckets = [bucket if isinstance(bucket, dict) else bucket.model_dump() for bucket in response.usage_buckets]
    assert sum(bucket["sum_total_tokens"] for bucket in buckets if bucket.get("model") == "gpt-4o") == 15


def test_the_storage_size_of_a_project(client):
    run()
    weave.publish(weave.Dataset(name="data", rows=[{"a": 1}]))
    weave.publish({"x": 1}, name="object")
    response = call_server(client, "project_stats", "ProjectStatsReq")
    assert response.trace_storage_size_bytes > 0
    assert response.objects_storage_size_bytes > 0


def test_feedback_over_time(client):
    _, call = work.call(1)
    client.flush()
    for value in (1, 2, 3):
        call.feedback.add("stars", {"value": value})
    response = call_server(
        client,
        "feedback_stats",
        "FeedbackStatsReq",
        **hour(),
        granularity=3600,
        feedback_type="stars",
        metrics=[{"json_path": "value", "value_type": "numeric", "aggregations": ["avg"]}],
    )
    buckets = [bucket if isinstance(bucket, dict) else bucket.model_dump() for bucket in response.buckets]
    assert sum(bucket.get("count", 0) for bucket in buckets) == 3
