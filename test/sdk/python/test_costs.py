"""Prices and costs."""

import datetime

import pytest
import weave
from programs import call_server, stored

USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}


def use(model: str, usage: dict = USAGE):
    @weave.op
    def llm():
        return {"model": model, "usage": usage, "choices": []}

    return llm


def logged(client, model: str, usage: dict = USAGE):
    call = client.create_call("llm", {})
    call.summary = {"usage": {model: {"requests": 1, **usage}}}
    client.finish_call(call, output="x")
    return call


def test_a_project_price_is_added_and_read(client):
    client.add_cost(llm_id="my-model", prompt_token_cost=0.01, completion_token_cost=0.02)
    [cost] = client.query_costs(llm_ids=["my-model"])
    assert (cost.llm_id, cost.prompt_token_cost, cost.completion_token_cost) == ("my-model", 0.01, 0.02)
    assert cost.prompt_token_cost_unit == "USD"


def test_only_prices_of_the_project_are_listed(client):
    assert client.query_costs() == []
    client.add_cost(llm_id="one", prompt_token_cost=1, completion_token_cost=2)
    client.add_cost(llm_id="two", prompt_token_cost=3, completion_token_cost=4)
    assert {cost.llm_id for cost in client.query_costs()} == {"one", "two"}
    assert len(client.query_costs(limit=1)) == 1


def test_a_price_is_read_by_its_id_and_purged(client):
    response = client.add_cost(llm_id="short-lived", prompt_token_cost=1, completion_token_cost=2)
    cost_id = response.ids[0][0]
    [cost] = client.query_costs(cost_id)
    assert cost.id == cost_id
    client.purge_costs(cost_id)
    assert client.query_costs() == []


def test_calls_are_priced_by_the_project_price(client):
    client.add_cost(llm_id="my-model", prompt_token_cost=0.01, completion_token_cost=0.02)
    logged(client, "my-model")
    [call] = stored(client, include_costs=True)
    cost = call.summary["weave"]["costs"]["my-model"]
    assert cost["prompt_tokens"] == 100 and cost["completion_tokens"] == 50
    assert cost["prompt_tokens_total_cost"] == pytest.approx(1.0)
    assert cost["completion_tokens_total_cost"] == pytest.approx(1.0)


def test_calls_are_priced_by_the_built_in_price(client):
    logged(client, "gpt-4o-2024-08-06")
    [call] = stored(client, include_costs=True)
    cost = call.summary["weave"]["costs"]["gpt-4o-2024-08-06"]
    assert cost["prompt_tokens_total_cost"] == pytest.approx(100 * 2.5e-6)
    assert cost["completion_tokens_total_cost"] == pytest.approx(50 * 10e-6)


def test_a_project_price_overrides_the_built_in_price(client):
    client.add_cost(llm_id="gpt-4o", prompt_token_cost=1, completion_token_cost=1)
    logged(client, "gpt-4o")
    [call] = stored(client, include_costs=True)
    assert call.summary["weave"]["costs"]["gpt-4o"]["prompt_tokens_total_cost"] == pytest.approx(100)


def test_the_price_in_effect_at_the_start_of_the_call_applies(client):
    now = datetime.datetime.now(datetime.timezone.utc)
    for days, price in ((-30, 1), (-1, 2), (30, 3)):
        client.add_cost(
            llm_id="dated", prompt_token_cost=price, completion_token_cost=0, effective_date=now + datetime.timedelta(days=days)
        )
    logged(client, "dated")
    [call] = stored(client, include_costs=True)
    assert call.summary["weave"]["costs"]["dated"]["prompt_tokens_total_cost"] == pytest.approx(200)


def test_a_model_without_a_price_has_no_cost(client):
    logged(client, "nobody-knows-this-model")
    [call] = stored(client, include_costs=True)
    costs = call.summary["weave"].get("costs") or {}
    cost = costs.get("nobody-knows-this-model", {})
    assert cost.get("prompt_tokens_total_cost") != 0 or cost.get("prompt_token_cost") is None


def test_costs_are_omitted_unless_requested(client):
    logged(client, "gpt-4o")
    [call] = stored(client)
    assert "costs" not in call.summary["weave"]


def test_usage_of_children_is_summed_in_the_parent(client):
    parent = client.create_call("parent", {})
    for _ in range(3):
        child = client.create_call("llm", {}, parent=parent)
        child.summary = {"usage": {"gpt-4o": {"requests": 1, **USAGE}}}
        client.finish_call(child, output="x")
    client.finish_call(parent, output="y")
    [root] = stored(client, filter={"trace_roots_only": True})
    assert root.summary["usage"]["gpt-4o"]["prompt_tokens"] == 300
    assert root.summary["usage"]["gpt-4o"]["requests"] == 3


def test_usage_of_an_openai_like_response_is_counted(client):
    use("gpt-4o-mini-2024-07-18")()
    [call] = stored(client, include_costs=True)
    assert call.summary["usage"]["gpt-4o-mini-2024-07-18"]["total_tokens"] == 150
    assert call.summary["weave"]["costs"]["gpt-4o-mini-2024-07-18"]["prompt_tokens_total_cost"] > 0


def test_one_call_with_its_costs(client):
    call = logged(client, "gpt-4o")
    client.flush()
    assert client.get_call(call.id, include_costs=True).summary["weave"]["costs"]["gpt-4o"]["prompt_tokens"] == 100


def test_the_usage_of_whole_traces(client):
    calls = [logged(client, "gpt-4o"), logged(client, "gpt-4o-mini")]
    response = call_server(client, "calls_usage", "CallsUsageReq", call_ids=[call.id for call in calls], include_costs=True)
    usage = response.call_usage[calls[0].id]["gpt-4o"]
    assert usage.prompt_tokens == 100 and usage.completion_tokens == 50
    assert usage.prompt_tokens_total_cost == pytest.approx(100 * 2.5e-6)
    assert response.call_usage[calls[1].id]["gpt-4o-mini"].total_tokens == 150


def test_the_usage_of_each_call_of_a_trace(client):
    parent = client.create_call("parent", {})
    children = [client.create_call("llm", {}, parent=parent) for _ in range(2)]
    for child in children:
        child.summary = {"usage": {"gpt-4o": {"requests": 1, **USAGE}}}
        client.finish_call(child, output="x")
    client.finish_call(parent, output="y")
    response = call_server(client, "trace_usage", "TraceUsageReq", filter={"trace_ids": [parent.trace_id]})
    assert set(response.call_usage) == {parent.id, *(child.id for child in children)}
    for child in children:
        assert response.call_usage[child.id]["gpt-4o"].total_tokens == 150
    # The sum of a call and its descendants; the SDK has already added the children to the parent's own summary.
    assert response.call_usage[parent.id]["gpt-4o"].total_tokens >= 300
