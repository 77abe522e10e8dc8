import { expect, test } from 'vitest'
import { cellTexts } from './cell-texts.ts'

test('values keep all digits', () => {
  expect(
    cellTexts('["a\\n\\"b\\"", 1.0, 12345678901234567890, null, ["x", 1], "18446744073709551615"]'),
  ).toEqual(['a\n"b"', '1.0', '12345678901234567890', 'null', '["x", 1]', '18446744073709551615'])
  expect(cellTexts('[]')).toEqual([])
})
