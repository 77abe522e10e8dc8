"""Ops of every kind, and how their calls are stored."""

import asyncio
import dataclasses
import datetime
import math
import time
from concurrent.futures import Future

import pydantic
import pytest
import weave
from programs import by_name, plain, stored


def test_nested_ops_form_one_trace(client):
    @weave.op
    def leaf(x):
        return x + 1

    @weave.op
    def middle(x):
        return leaf(x) * 10

    @weave.op
    def root(x):
        return middle(x) + 0.5

    assert root(1) == 20.5
    calls = by_name(stored(client))
    assert {call.trace_id for call in calls.values()} == {calls["root"].trace_id}
    assert calls["root"].parent_id is None
    assert calls["middle"].parent_id == calls["root"].id
    assert calls["leaf"].parent_id == calls["middle"].id
    assert (calls["root"].inputs["x"], calls["root"].output, calls["leaf"].output) == (1, 20.5, 2)


def test_siblings_are_children_of_the_same_call_in_order(client):
    @weave.op
    def child(n):
        return n

    @weave.op
    def parent():
        return [child(n) for n in range(5)]

    _, call = parent.call()
    client.flush()
    assert [child.output for child in client.get_call(call.id).children()] == [0, 1, 2, 3, 4]


def test_concurrent_async_ops_keep_their_parents(client):
    @weave.op
    async def sleeper(n):
        await asyncio.sleep(0.01)
        return n

    @weave.op
    async def crowd(name):
        return await asyncio.gather(*(sleeper(n) for n in range(10)))

    async def main():
        await asyncio.gather(crowd("a"), crowd("b"))

    asyncio.run(main())
    calls = stored(client)
    crowds = [call for call in calls if call.func_name == "crowd"]
    assert len(crowds) == 2 and len(calls) == 22
    for each in crowds:
        assert sum(call.parent_id == each.id for call in calls) == 10
        assert plain(each.output) == list(range(10))


def test_a_generator_is_one_call_that_ends_with_it(client):
    @weave.op(accumulator=lambda state, item: [*(state or []), item])
    def count(n):
        yield from range(n)

    assert list(count(4)) == [0, 1, 2, 3]
    [call] = stored(client)
    assert plain(call.output) == [0, 1, 2, 3]
    assert call.ended_at is not None


def test_an_async_generator_is_one_call(client):
    @weave.op(accumulator=lambda state, item: [*(state or []), item])
    async def letters(word):
        for letter in word:
            yield letter

    async def main():
        return [letter async for letter in letters("loom")]

    assert asyncio.run(main()) == ["l", "o", "o", "m"]
    [call] = stored(client)
    assert plain(call.output) == ["l", "o", "o", "m"]


def test_a_generator_without_an_accumulator_ends_too(client):
    @weave.op
    def count(n):
        for i in range(n):
            yield step(i)

    @weave.op
    def step(i):
        return i

    assert list(count(3)) == [0, 1, 2]
    calls = stored(client)
    [root] = [call for call in calls if call.func_name == "count"]
    assert root.ended_at is not None
    assert sum(call.parent_id == root.id for call in calls) == 3


def test_an_accumulator_decides_what_is_stored_of_a_stream(client):
    @weave.op(accumulator=lambda state, item: (state or 0) + item)
    def numbers():
        yield from (1, 2, 3)

    list(numbers())
    [call] = stored(client)
    assert call.output == 6


def test_an_exception_is_stored_and_still_raised(client):
    @weave.op
    def inner():
        raise ValueError("the thread broke")

    @weave.op
    def outer():
        inner()

    with pytest.raises(ValueError, match="the thread broke"):
        outer()
    calls = by_name(stored(client))
    for call in calls.values():
        assert "ValueError" in call.exception and "the thread broke" in call.exception
        assert call.summary["weave"]["status"] == "error"
    assert calls["outer"].summary["status_counts"]["error"] == 2


def test_an_exception_in_an_async_op_is_stored(client):
    @weave.op
    async def failing():
        raise RuntimeError("later")

    with pytest.raises(RuntimeError):
        asyncio.run(failing())
    [call] = stored(client)
    assert "RuntimeError" in call.exception and "later" in call.exception


def test_an_exception_inside_a_generator_is_stored(client):
    @weave.op
    def half():
        yield 1
        raise KeyError("rest")

    with pytest.raises(KeyError):
        list(half())
    [call] = stored(client)
    assert "KeyError" in call.exception


def test_a_caught_exception_fails_the_child_only(client):
    @weave.op
    def child():
        raise ValueError("caught")

    @weave.op
    def parent():
        try:
            child()
        except ValueError:
            return "fine"

    parent()
    calls = by_name(stored(client))
    assert calls["parent"].exception is None and calls["parent"].output == "fine"
    assert calls["parent"].summary["weave"]["status"] == "descendant_error"


def test_calls_in_a_thread_pool_keep_their_parent(client):
    @weave.op
    def work(n):
        return n * n

    @weave.op
    def spread():
        with weave.ThreadPoolExecutor(max_workers=4) as pool:
            return sorted(pool.map(work, range(20)))

    spread()
    calls = stored(client)
    [parent] = [call for call in calls if call.func_name == "spread"]
    assert sum(call.parent_id == parent.id for call in calls) == 20


def test_methods_and_defaults_are_inputs(client):
    class Loom:
        @weave.op
        def weave_cloth(self, warp, weft="wool", *rest, **more):
            return f"{warp}/{weft}"

    Loom().weave_cloth("linen", colour="red")
    [call] = stored(client)
    assert call.inputs["warp"] == "linen" and call.inputs["weft"] == "wool"
    assert call.inputs["more"]["colour"] == "red"


def test_an_op_with_a_name_and_display_name(client):
    @weave.op(name="renamed", call_display_name="shown")
    def original():
        return 1

    original()
    [call] = stored(client)
    assert call.func_name == "renamed" and call.display_name == "shown"


def test_a_display_name_computed_from_the_call(client):
    @weave.op(call_display_name=lambda call: f"for {call.inputs['who']}")
    def greet(who):
        return who

    greet("Ada")
    [call] = stored(client)
    assert call.display_name == "for Ada"


def test_a_call_is_renamed_and_its_name_removed(client):
    @weave.op
    def nameless():
        return 1

    _, call = nameless.call()
    client.flush()
    call.set_display_name("first")
    client.flush()
    assert client.get_call(call.id).display_name == "first"
    call.set_display_name("second")
    client.flush()
    assert client.get_call(call.id).display_name == "second"
    call.remove_display_name()
    client.flush()
    assert not client.get_call(call.id).display_name


def test_a_rename_before_the_call_ended_is_kept(client):
    @weave.op
    def slow():
        weave.get_current_call().set_display_name("early")
        return 1

    slow()
    [call] = stored(client)
    assert call.display_name == "early"


def test_attributes_of_a_block_are_on_every_call_within(client):
    @weave.op
    def inner():
        return 1

    @weave.op
    def outer():
        return inner()

    with weave.attributes({"env": "test", "nested": {"a": [1, 2]}}):
        outer()
    for call in stored(client):
        assert call.attributes["env"] == "test"
        assert plain(call.attributes["nested"]) == {"a": [1, 2]}


def test_a_custom_summary_is_stored(client):
    @weave.op
    def measured():
        weave.get_current_call().summary["metric"] = {"f1": 0.75}
        return 1

    measured()
    [call] = stored(client)
    assert plain(call.summary["metric"]) == {"f1": 0.75}
    assert call.summary["weave"]["status"] == "success"


def test_latency_and_trace_name_are_computed(client):
    @weave.op
    def nap():
        time.sleep(0.05)

    nap()
    [call] = stored(client)
    took = (call.ended_at - call.started_at).total_seconds()
    assert 0.05 <= took < 5
    assert abs(call.summary["weave"]["latency_ms"] - took * 1000) <= 1
    assert call.summary["weave"]["trace_name"] == "nap"


def test_values_of_every_kind_come_back_as_they_were(client):
    values = {
        "none": None,
        "true": True,
        "int": 7,
        "big": 2**53 - 1,
        "negative": -0.25,
        "float": 1.0,
        "tiny": 5e-324,
        "text": 'ünï ☃ 𝄞 \u2028 "quoted" \\ back',
        "empty": "",
        "list": [1, [2, [3]]],
        "dict": {"": 1, "a.b": 2, "a/b": {"c": None}},
        "lines": "a\nb\tc\r\0",
    }

    @weave.op
    def echo(values):
        return values

    echo(values)
    [call] = stored(client)
    assert plain(call.output) == values
    assert plain(call.inputs["values"]) == values
    assert isinstance(plain(call.output)["float"], float) and isinstance(plain(call.output)["int"], int)


def test_nan_and_infinity_do_not_lose_the_call(client):
    @weave.op
    def odd():
        return {"nan": math.nan, "inf": math.inf, "one": 1}

    odd()
    [call] = stored(client)
    assert call.output["one"] == 1


def test_dataclasses_models_and_dates_are_stored(client):
    @dataclasses.dataclass
    class Point:
        x: int
        y: int

    class Shape(pydantic.BaseModel):
        name: str
        sides: int

    @weave.op
    def make():
        return {"point": Point(1, 2), "shape": Shape(name="square", sides=4), "at": datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)}

    make()
    [call] = stored(client)
    assert call.output["point"].x == 1 and call.output["shape"].sides == 4
    assert call.output["at"] == datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)


def test_a_megabyte_of_text_in_and_out(client):
    text = "warp and weft " * 75_000

    @weave.op
    def long(text):
        return text[::-1]

    long(text)
    [call] = stored(client)
    assert call.inputs["text"] == text and call.output == text[::-1]


def test_fifty_levels_deep(client):
    @weave.op
    def down(n):
        return 0 if n == 0 else down(n - 1) + 1

    assert down(49) == 49
    calls = stored(client)
    assert len(calls) == 50
    assert len({call.trace_id for call in calls}) == 1
    assert sum(call.parent_id is None for call in calls) == 1


def test_a_thousand_calls_are_all_stored(client):
    @weave.op
    def tick(n):
        return n

    for n in range(1_000):
        tick(n)
    assert sorted(call.output for call in stored(client)) == list(range(1_000))
    assert len(client.get_calls()) == 1_000


def test_a_call_without_decorator(client):
    call = client.create_call("by_hand", {"a": 1}, attributes={"hand": True})
    child = client.create_call("child_by_hand", {"b": 2}, parent=call)
    client.finish_call(child, output="c")
    client.finish_call(call, output={"d": 3})
    calls = stored(client)
    assert [(call.func_name, plain(call.output)) for call in calls] == [("by_hand", {"d": 3}), ("child_by_hand", "c")]
    assert calls[1].parent_id == calls[0].id
    assert calls[0].attributes["hand"] is True


def test_log_call_stores_a_finished_call(client):
    call = weave.log_call("logged", {"q": "?"}, {"a": "!"}, display_name="a log", attributes={"from": "log"})
    client.flush()
    read = client.get_call(call.id)
    assert plain(read.output) == {"a": "!"} and read.display_name == "a log"


def test_a_failed_call_without_decorator(client):
    call = client.create_call("fails", {})
    client.fail_call(call, ValueError("by hand"))
    [read] = stored(client)
    assert "by hand" in read.exception


def test_a_running_call_can_be_read_before_it_ends(client):
    # Without eager start, the SDK sends a call when it ends, and a flush would wait minutes for that.
    @weave.op(eager_call_start=True)
    def running(x):
        [read] = stored(client)
        assert read.ended_at is None and read.summary["weave"]["status"] == "running"
        return x + 1

    assert running(1) == 2
    [read] = stored(client)
    assert read.ended_at is not None and read.output == 2


def test_what_postprocessing_removes_is_not_stored(client):
    @weave.op(postprocess_inputs=lambda inputs: {**inputs, "secret": "hidden"}, postprocess_output=lambda out: len(out))
    def careful(secret):
        return secret * 2

    assert careful("abc") == "abcabc"
    [call] = stored(client)
    assert call.inputs["secret"] == "hidden" and call.output == 6


def test_call_returns_the_call_with_its_id(client):
    @weave.op
    def add(a, b):
        return a + b

    result, call = add.call(2, 3)
    client.flush()
    assert result == 5 and client.get_call(call.id).output == 5


def test_deleting_a_call_deletes_its_descendants(client):
    @weave.op
    def child():
        return 1

    @weave.op
    def parent():
        return child()

    _, doomed = parent.call()
    _, kept = parent.call()
    client.flush()
    doomed.delete()
    assert {call.trace_id for call in stored(client)} == {kept.trace_id}
    with pytest.raises(ValueError):
        client.get_call(doomed.id)


def test_many_calls_are_deleted_in_one_request(client):
    @weave.op
    def item(n):
        return n

    ids = [item.call(n)[1].id for n in range(20)]
    client.flush()
    client.delete_calls(ids[:15])
    assert [call.output for call in stored(client)] == [15, 16, 17, 18, 19]


def test_a_call_records_its_user(client):
    @weave.op
    def mine():
        return 1

    mine()
    [call] = stored(client)
    assert call.wb_user_id


def test_the_result_of_a_future_is_stored(client):
    @weave.op
    def promise():
        future: Future = Future()
        future.set_result(3)
        return future.result()

    promise()
    [call] = stored(client)
    assert call.output == 3
