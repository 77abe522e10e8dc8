"""Evaluations, declared and logged."""

import asyncio

import pytest
import weave
from programs import plain, stored

ROWS = [{"question": f"{n} + {n}", "expected": 2 * n} for n in range(5)]


class Adder(weave.Model):
    offset: int = 0

    @weave.op
    def predict(self, question: str) -> int:
        left, right = question.split(" + ")
        return int(left) + int(right) + self.offset


@weave.op
def exact(expected: int, output: int) -> dict:
    return {"correct": expected == output}


class Distance(weave.Scorer):
    scale: float = 1.0

    @weave.op
    def score(self, *, expected: int, output: int) -> float:
        return abs(expected - output) * self.scale


def test_a_whole_evaluation_with_scorers(client):
    evaluation = weave.Evaluation(name="sums", dataset=ROWS, scorers=[exact, Distance(scale=2.0)])
    summary = asyncio.run(evaluation.evaluate(Adder(name="adder")))
    assert summary["exact"]["correct"] == {"true_count": 5, "true_fraction": 1.0}
    assert summary["Distance"]["mean"] == 0
    calls = stored(client)
    names = [call.func_name for call in calls]
    assert names.count("Evaluation.evaluate") == 1
    assert names.count("Evaluation.predict_and_score") == 5
    assert names.count("Adder.predict") == 5
    assert names.count("exact") == 5 and names.count("Distance.score") == 5
    [root] = [call for call in calls if call.parent_id is None]
    assert root.func_name == "Evaluation.evaluate" and root.ended_at is not None
    assert plain(root.output)["exact"] == {"correct": {"true_count": 5, "true_fraction": 1.0}}
    assert {call.trace_id for call in calls} == {root.trace_id}


def test_scores_are_feedback_of_the_predictions(client):
    evaluation = weave.Evaluation(name="sums", dataset=ROWS, scorers=[exact])
    asyncio.run(evaluation.evaluate(Adder(name="adder", offset=1)))
    predictions = [call for call in stored(client, include_feedback=True) if call.func_name == "Adder.predict"]
    for call in predictions:
        [feedback] = call.feedback
        assert feedback.feedback_type == "wandb.runnable.exact"
        assert plain(feedback.payload["output"]) == {"correct": False}
        assert call.summary["weave"]["feedback"][0]["feedback_type"] == "wandb.runnable.exact"


def test_calls_are_found_by_their_scorer(client):
    evaluation = weave.Evaluation(name="sums", dataset=ROWS, scorers=[exact])
    asyncio.run(evaluation.evaluate(Adder(name="adder")))

    @weave.op
    def unscored():
        return 1

    unscored()
    client.flush()
    scored = list(client.get_calls(scored_by="exact"))
    assert {call.func_name for call in scored} == {"Adder.predict"} and len(scored) == 5


def test_an_evaluation_of_a_plain_op_and_trials(client):
    @weave.op
    def guess(question):
        return 4

    evaluation = weave.Evaluation(name="trials", dataset=ROWS, scorers=[exact], trials=2)
    summary = asyncio.run(evaluation.evaluate(guess))
    assert summary["exact"]["correct"]["true_count"] == 2
    assert sum(call.func_name == "guess" for call in stored(client)) == 10


def test_a_model_that_fails_on_a_row_does_not_stop_the_evaluation(client):
    @weave.op
    def brittle(question):
        if question.startswith("3"):
            raise ValueError("three")
        return 0

    evaluation = weave.Evaluation(name="brittle", dataset=ROWS, scorers=[exact])
    asyncio.run(evaluation.evaluate(brittle))
    calls = stored(client)
    failed = [call for call in calls if call.func_name == "brittle" and call.exception]
    assert len(failed) == 1
    [root] = [call for call in calls if call.parent_id is None]
    assert root.ended_at is not None


def test_an_evaluation_of_a_published_dataset(client):
    dataset = weave.publish(weave.Dataset(name="questions", rows=ROWS)).get()
    evaluation = weave.Evaluation(name="on-dataset", dataset=dataset, scorers=[exact])
    asyncio.run(evaluation.evaluate(Adder(name="adder")))
    examples = [call for call in stored(client) if call.func_name == "Evaluation.predict_and_score"]
    assert sorted(call.inputs["example"]["expected"] for call in examples) == [0, 2, 4, 6, 8]


def test_a_published_evaluation_is_read_with_its_rows(client):
    ref = weave.publish(weave.Evaluation(name="kept", dataset=ROWS, scorers=[exact]))
    client.flush()
    # Read as a plain object: the class needs packages that the SDK does not install.
    evaluation = client.get(ref, objectify=False)
    assert evaluation.name == "kept"
    assert [row["expected"] for row in evaluation.dataset.rows] == [0, 2, 4, 6, 8]
    assert evaluation.scorers[0](expected=1, output=1) == {"correct": True}


def test_an_evaluation_of_a_hundred_rows(client):
    rows = [{"question": f"{n} + 1", "expected": n + 1} for n in range(100)]
    evaluation = weave.Evaluation(name="hundred", dataset=rows, scorers=[exact])
    asyncio.run(evaluation.evaluate(Adder(name="adder")))
    calls = stored(client)
    # evaluate, summarize, and three calls per row.
    assert len(calls) == 302
    assert all(call.ended_at is not None for call in calls)


def test_a_scorer_is_applied_to_a_call(client):
    @weave.op
    def answer(question):
        return 4

    _, call = answer.call("2 + 2")
    result = asyncio.run(call.apply_scorer(Distance(), additional_scorer_kwargs={"expected": 5}))
    assert result.result == 1
    client.flush()
    [feedback] = client.get_call(call.id).feedback
    assert feedback.feedback_type == "wandb.runnable.Distance"


def test_a_logged_evaluation(client):
    logger = weave.EvaluationLogger(name="by hand", model="some-model", dataset="some-data")
    for row in ROWS:
        prediction = logger.log_prediction(inputs=row, output=row["expected"])
        prediction.log_score("correct", True)
        prediction.log_score("length", 0.5)
        prediction.finish()
    logger.log_summary({"note": "done"})
    calls = stored(client)
    [root] = [call for call in calls if call.parent_id is None]
    assert root.func_name == "Evaluation.evaluate" and root.display_name == "by hand"
    assert root.output["correct"]["true_count"] == 5 and root.output["length"]["mean"] == 0.5
    assert root.output["output"]["note"] == "done"
    assert sum(call.func_name == "Evaluation.predict_and_score" for call in calls) == 5
    assert sum(call.func_name == "correct" or call.func_name.endswith(".score") or call.func_name == "length" for call in calls) == 10


def test_a_logged_evaluation_with_calls_within(client):
    @weave.op
    def model(question):
        return len(question)

    logger = weave.EvaluationLogger(name="nested", model={"name": "m", "size": 3})
    with logger.log_prediction(inputs={"question": "why"}) as prediction:
        prediction.output = model("why")
        with prediction.log_score("judge") as score:
            score.value = 0.25
    logger.log_summary()
    calls = stored(client)
    [nested] = [call for call in calls if call.func_name == "model"]
    [predict] = [call for call in calls if call.func_name == "Model.predict" or call.func_name.endswith(".predict")]
    assert nested.parent_id == predict.id
    assert predict.output == 3


def test_an_example_logged_in_one_call(client):
    logger = weave.EvaluationLogger(name="examples", scorers=["a", "b"])
    logger.log_example(inputs={"q": 1}, output="x", scores={"a": 0.25, "b": True})
    logger.log_example(inputs={"q": 2}, output="y", scores={"a": 0.75, "b": False})
    logger.log_summary()
    [root] = [call for call in stored(client) if call.parent_id is None]
    assert root.output["a"]["mean"] == 0.5 and root.output["b"]["true_fraction"] == 0.5


def test_a_logged_evaluation_that_fails(client):
    logger = weave.EvaluationLogger(name="fails")
    logger.log_prediction(inputs={"q": 1}, output=1).finish()
    logger.fail(RuntimeError("no more thread"))
    [root] = [call for call in stored(client) if call.parent_id is None]
    assert "no more thread" in root.exception


def test_scores_of_predictions_are_aggregated(client):
    logger = weave.EvaluationLogger(name="feedback")
    prediction = logger.log_prediction(inputs={"q": 1}, output=1)
    prediction.log_score("quality", {"value": 0.5, "reason": "fair"})
    prediction.finish()
    logger.log_summary()
    client.flush()
    feedback = [each for each in client.get_feedback() if each.feedback_type.startswith("wandb.runnable.")]
    assert len(feedback) == 1 and plain(feedback[0].payload["output"]) == {"value": 0.5, "reason": "fair"}


def test_two_evaluations_of_the_same_data_share_its_versions(client):
    dataset = weave.Dataset(name="shared", rows=ROWS)
    for offset in (0, 1):
        asyncio.run(weave.Evaluation(name="shared-eval", dataset=dataset, scorers=[exact]).evaluate(Adder(name="adder", offset=offset)))
    roots = [call for call in stored(client, filter={"trace_roots_only": True})]
    assert len(roots) == 2
    assert weave.ref("shared:v0").get().rows[0]["expected"] == 0
    with pytest.raises(Exception):
        weave.ref("shared:v1").get()
