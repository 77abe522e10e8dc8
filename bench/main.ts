import { parseArgs } from 'node:util'
import { benchDurability } from './durability.ts'
import { benchExport } from './export/export.ts'
import { benchCompare } from './ingest/compare.ts'
import { benchIngest } from './ingest/ingest.ts'
import { benchOtlp } from './otlp/otlp.ts'
import { benchFields } from './reads/fields.ts'
import { benchReads } from './reads/reads.ts'

/**
 * Runs one bench, for example `npm run bench -- ingest --seconds 60 --json`. Compares Heddle with bare ClickHouse in one
 * run on one machine. Measures the compiled server, so run `npm run build` first.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    calls: { type: 'string', default: '1000000' },
    arriving: { type: 'string', default: '0' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    base: { type: 'string', default: 'main' },
    only: { type: 'string', default: '' },
  },
})

const BENCHES: Readonly<Record<string, typeof benchIngest>> = {
  ingest: benchIngest,
  compare: benchCompare,
  reads: benchReads,
  fields: benchFields,
  export: benchExport,
  durability: benchDurability,
  otlp: benchOtlp,
}
const bench = BENCHES[positionals[0] ?? '']
if (bench === undefined) {
  console.error(`npm run bench -- (${Object.keys(BENCHES).join(' | ')}) [--seconds N] [--only PART] [--json]`)
  process.exit(2)
}
const print = values.json ? console.error : console.log
const result = await bench({
  seconds: Number(values.seconds),
  calls: Number(values.calls),
  arriving: Number(values.arriving),
  data: values.data,
  base: values.base,
  only: values.only.split(',').filter(Boolean),
  print,
})
if (values.json) console.log(JSON.stringify(result, null, 2))
