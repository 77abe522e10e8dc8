"""Publishing and reading: objects, ops, prompts, models."""

import datetime

import pytest
import weave
from programs import plain, stored


def test_a_dict_is_published_and_read(client):
    value = {"a": 1, "b": [1, 2.5, None, True], "c": {"deep": {"er": "x"}}}
    ref = weave.publish(value, name="settings")
    assert plain(ref.get()) == value
    assert plain(weave.ref("settings").get()) == value
    assert plain(weave.ref("settings:latest").get()) == value
    assert plain(weave.ref(ref.uri).get()) == value


def test_the_digest_is_the_same_for_the_same_content(client):
    first = weave.publish({"x": 1}, name="same")
    second = weave.publish({"x": 1}, name="same")
    other = weave.publish({"x": 2}, name="same")
    assert first.digest == second.digest != other.digest


def test_versions_are_numbered_and_latest_is_the_newest(client):
    refs = [weave.publish({"n": n}, name="numbered") for n in range(3)]
    for n in range(3):
        assert weave.ref(f"numbered:v{n}").get()["n"] == n
        assert weave.ref(f"numbered:{refs[n].digest}").get()["n"] == n
    assert weave.ref("numbered").get()["n"] == 2


def test_publishing_old_content_again_makes_it_the_latest(project, monkeypatch):
    # With its cache the SDK would not send the same content again.
    monkeypatch.setenv("WEAVE_USE_SERVER_CACHE", "false")
    weave.init(project)
    weave.publish({"n": 0}, name="back")
    weave.publish({"n": 1}, name="back")
    weave.publish({"n": 0}, name="back")
    assert weave.ref("back:latest").get()["n"] == 0
    with pytest.raises(Exception):
        weave.ref("back:v2").get()
    weave.finish()


def test_an_object_of_a_class_comes_back_with_its_fields(client):
    class Recipe(weave.Object):
        title: str
        steps: list[str]
        minutes: float = 1.0

    ref = weave.publish(Recipe(name="soup", title="Soup", steps=["boil", "eat"], minutes=12.5))
    recipe = ref.get()
    assert (recipe.title, list(recipe.steps), recipe.minutes) == ("Soup", ["boil", "eat"], 12.5)
    assert recipe.name == "soup"


def test_nested_objects_become_refs_and_resolve(client):
    class Inner(weave.Object):
        value: int

    class Outer(weave.Object):
        inner: Inner
        many: list[Inner]

    ref = weave.publish(Outer(name="outer", inner=Inner(name="one", value=1), many=[Inner(name="two", value=2), Inner(name="three", value=3)]))
    outer = ref.get()
    assert outer.inner.value == 1
    assert [inner.value for inner in outer.many] == [2, 3]


def test_a_ref_inside_an_object_is_followed(client):
    inner = weave.publish({"deep": "value"}, name="inner")
    outer = weave.publish({"ref": inner}, name="outer")
    value = outer.get()["ref"]
    value = value.get() if hasattr(value, "get") and not isinstance(value, dict) else value
    assert value["deep"] == "value"


def test_a_path_into_an_object_is_read(client):
    ref = weave.publish({"list": [{"x": 1}, {"x": 2}], "dict": {"k": "v"}}, name="paths")
    assert weave.ref(ref.uri + "/key/dict/key/k").get() == "v"
    assert weave.ref(ref.uri + "/key/list/index/1/key/x").get() == 2


def test_names_with_odd_characters_are_published(client):
    ref = weave.publish({"v": 1}, name="with spaces & ünïcode!")
    assert ref.get()["v"] == 1


def test_a_list_and_a_string_are_published(client):
    assert plain(weave.publish([1, "two", [3]], name="a-list").get()) == [1, "two", [3]]
    assert weave.publish("just text", name="a-string").get() == "just text"


def test_a_date_survives(client):
    at = datetime.datetime(2026, 5, 4, 3, 2, 1, 123456, tzinfo=datetime.timezone.utc)
    assert weave.publish({"at": at}, name="dated").get()["at"] == at


def test_an_op_is_published_and_runs_again(client):
    @weave.op
    def triple(x: int) -> int:
        return x * 3

    ref = weave.publish(triple)
    again = weave.ref(ref.uri).get()
    assert again(14) == 42


def test_an_op_has_a_version_per_body(client):
    def version(n):
        if n == 0:

            @weave.op
            def shifting(x):
                return x

        else:

            @weave.op
            def shifting(x):
                return x + 1000

        return shifting

    first, second = weave.publish(version(0)), weave.publish(version(1))
    assert first.digest != second.digest
    assert weave.ref("shifting:v0").get()(1) == 1
    assert weave.ref("shifting:v1").get()(1) == 1001


def test_the_op_of_a_call_can_be_read(client):
    @weave.op
    def square(x):
        return x * x

    square(3)
    [call] = stored(client)
    assert weave.ref(call.op_name).get()(5) == 25


def test_a_string_prompt_formats_after_reading(client):
    ref = weave.publish(weave.StringPrompt("Weave {what} on a {where}."), name="cloth-prompt")
    prompt = weave.ref(ref.uri).get()
    assert prompt.format(what="linen", where="loom") == "Weave linen on a loom."


def test_a_messages_prompt_formats_after_reading(client):
    ref = weave.publish(
        weave.MessagesPrompt([{"role": "system", "content": "You are {who}."}, {"role": "user", "content": "{ask}"}]), name="chat-prompt"
    )
    prompt = ref.get()
    assert prompt.format(who="Ada", ask="Why?") == [{"role": "system", "content": "You are Ada."}, {"role": "user", "content": "Why?"}]


def test_prompts_have_versions(client):
    for text in ("one {x}", "two {x}", "three {x}"):
        weave.publish(weave.StringPrompt(text), name="versioned-prompt")
    assert weave.ref("versioned-prompt:v1").get().format(x=2) == "two 2"
    assert weave.ref("versioned-prompt").get().format(x=3) == "three 3"


def test_an_easy_prompt_is_published(client):
    ref = weave.publish(weave.EasyPrompt("system: be kind to {name}"), name="easy")
    assert "kind" in str(ref.get().messages if hasattr(ref.get(), "messages") else ref.get())


def test_a_model_predicts_after_reading(client):
    class Multiplier(weave.Model):
        factor: int

        @weave.op
        def predict(self, x):
            return self.factor * x

    ref = weave.publish(Multiplier(name="times-six", factor=6))
    model = ref.get()
    assert model.factor == 6
    assert model.predict(7) == 42


def test_a_model_is_versioned_by_its_parameters(client):
    class Tuned(weave.Model):
        temperature: float

        @weave.op
        def predict(self, x):
            return x

    for temperature in (0.0, 0.5):
        Tuned(name="tuned", temperature=temperature).predict(1)
        client.flush()
    calls = stored(client)
    assert len({str(call.inputs["self"].ref if hasattr(call.inputs["self"], "ref") else call.inputs["self"]) for call in calls}) == 2
    assert weave.ref("tuned:v0").get().temperature == 0.0
    assert weave.ref("tuned:v1").get().temperature == 0.5


def test_an_object_as_input_is_stored_as_a_ref_and_read_back(client):
    class Config(weave.Object):
        depth: int

    config = Config(name="config", depth=3)
    weave.publish(config)

    @weave.op
    def run(config):
        return config.depth

    run(config)
    [call] = stored(client)
    assert call.inputs["config"].depth == 3
    assert call.output == 3


def test_a_deleted_version_is_gone_and_the_others_remain(client):
    refs = [weave.publish({"n": n}, name="doomed") for n in range(3)]
    client.delete_object_version(refs[2])
    with pytest.raises(Exception):
        weave.ref(refs[2].uri).get()
    assert weave.ref("doomed:latest").get()["n"] == 1
    assert weave.ref("doomed:v0").get()["n"] == 0


def test_all_versions_of_an_object_are_deleted(client):
    refs = [weave.publish({"n": n}, name="all-doomed") for n in range(3)]
    assert client.delete_all_object_versions("all-doomed") == 3
    for ref in refs:
        with pytest.raises(Exception):
            weave.ref(ref.uri).get()


def test_selected_versions_are_deleted(client):
    refs = [weave.publish({"n": n}, name="some-doomed") for n in range(3)]
    assert client.delete_object_versions("some-doomed", [refs[0].digest, refs[1].digest]) == 2
    assert weave.ref("some-doomed").get()["n"] == 2


def test_an_unknown_object_is_an_error(client):
    with pytest.raises(Exception):
        weave.ref("never-published:latest").get()


def test_an_op_version_is_deleted(client):
    @weave.op
    def short_lived(x):
        return x

    ref = weave.publish(short_lived)
    client.delete_op_version(ref)
    with pytest.raises(Exception):
        weave.ref(ref.uri).get()
