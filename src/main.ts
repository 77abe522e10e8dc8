#!/usr/bin/env node
import { run } from './cli/run.ts'

// A key `__proto__` in somebody's JSON is data: without this accessor, assigning it cannot swap a prototype.
delete (Object.prototype as { __proto__?: unknown }).__proto__

process.exit(await run(process.argv.slice(2), process))
