"""Tags and aliases of object versions."""

import pytest
import weave


@pytest.fixture(autouse=True)
def has_labels():
    if not hasattr(weave, "add_tags"):
        pytest.skip("this release has no tags")


def test_tags_and_aliases_on_publish(client):
    ref = weave.publish({"n": 1}, name="labelled", tags=["reviewed", "good one"], aliases=["production"])
    assert sorted(weave.get_tags(ref)) == ["good one", "reviewed"]
    assert "production" in weave.get_aliases(ref)
    assert weave.ref("labelled:production").get()["n"] == 1


def test_an_alias_moves_to_another_version(client):
    first = weave.publish({"n": 1}, name="moving", aliases=["live"])
    second = weave.publish({"n": 2}, name="moving")
    assert weave.ref("moving:live").get()["n"] == 1
    weave.set_aliases(second, "live")
    assert weave.get_tags_and_aliases(second)[1].count("live") == 1
    assert "live" not in weave.get_aliases(first)


def test_tags_are_added_and_removed(client):
    ref = weave.publish({"n": 1}, name="tagged")
    weave.add_tags(ref, ["a", "b"])
    weave.add_tags(ref, ["b", "c"])
    assert sorted(weave.get_tags(ref)) == ["a", "b", "c"]
    weave.remove_tags(ref, ["b"])
    assert sorted(weave.get_tags(ref)) == ["a", "c"]


def test_an_alias_is_removed(client):
    ref = weave.publish({"n": 1}, name="unaliased", aliases=["x", "y"])
    weave.remove_aliases(ref, "x")
    assert "y" in weave.get_aliases(ref) and "x" not in weave.get_aliases(ref)


def test_tags_and_aliases_of_the_project_are_listed(client):
    weave.publish({"n": 1}, name="one", tags=["t1"], aliases=["a1"])
    weave.publish({"n": 2}, name="two", tags=["t2", "t1"])
    assert sorted(weave.list_tags()) == ["t1", "t2"]
    assert "a1" in weave.list_aliases()


def test_a_reserved_alias_is_refused(client):
    ref = weave.publish({"n": 1}, name="reserved")
    for alias in ("latest", "v3", "a/b"):
        with pytest.raises(Exception):
            weave.set_aliases(ref, alias)
