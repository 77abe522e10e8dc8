import { describe, expect, test } from 'vitest'
import { exceptionLine, parseException } from './exception.ts'

const PYTHON = `Traceback (most recent call last):
  File "/app/chat.py", line 12, in answer
    response = client.create(
        model="gpt-4o")
               ^^^^^^^^
  File "/app/client.py", line 3, in <module>
openai.RateLimitError: Error code: 429`

describe('the exception text', () => {
  test('of a Python traceback ends with the title', () => {
    expect(parseException(PYTHON)).toEqual({
      type: 'openai.RateLimitError',
      message: 'Error code: 429',
      hasFrames: true,
      isInnermostLast: true,
      stack: [
        {
          kind: 'frame',
          name: 'answer',
          file: '/app/chat.py',
          line: '12',
          code: 'response = client.create(\nmodel="gpt-4o")',
        },
        { kind: 'frame', name: '', file: '/app/client.py', line: '3', code: '' },
      ],
    })
  })

  test('of a Python span begins with the title, and repeats it after the stack', () => {
    const parsed = parseException(`RateLimitError: Error code: 429\n${PYTHON}`)
    expect(parsed).toMatchObject({ type: 'RateLimitError', message: 'Error code: 429' })
    expect(parsed.stack.map(({ kind }) => kind)).toEqual(['frame', 'frame'])
  })

  test('of a chain of exceptions keeps the causes', () => {
    const parsed = parseException(
      `KeyError: 'a'\n${PYTHON}\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "b.py", line 1, in f\nKeyError: 'a'`,
    )
    expect(parsed.stack.filter(({ kind }) => kind === 'text')).toEqual([
      { kind: 'text', text: 'openai.RateLimitError: Error code: 429' },
      { kind: 'text', text: 'During handling of the above exception, another exception occurred:' },
    ])
  })

  test('of JavaScript', () => {
    expect(
      parseException(
        'TypeError: fetch failed\n    at async answer (file:///app/chat.js:3:11)\n    at node:internal/process:9:1\n  [cause]: ECONNREFUSED',
      ),
    ).toEqual({
      type: 'TypeError',
      message: 'fetch failed',
      hasFrames: true,
      isInnermostLast: false,
      stack: [
        { kind: 'frame', name: 'async answer', file: 'file:///app/chat.js', line: '3:11', code: '' },
        { kind: 'frame', name: '', file: 'node:internal/process', line: '9:1', code: '' },
        { kind: 'text', text: '[cause]: ECONNREFUSED' },
      ],
    })
  })

  test('of Java', () => {
    const { type, message, stack } = parseException(
      'java.io.IOException: closed\n\tat a.b.C.read(C.java:17)\n\tat a.b.D.run(Native Method)\nCaused by: java.net.SocketException\n\t... 3 more',
    )
    expect({ type, message }).toEqual({ type: 'java.io.IOException', message: 'closed' })
    expect(stack.slice(0, 3)).toEqual([
      { kind: 'frame', name: 'a.b.C.read', file: 'C.java', line: '17', code: '' },
      { kind: 'frame', name: 'a.b.D.run', file: 'Native Method', line: '', code: '' },
      { kind: 'text', text: 'Caused by: java.net.SocketException' },
    ])
  })

  test("as JSON, as Weave's Python SDK sends it", () => {
    const exception = JSON.stringify({
      type: 'RefundRefused',
      message: 'order A-1042 was not refunded\ntry later',
      traceback: [
        { filename: 'shop.py', line_number: 235, function_name: '<module>', text: 'converse()' },
        { filename: 'shop.py', line_number: 99, function_name: 'predict', text: '    result = refund()' },
        'unknown',
      ],
    })
    expect(parseException(exception)).toEqual({
      type: 'RefundRefused',
      message: 'order A-1042 was not refunded\ntry later',
      hasFrames: true,
      isInnermostLast: true,
      stack: [
        { kind: 'frame', name: '', file: 'shop.py', line: '235', code: 'converse()' },
        { kind: 'frame', name: 'predict', file: 'shop.py', line: '99', code: 'result = refund()' },
      ],
    })
    expect(exceptionLine(exception)).toBe('RefundRefused: order A-1042 was not refunded')
    expect(parseException('{"code": 5}')).toMatchObject({ type: '', message: '{"code": 5}' })
    expect(exceptionLine('{"type": "x"')).toBe('{"type": "x"')
  })

  test.each([
    [PYTHON, 'openai.RateLimitError: Error code: 429'],
    ['ValueError: no such order', 'ValueError: no such order'],
    ['timeout: no response\nsecond line', 'timeout: no response'],
    ['KeyError', 'KeyError'],
    ['', ''],
  ])('in one line: %s', (exception, line) => {
    expect(exceptionLine(exception)).toBe(line)
  })

  test('without a stack is type and message', () => {
    expect(parseException('ValueError: no such order')).toMatchObject({
      type: 'ValueError',
      message: 'no such order',
      hasFrames: false,
    })
    expect(parseException('timeout: no response\nsecond line')).toMatchObject({
      type: '',
      message: 'timeout: no response\nsecond line',
    })
    expect(parseException('Error code: 400 - bad')).toMatchObject({
      type: '',
      message: 'Error code: 400 - bad',
    })
    expect(parseException('Traceback:\n  unknown\nValueError: boom')).toMatchObject({
      type: 'ValueError',
      message: 'boom',
      hasFrames: false,
    })
    expect(parseException('KeyError')).toMatchObject({ type: 'KeyError', message: '' })
  })
})
