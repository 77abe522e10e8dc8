"""Threads and turns: conversations made of calls."""

import weave
from programs import call_server, stored


@weave.op
def think(text):
    return text.upper()


@weave.op
def say(text):
    return think(text)


def test_calls_of_a_thread_carry_its_id_and_their_turn(client):
    with weave.thread("conversation-1"):
        first, second = (say.call(text)[1].id for text in ("one", "two"))
    calls = stored(client)
    assert {call.thread_id for call in calls} == {"conversation-1"}
    turns = [call for call in calls if call.func_name == "say"]
    assert [call.turn_id for call in turns] == [call.id for call in turns] == [first, second]
    nested = [call for call in calls if call.func_name == "think"]
    assert [call.turn_id for call in nested] == [first, second]


def test_a_thread_without_a_name_gets_an_id(client):
    with weave.thread() as thread:
        say("hello")
    assert thread.thread_id
    assert {call.thread_id for call in stored(client)} == {thread.thread_id}


def test_calls_outside_a_thread_have_no_thread_id(client):
    say("alone")
    with weave.thread("inside"):
        say("inside")
        with weave.thread(None):
            say("outside again")
    threads = {call.inputs["text"]: call.thread_id for call in stored(client) if call.func_name == "say"}
    assert threads == {"alone": None, "inside": "inside", "outside again": None}


def test_calls_are_found_by_thread_and_turn(client):
    with weave.thread("a"):
        turn = say.call("1")[1].id
        say("2")
    with weave.thread("b"):
        say("3")
    assert len(stored(client, filter={"thread_ids": ["a"]})) == 4
    assert len(stored(client, filter={"thread_ids": ["a", "b"]})) == 6
    assert len(stored(client, filter={"turn_ids": [turn]})) == 2


def test_threads_are_listed_with_their_turns(client):
    for name, turns in (("short", 1), ("long", 3)):
        with weave.thread(name):
            for n in range(turns):
                say(str(n))
    say("no thread")
    threads = list(call_server(client, "threads_query_stream", "ThreadsQueryReq"))
    assert {thread.thread_id: thread.turn_count for thread in threads} == {"short": 1, "long": 3}
    [long] = [thread for thread in threads if thread.thread_id == "long"]
    turns = stored(client, filter={"thread_ids": ["long"]})
    turns = [call for call in turns if call.func_name == "say"]
    assert (long.first_turn_id, long.last_turn_id) == (turns[0].id, turns[-1].id)
    assert long.start_time == turns[0].started_at
    assert long.p50_turn_duration_ms >= 0


def test_threads_are_sorted_limited_and_filtered(client):
    for name in ("x", "y", "z"):
        with weave.thread(name):
            say(name)
    newest = list(
        call_server(client, "threads_query_stream", "ThreadsQueryReq", sort_by=[{"field": "start_time", "direction": "desc"}], limit=2)
    )
    assert [thread.thread_id for thread in newest] == ["z", "y"]
    chosen = list(call_server(client, "threads_query_stream", "ThreadsQueryReq", filter={"thread_ids": ["y"]}))
    assert [thread.thread_id for thread in chosen] == ["y"]
