import { describe, expect, test } from 'vitest'
import { mapLog } from './map-log.ts'
import { mapSpan } from './map-span.ts'
import { CALL_ID, double, testLog, testSpan } from '../../test/otlp/span-fixture.ts'

describe('a log record', () => {
  const content = (record: ReturnType<typeof testLog>) => {
    const [mapped] = mapLog(record).contents
    return mapped === undefined
      ? undefined
      : { call_id: mapped.call_id, inputs: mapped.inputs?.toJSON(), output: mapped.output?.toJSON() }
  }

  test('of one message has an input of the call', () => {
    expect(content(testLog('gen_ai.user.message', { content: 'Hi' }, { 'gen_ai.system': 'openai' }))).toEqual(
      {
        call_id: CALL_ID,
        inputs: { messages: [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }] },
        output: undefined,
      },
    )
    expect(content(testLog('gen_ai.tool.message', { id: 'call_1', content: '21' }))?.inputs).toEqual({
      messages: [{ role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: '21' }] }],
    })
  })

  test('of a choice has the output', () => {
    const body = {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"n": 1.0}' } },
        ],
      },
    }
    const expected = {
      messages: [
        {
          role: 'assistant',
          parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: '{"n": 1.0}' }],
          finish_reason: 'tool_calls',
        },
      ],
    }
    expect(content(testLog('gen_ai.choice', body))?.output).toEqual(expected)
    expect(content(testLog('gen_ai.choice', JSON.stringify(body)))?.output).toEqual(expected)
  })

  test('of all details has both', () => {
    const message = (role: string) => [{ role, parts: [{ type: 'text', content: role }] }]
    const record = testLog('gen_ai.client.inference.operation.details', null, {
      'gen_ai.system_instructions': [{ type: 'text', content: 'Be brief.' }],
      'gen_ai.input.messages': JSON.stringify(message('user')),
      'gen_ai.output.messages': message('assistant'),
    })
    expect(content(record)).toEqual({
      call_id: CALL_ID,
      inputs: { system: [{ type: 'text', content: 'Be brief.' }], messages: message('user') },
      output: { messages: message('assistant') },
    })
  })

  test('of something else, or without a span, is not stored', () => {
    const nothing = (reason: RegExp) => ({
      contents: [],
      feedback: [],
      ignored: expect.stringMatching(reason) as unknown,
    })
    expect(mapLog(testLog('http.request', 'x'))).toEqual(nothing(/not an event of the GenAI conventions/))
    expect(mapLog(testLog('gen_ai.unknown', { a: 1 }))).toEqual(nothing(/no prompt, response or evaluation/))
    expect(mapLog(testLog('gen_ai.evaluation.result', null, {}))).toEqual(nothing(/no prompt, response/))
    const noSpan = { ...testLog('gen_ai.user.message', 'Hi'), spanId: '' }
    expect(mapLog(noSpan)).toEqual(nothing(/no trace id and span id/))
  })
})

describe('an evaluation', () => {
  const attributes = {
    'gen_ai.evaluation.name': 'Relevance',
    'gen_ai.evaluation.score.value': double(4),
    'gen_ai.evaluation.score.label': 'relevant',
    'gen_ai.evaluation.explanation': 'On topic.',
    'gen_ai.response.id': 'chatcmpl-1',
  }
  const expected = {
    call_id: CALL_ID,
    feedback_type: 'evaluation.Relevance',
    key: `${CALL_ID}/span/evaluation.Relevance/1763164800500000000`,
  }
  const payload = '{"value":4.0,"label":"relevant","explanation":"On topic.","response_id":"chatcmpl-1"}'

  test('in a log record or on a span is the same feedback', () => {
    const ofLog = mapLog(testLog('gen_ai.evaluation.result', null, attributes)).feedback
    const ofSpan = mapSpan(testSpan({ events: [{ name: 'gen_ai.evaluation.result', attributes }] })).feedback
    for (const feedback of [ofLog, ofSpan]) {
      expect(feedback).toMatchObject([expected])
      expect(feedback[0]?.payload.text).toBe(payload)
    }
  })

  test('without a name is none', () => {
    expect(
      mapLog(testLog('gen_ai.evaluation.result', null, { 'gen_ai.evaluation.score.value': 1 })).feedback,
    ).toEqual([])
  })

  test('of OpenLIT is not stored: it has the ids of the span around the one that has its content', () => {
    const record = testLog('gen_ai.client.inference.operation.details', '', {
      'gen_ai.input.messages': '[{"role": "user", "parts": [{"type": "text", "content": "hi"}]}]',
    })
    expect(mapLog(record).contents).toHaveLength(1)
    const scope = { ...record.scope, name: 'openlit.instrumentation.anthropic' }
    expect(mapLog({ ...record, scope })).toMatchObject({ contents: [], feedback: [] })
  })
})
