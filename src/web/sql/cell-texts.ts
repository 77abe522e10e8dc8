import { eachChild, kindAt, stringAt } from '../../client/browser/json-scan.ts'

/** The cells of a row: decoded strings, and the original JSON of other values, so that no digit is lost. */
export function cellTexts(row: string): readonly string[] {
  const cells: string[] = []
  eachChild(row, row.indexOf('['), (_, at, end) => {
    const isText = kindAt(row, at) === 'string'
    cells.push(isText ? stringAt(row, at, end) : row.slice(at, end))
  })
  return cells
}
