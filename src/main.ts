#!/usr/bin/env node
import { run } from './cli/run.ts'

// A key `__proto__` in a client's JSON is data. Without this accessor, assigning it cannot replace a prototype.
delete (Object.prototype as { __proto__?: unknown }).__proto__

process.exit(await run(process.argv.slice(2), process))
