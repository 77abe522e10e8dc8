import { expect, test } from 'vitest'
import { previewText } from './preview-text.ts'

test.each([
  ['"On its way\\nto Z\\u00fcrich"', 'On its way to Zürich'],
  ['{"question": "Where is my order?"}', 'Where is my order?'],
  ['{"q": "a", "n": 1.0}', 'q: a n: 1.0'],
  ['{"q": "cut o', 'cut o'],
  ['{"q": "cut \\u00f', 'cut'],
  ['{"q": "cut \\', 'cut'],
  ['{"q": "whole", "half', 'whole'],
  ['[{"doc": 1}, {"do', '[{"doc": 1}, {"do'],
  [
    '{"model": "m", "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Who \\"are\\" you?"}, {"role": "assistant", "content": null}]}',
    'user: Who "are" you?',
  ],
  ['{"messages": [{"role": "system", "content": "You answer ques', 'system: You answer ques'],
  ['{"messages": [{"role": "user", "content": [{"type": "text", "text": "Look:"}', 'user: Look:'],
  ['{"choices": [{"message": {"content": "Fine.", "role": "assistant"}}]}', 'Fine.'],
  ['{"messages": []}', '[]'],
  ['{"cart": {"order_id": "A-1077", "items": [1, 2]}}', 'order_id: A-1077 items: [1, 2]'],
  ['{"cart": {}}', '{}'],
  [
    '{"messages": [{"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_order", "arguments": "{\\"order_id\\":\\"A-1042\\"}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content": "shipped, arr',
    'get_order: shipped, arr',
  ],
  [
    '{"choices": [{"message": {"role": "assistant", "tool_calls": [{"id": "c", "function": {"arguments": "{\\"order_id\\":\\"A-1042\\"}", "name": "get_order"}}]}}]}',
    'get_order(A-1042)',
  ],
  [
    '{"_type": "Message", "id": "msg_1", "content": [{"_type": "TextBlock", "citations": null, "text": "A shovel.", "type": "text"}], "role": "assistant"}',
    'A shovel.',
  ],
  [
    '{"messages": [{"role": "weave:///a/p/object/prompt:d/attr/messages/index/0/key/role", "content": "Be kind."}]}',
    'Be kind.',
  ],
  [
    '{"self": "weave:///admin/assistant/object/assistant:HYBIBmFO", "question": "Where is my order?"}',
    'Where is my order?',
  ],
  ['{"self": "weave:///admin/assistant/object/assistant:HYBIBmFO"}', 'assistant'],
  [
    '{"example": "weave:///a/p/object/questions:d1/attr/rows/id/8f2a1c77e1", "model": "weave:///a/p/object/m:d2/attr/model"}',
    'example: questions.rows[8f2a1c] model: m.model',
  ],
  [
    '{"_type": "CustomWeaveType", "weave_type": {"type": "PIL.Image.Image"}, "files": {"image.png": "VY476"}, "load_op": "x"}',
    '[image.png]',
  ],
  ['{"picture": "data:image/png;base64,iVBORw0KGgo', '[image/png]'],
  ['{"content": "no conversation", "n": 1}', 'content: no conversation n: 1'],
  ['12345678901234567890', '12345678901234567890'],
  ['null', ''],
  ['', ''],
])('%s', (json, text) => {
  expect(previewText(json)).toBe(text)
})
