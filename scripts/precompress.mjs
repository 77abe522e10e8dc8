import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** `node scripts/precompress.mjs <directory>`: writes a .br and a .gz beside each text file, for the server to send. */
const TEXT = /\.(?:js|css|html|svg|json|txt)$/

for (const directory of process.argv.slice(2)) {
  for (const name of readdirSync(directory, { recursive: true })) {
    const path = join(directory, String(name))
    if (!TEXT.test(path) || !statSync(path).isFile()) continue
    const bytes = readFileSync(path)
    // Smaller files save less than the extra headers cost.
    if (bytes.length < 512) continue
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, quality))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
