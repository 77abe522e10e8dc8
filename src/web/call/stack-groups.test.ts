import { expect, test } from 'vitest'
import { parseException } from './exception.ts'
import { stackGroups } from './stack-groups.ts'

/** The names of frames; those of libraries in one string. */
function shown(exception: string): readonly string[] {
  return stackGroups(parseException(exception)).map((group) => {
    if (group.kind === 'text') return group.text
    return group.kind === 'frame' ? group.frame.name : `(${group.frames.map(({ name }) => name).join(' ')})`
  })
}

test('a Python traceback begins with the call that failed, and folds the frames of libraries', () => {
  expect(
    shown(`Traceback (most recent call last):
  File "/usr/lib/python3.11/threading.py", line 975, in run
    self._target()
  File "/usr/lib/python3.11/concurrent/futures/thread.py", line 58, in work
  File "/app/agent.py", line 12, in answer
    lookup(order)
  File "/venv/lib/python3.11/site-packages/weave/trace/op.py", line 5, in wrapper
  File "/app/tools.py", line 3, in lookup
    raise KeyError(order)
KeyError: 'A-1'`),
  ).toEqual(['lookup', '(wrapper)', 'answer', '(work run)'])
})

test('each exception of a chain is reversed by itself', () => {
  expect(
    shown(`Traceback (most recent call last):
  File "/app/a.py", line 1, in outer
  File "/app/a.py", line 2, in inner
KeyError: 'a'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/b.py", line 1, in main
  File "/app/b.py", line 2, in recover
ValueError: b`),
  ).toEqual([
    'inner',
    'outer',
    "KeyError: 'a'",
    'During handling of the above exception, another exception occurred:',
    'recover',
    'main',
  ])
})

test('JavaScript and Java begin with it already', () => {
  expect(
    shown(
      'TypeError: fetch failed\n    at node:internal/process:9:1\n    at answer (/app/chat.js:3:11)\n    at run (/app/node_modules/p-map/index.js:1:1)\n    at main (/app/chat.js:1:1)',
    ),
  ).toEqual(['()', 'answer', '(run)', 'main'])
  expect(
    shown('a.B: c\n\tat java.base/java.util.List.get(List.java:4)\n\tat com.shop.Cart.total(Cart.java:9)'),
  ).toEqual(['(java.base/java.util.List.get)', 'com.shop.Cart.total'])
})

test('a trace of libraries alone is not folded', () => {
  expect(
    shown('TypeError: a\n    at f (/x/node_modules/a/b.js:1:1)\n    at g (/x/node_modules/a/b.js:2:1)'),
  ).toEqual(['f', 'g'])
})
