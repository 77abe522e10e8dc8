import { RawJson } from '../../contract/raw-json.ts'

/** Code is a file; what it belongs to names it by its digest under this name, as the SDKs do. */
export const SOURCE_FILE = 'obj.py'

/** What an op is published as. */
export function opValue(files: Readonly<Record<string, string>>): RawJson {
  return RawJson.of({ _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files })
}
