import { RawJson } from '../../contract/raw-json.ts'

/** The key under which an op references its source file, as in the SDKs. */
export const SOURCE_FILE = 'obj.py'

/** The object value of an op. */
export function opValue(files: Readonly<Record<string, string>>): RawJson {
  return RawJson.fromValue({ _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files })
}
