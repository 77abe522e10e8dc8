"""Datasets and tables, small and large."""

import pytest
import weave
from programs import call_server, plain, stored


def rows(n: int) -> list[dict]:
    return [{"id": i, "text": f"row {i}", "nested": {"half": i / 2, "list": [i]}} for i in range(n)]


def test_a_dataset_is_published_and_read(client):
    ref = weave.publish(weave.Dataset(name="small", rows=rows(10)))
    dataset = weave.ref(ref.uri).get()
    assert [plain(row) for row in dataset.rows] == rows(10)
    assert len(dataset.rows) == 10
    assert dataset.rows[3]["text"] == "row 3"


def test_a_dataset_of_2500_rows_is_published_and_read(client):
    ref = weave.publish(weave.Dataset(name="large", rows=rows(2_500)))
    dataset = weave.ref(ref.uri).get()
    assert len(dataset.rows) == 2_500
    read = [plain(row) for row in dataset.rows]
    assert read == rows(2_500)
    assert dataset.rows[2_499]["id"] == 2_499


def test_a_dataset_has_the_same_digest_however_its_rows_are_sent(client):
    large = weave.publish(weave.Dataset(name="large", rows=rows(1_500)))
    again = weave.publish(weave.Dataset(name="large", rows=rows(1_500)))
    assert large.digest == again.digest


def test_equal_rows_are_stored_in_order(client):
    same = [{"x": i % 3} for i in range(9)]
    dataset = weave.publish(weave.Dataset(name="repeats", rows=same)).get()
    assert [row["x"] for row in dataset.rows] == [0, 1, 2] * 3


def test_a_dataset_of_calls(client):
    @weave.op
    def answer(question):
        return question[::-1]

    for question in ("abc", "def"):
        answer(question)
    dataset = weave.Dataset.from_calls(stored(client))
    read = weave.publish(dataset, name="of-calls").get()
    assert [row["output"] for row in read.rows] == ["cba", "fed"]


def test_rows_are_added_to_a_published_dataset(client):
    first = weave.publish(weave.Dataset(name="growing", rows=rows(3))).get()
    ref = weave.publish(first.add_rows([{"id": 3, "text": "new", "nested": None}]), name="growing")
    assert [row["id"] for row in ref.get().rows] == [0, 1, 2, 3]
    assert len(weave.ref("growing:v0").get().rows) == 3


def test_a_subset_of_a_dataset_is_selected(client):
    dataset = weave.publish(weave.Dataset(name="choose", rows=rows(6))).get()
    assert [row["id"] for row in dataset.select([4, 1])] == [4, 1]


def test_a_row_has_a_ref_that_can_be_read(client):
    dataset = weave.publish(weave.Dataset(name="row-refs", rows=rows(4))).get()
    row = dataset.rows[2]
    assert "/attr/rows/id/" in row.ref.uri
    assert weave.ref(row.ref.uri).get()["id"] == 2
    assert weave.ref(row.ref.uri + "/key/nested/key/half").get() == 1.0


def test_a_row_given_to_an_op_is_stored_as_a_ref(client):
    dataset = weave.publish(weave.Dataset(name="row-inputs", rows=rows(3))).get()

    @weave.op
    def use(row):
        return row["text"]

    for row in dataset.rows:
        use(row)
    calls = stored(client)
    assert [call.output for call in calls] == ["row 0", "row 1", "row 2"]
    assert [call.inputs["row"]["id"] for call in calls] == [0, 1, 2]
    refs = stored(client, filter={"input_refs": [dataset.rows[1].ref.uri]})
    assert [call.output for call in refs] == ["row 1"]


def test_several_tables_are_counted_in_one_request(client):
    refs = [weave.publish(weave.Dataset(name=f"t{n}", rows=rows(n))) for n in (2, 5)]
    digests = [ref.get().rows.table_ref.digest for ref in refs]
    if weave.__version__.startswith("0.52."):
        pytest.skip("this release checks its own request for the wrong type")
    response = call_server(client, "table_query_stats_batch", "TableQueryStatsBatchReq", digests=digests, include_storage_size=True)
    assert [next(table.count for table in response.tables if table.digest == digest) for digest in digests] == [2, 5]
    assert all(table.storage_size_bytes > 0 for table in response.tables)


def test_a_bare_table_is_published(client):
    table = weave.publish(weave.Table(rows(4)), name="bare").get()
    assert [row["id"] for row in table] == [0, 1, 2, 3]


def test_wide_and_heavy_rows(client):
    heavy = [{f"column_{c}": f"{r}-{c}" for c in range(200)} | {"blob": "x" * 100_000} for r in range(30)]
    read = weave.publish(weave.Dataset(name="heavy", rows=heavy)).get()
    assert [plain(row) for row in read.rows] == heavy
