// Ops: nesting, concurrency, exceptions, streams, classes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as weave from 'weave'
import { functionName, start, stored } from './programs.mjs'

test('nested ops form one trace', async () => {
  const client = await start('nested')
  const leaf = weave.op(function leaf(x) {
    return x + 1
  })
  const root = weave.op(async function root(x) {
    return (await leaf(x)) * 10
  })
  assert.equal(await root(1), 20)
  const calls = await stored(client)
  const byName = Object.fromEntries(calls.map((call) => [functionName(call), call]))
  assert.equal(calls.length, 2)
  assert.equal(byName.leaf.parent_id, byName.root.id)
  assert.equal(byName.leaf.trace_id, byName.root.trace_id)
  assert.deepEqual([byName.root.inputs, byName.root.output], [{ arg0: 1 }, 20])
})

test('concurrent ops keep their parents', async () => {
  const client = await start('concurrent')
  const child = weave.op(async function child(n) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return n
  })
  const parent = weave.op(async function parent(name) {
    return Promise.all(Array.from({ length: 10 }, (_, n) => child(`${name}${n}`)))
  })
  await Promise.all([parent('a'), parent('b')])
  const calls = await stored(client)
  assert.equal(calls.length, 22)
  for (const each of calls.filter((call) => functionName(call) === 'parent')) {
    const name = each.inputs.arg0
    const children = calls.filter((call) => call.parent_id === each.id)
    assert.equal(children.length, 10)
    assert.ok(children.every((call) => call.output.startsWith(name)))
  }
})

test('an exception is stored and still thrown', async () => {
  const client = await start('exception')
  const failing = weave.op(async function failing() {
    throw new Error('the thread broke')
  })
  await assert.rejects(failing(), /the thread broke/)
  const [call] = await stored(client)
  assert.match(call.exception, /the thread broke/)
  assert.equal(call.summary.weave.status, 'error')
})

test('a stream is one call with the reduced output', async () => {
  const client = await start('stream')
  const numbers = weave.op(
    async function* numbers(n) {
      for (let i = 1; i <= n; i++) yield i
    },
    {
      streamReducer: {
        initialStateFn: () => ({ sum: 0, chunks: [] }),
        reduceFn: (state, chunk) => ({ sum: state.sum + chunk, chunks: [...state.chunks, chunk] }),
        finalizeFn: () => {},
      },
    },
  )
  const seen = []
  for await (const chunk of await numbers(4)) seen.push(chunk)
  assert.deepEqual(seen, [1, 2, 3, 4])
  const [call] = await stored(client)
  assert.deepEqual(call.output, { sum: 10, chunks: [1, 2, 3, 4] })
})

test('a stream that is abandoned early is finished with the chunks read so far', async () => {
  const client = await start('stream-left')
  const endless = weave.op(
    async function* endless() {
      for (let i = 0; ; i++) yield i
    },
    {
      streamReducer: {
        initialStateFn: () => [],
        reduceFn: (state, chunk) => [...state, chunk],
        finalizeFn: () => {},
      },
    },
  )
  for await (const chunk of await endless()) if (chunk === 2) break
  const [call] = await stored(client)
  assert.deepEqual(call.output, [0, 1, 2])
  assert.ok(call.ended_at)
})

test('bound methods of a class', async () => {
  const client = await start('bound')
  class Loom {
    constructor(colour) {
      this.colour = colour
      this.weaveCloth = weave.op(this, async function weaveCloth(thread) {
        return `${this.describe()} ${thread}`
      })
    }
    describe() {
      return this.colour
    }
  }
  assert.equal(await new Loom('red').weaveCloth('wool'), 'red wool')
  const [call] = await stored(client)
  assert.equal(functionName(call), 'Loom.weaveCloth')
  assert.equal(call.inputs.arg0, 'wool')
})

test('decorated methods of a class', async () => {
  const client = await start('decorated')
  class Model extends weave.WeaveObject {
    constructor(parameters) {
      super(parameters)
      this.factor = parameters.factor
    }
    async predict(x) {
      return this.factor * x
    }
  }
  // What `@weave.op` above the method compiles to.
  const descriptor = Object.getOwnPropertyDescriptor(Model.prototype, 'predict')
  Object.defineProperty(Model.prototype, 'predict', weave.op(Model.prototype, 'predict', descriptor))
  assert.equal(await new Model({ name: 'six', factor: 6 }).predict(7), 42)
  const [call] = await stored(client)
  assert.equal(functionName(call), 'Model.predict')
  assert.match(call.inputs.self, /^weave:\/\/\/.*\/object\/six:/)
})

test('names of ops, calls and parameters', async () => {
  const client = await start('names')
  const named = weave.op(async (a, b) => a + b, {
    name: 'adder',
    callDisplayName: (a, b) => `${a} and ${b}`,
    parameterNames: ['left', 'right'],
  })
  await named(2, 3)
  const [call] = await stored(client)
  assert.equal(functionName(call), 'adder')
  assert.equal(call.display_name, '2 and 3')
  assert.deepEqual(call.inputs, { left: 2, right: 3 })
})

test('attributes of a block are on every call within', async () => {
  const client = await start('attributes')
  const inner = weave.op(async function inner() {
    return 1
  })
  const outer = weave.op(async function outer() {
    return inner()
  })
  await weave.withAttributes({ env: 'test', nested: { a: [1] } }, () => outer())
  for (const call of await stored(client)) {
    assert.equal(call.attributes.env, 'test')
    assert.deepEqual(call.attributes.nested, { a: [1] })
  }
})

test('usage is summed over the child calls', async () => {
  const client = await start('summary')
  const llm = weave.op(
    async function llm() {
      return { text: 'x' }
    },
    {
      summarize: () => ({
        usage: { 'gpt-4o': { requests: 1, prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 } },
      }),
    },
  )
  const chain = weave.op(async function chain() {
    await llm()
    await llm()
  })
  await chain()
  const [root] = await stored(client, { trace_roots_only: true }, true)
  assert.equal(root.summary.usage['gpt-4o'].prompt_tokens, 200)
  const cost = root.summary.weave.costs['gpt-4o']
  assert.ok(Math.abs(cost.prompt_tokens_total_cost - 200 * 2.5e-6) < 1e-9)
})

test('a call is renamed', async () => {
  const client = await start('rename')
  const op = weave.op(async function renamed() {
    return 1
  })
  const [, call] = await op.invoke()
  await client.waitForBatchProcessing()
  await call.setDisplayName('shown')
  assert.equal((await client.getCall(call.id)).display_name, 'shown')
})

test('values of every kind come back as they were', async () => {
  const client = await start('values')
  const values = {
    none: null,
    yes: true,
    float: 0.1,
    big: 2 ** 53 - 1,
    text: 'ünï ☃ 𝄞 \u2028 "quoted" \\',
    list: [1, [2, []]],
    '': { 'a.b': 'c/d' },
  }
  const echo = weave.op(async function echo(values) {
    return values
  })
  await echo(values)
  const [call] = await stored(client)
  assert.deepEqual(call.output, values)
  assert.deepEqual(call.inputs.arg0, values)
})

test('two thousand calls are all stored', async () => {
  const client = await start('many')
  const tick = weave.op(async function tick(n) {
    return n
  })
  for (let n = 0; n < 2_000; n++) await tick(n)
  await client.waitForBatchProcessing()
  const seen = new Set()
  for await (const call of client.getCallsIterator({}, false, 5_000)) seen.add(call.output)
  assert.equal(seen.size, 2_000)
})
