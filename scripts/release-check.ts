import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node24 } from './ci/node24.ts'
import { checkSbom, checkTree, install, pack } from './release/package.ts'
import { serve, writeAndRead } from './release/server.ts'

/**
 * `npm run build && npm run release:check`: packs the package and installs the tarball in empty directories, with this
 * Node and with Node 24. There must be no warning, and exactly the packages that the lock file has. Checks the SBOM,
 * then starts `npx heddle serve` from there, writes one call and reads it back.
 */
const directory = mkdtempSync(join(tmpdir(), 'heddle-release-'))
try {
  const inside = (name: string): string => {
    mkdirSync(join(directory, name))
    return join(directory, name)
  }
  const tarball = await pack(inside('tarball'))
  const newest = await node24(inside('node'))
  const installed = inside('installed')
  const installations = [
    { node: process.execPath, target: installed },
    { node: newest, target: inside('installed-24') },
  ].map(async ({ node, target }) => {
    await install(node, tarball, target)
    await checkTree(node, target)
  })
  // If one fails, the other still writes to the directory.
  await Promise.allSettled(installations)
  await Promise.all(installations)
  checkSbom(installed)
  const server = await serve(installed, inside('data'))
  try {
    await writeAndRead(server)
  } finally {
    await server.stop()
  }
  const seconds = Math.round(performance.now() / 1000)
  console.log(`release check: ok, ${(statSync(tarball).size / 1e6).toFixed(1)} MB, ${seconds} s`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
