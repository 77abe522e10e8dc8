import { eachChild, kindAt, stringAt } from '../../client/browser/json-scan.ts'
import { valueAt } from '../json/value-at.ts'

/** The files of an object version, such as the code of an op, by name and digest. */
export function objectFiles(val: string): readonly { readonly name: string; readonly digest: string }[] {
  const files = valueAt(val, ['files'])
  const found: { name: string; digest: string }[] = []
  if (files === undefined || kindAt(files, 0) !== 'object') return found
  eachChild(files, 0, (keyAt, at) => {
    if (kindAt(files, at) === 'string')
      found.push({ name: stringAt(files, keyAt), digest: stringAt(files, at) })
  })
  return found
}
