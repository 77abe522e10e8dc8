// Test program: logs 50 calls per second and runs two evaluations while its trace server has an outage.
// `outage.mjs PROJECT SECONDS`; the last line of the output is a JSON report.
import * as weave from 'weave'

const [project, secondsText] = process.argv.slice(2)
const seconds = Number(secondsText)
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const client = await weave.init(project, { printCallLink: false })
const typescriptTick = weave.op(async function typescriptTick(n) {
  return { n, text: 'x'.repeat(200) }
})
const typescriptModel = weave.op(async function typescriptModel({ datasetRow }) {
  await sleep(seconds * 100)
  return datasetRow.n
})
const typescriptScorer = weave.op(async function typescriptScorer({ modelOutput, datasetRow }) {
  return modelOutput === datasetRow.expected
})

function evaluate(name) {
  const rows = Array.from({ length: 60 }, (_, n) => ({ n, expected: n }))
  const dataset = new weave.Dataset({ name: `${name}-data`, rows })
  return new weave.Evaluation({ name, dataset, scorers: [typescriptScorer] }).evaluate({
    model: typescriptModel,
    maxConcurrency: 20,
  })
}

async function tick() {
  const startedMs = performance.now()
  const calls = []
  let n = 0
  let slowestMs = 0
  while (performance.now() < startedMs + seconds * 1000) {
    const due = (performance.now() - startedMs) / 20
    while (n <= due) calls.push(typescriptTick(n++))
    const before = performance.now()
    await sleep(5)
    slowestMs = Math.max(slowestMs, performance.now() - before)
  }
  await Promise.all(calls)
  return { ticks: n, slowest_ms: Math.round(slowestMs) }
}

const early = evaluate('typescript-early')
const ticking = tick()
await sleep(seconds * 450)
const late = evaluate('typescript-late')
const report = { ...(await ticking), evaluations: [await early, await late] }
await client.waitForBatchProcessing()
console.log(JSON.stringify(report))
