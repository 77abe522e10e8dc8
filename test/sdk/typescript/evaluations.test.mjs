// Evaluations, declared and logged; scores as feedback.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as weave from 'weave'
import { functionName, post, start, stored } from './programs.mjs'

const rows = Array.from({ length: 5 }, (_, n) => ({ question: `${n} + ${n}`, expected: 2 * n }))

test('a whole evaluation with scorers', async () => {
  const client = await start('evaluation')
  const model = weave.op(async function add({ datasetRow }) {
    const [left, right] = datasetRow.question.split(' + ').map(Number)
    return left + right
  })
  const exact = weave.op(async function exact({ modelOutput, datasetRow }) {
    return modelOutput === datasetRow.expected
  })
  const distance = weave.op(async function distance({ modelOutput, datasetRow }) {
    return { off: Math.abs(modelOutput - datasetRow.expected) }
  })
  const evaluation = new weave.Evaluation({
    name: 'sums',
    dataset: new weave.Dataset({ name: 'questions', rows }),
    scorers: [exact, distance],
  })
  const summary = await evaluation.evaluate({ model })
  assert.equal(summary.exact.true_count, 5)
  const calls = await stored(client)
  const count = (name) => calls.filter((call) => functionName(call) === name).length
  assert.deepEqual([count('add'), count('exact'), count('distance')], [5, 5, 5])
  const [root, ...others] = calls.filter((call) => call.parent_id === null)
  assert.equal(others.length, 0)
  assert.ok(root.ended_at)
  assert.equal(root.output.exact.true_count, 5)
  assert.ok(calls.every((call) => call.trace_id === root.trace_id))
})

test('a model that fails on a row does not stop the evaluation', async () => {
  const client = await start('brittle')
  const model = weave.op(async function brittle({ datasetRow }) {
    if (datasetRow.expected === 4) throw new Error('four')
    return datasetRow.expected
  })
  const exact = weave.op(async function exact({ modelOutput, datasetRow }) {
    return modelOutput === datasetRow.expected
  })
  await new weave.Evaluation({
    name: 'brittle',
    dataset: new weave.Dataset({ rows }),
    scorers: [exact],
  }).evaluate({ model })
  const calls = await stored(client)
  assert.equal(calls.filter((call) => call.exception !== null && functionName(call) === 'brittle').length, 1)
  assert.ok(calls.find((call) => call.parent_id === null).ended_at)
})

test('trials run every row again', async () => {
  const client = await start('trials')
  const model = weave.op(async function guess() {
    return 4
  })
  const exact = weave.op(async function exact({ modelOutput, datasetRow }) {
    return modelOutput === datasetRow.expected
  })
  await new weave.Evaluation({
    name: 'trials',
    dataset: new weave.Dataset({ rows }),
    scorers: [exact],
  }).evaluate({ model, nTrials: 3 })
  assert.equal((await stored(client)).filter((call) => functionName(call) === 'guess').length, 15)
})

test('a logged evaluation, its scores and its feedback', async () => {
  const client = await start('logged')
  const logger = new weave.EvaluationLogger({ name: 'by-hand', model: { name: 'm' }, dataset: 'some-data' })
  for (const [n, row] of rows.entries()) {
    const prediction = logger.logPrediction(row, row.expected)
    prediction.logScore('correct', true)
    prediction.logScore('value', n)
    prediction.finish()
  }
  await logger.logSummary()
  const calls = await stored(client)
  const root = calls.find((call) => call.parent_id === null)
  assert.ok(root.ended_at)
  assert.equal(root.output.value.mean, 2)
  assert.equal(root.output.correct.true_count, 5)
  const { result } = await (
    await post('/feedback/query', {
      project_id: client.projectId,
      fields: ['feedback_type', 'payload', 'weave_ref'],
    })
  ).json()
  assert.equal(result.length, 10)
  const values = result.filter((row) => row.feedback_type.endsWith('.value')).map((row) => row.payload.output)
  assert.deepEqual(values.sort(), [0, 1, 2, 3, 4])
})

test('a score is added to a call', async () => {
  const client = await start('score')
  const answer = weave.op(async function answer() {
    return 4
  })
  const judge = weave.op(async function judge() {
    return { good: true }
  })
  const [, call] = await answer.invoke()
  const [, score] = await judge.invoke()
  await client.waitForBatchProcessing()
  const id = await client.addScore(call.id, score.id, score.op_name, { good: true })
  const { result } = await (await post('/feedback/query', { project_id: client.projectId })).json()
  assert.equal(result.length, 1)
  assert.equal(result[0].id, id)
  assert.equal(result[0].feedback_type, 'wandb.runnable.judge')
  assert.deepEqual(result[0].payload, { output: { good: true } })
})
