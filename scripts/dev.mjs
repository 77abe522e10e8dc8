import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'

/**
 * `npm run dev`: runs the server (tsx watch) and the web UI (Vite, which proxies the API to the server) until Ctrl-C. If
 * one of them exits, the other is stopped too.
 */
const port = process.env.HEDDLE_PORT ?? '6340'
const isTerminal = process.stdout.isTTY
const env = {
  ...process.env,
  HEDDLE_PORT: port,
  HEDDLE_URL: `http://127.0.0.1:${port}`,
  HEDDLE_DATA: process.env.HEDDLE_DATA ?? '.heddle',
  // The output goes through a pipe, so the children do not see the terminal.
  ...(isTerminal ? { HEDDLE_LOG_FORMAT: process.env.HEDDLE_LOG_FORMAT ?? 'pretty', FORCE_COLOR: '1' } : {}),
}

/** The sign-in link is printed once both are ready. */
const link = { isServerReady: false, url: '', isPrinted: false }

let isStopping = false
const children = [
  start('server', 36, ['tsx', 'watch', '--clear-screen=false', 'src/main.ts', 'serve'], (line) => {
    link.isServerReady ||= /Heddle \S+ is ready at /.test(line)
  }),
  start('web', 35, ['vite', '--clearScreen', 'false'], (line) => {
    link.url = /Local:\s+(\S+?)\/?$/.exec(line)?.[1] ?? link.url
  }),
]

// Ctrl-C signals the children too, as they belong to the same process group. A second signal would kill the server
// before it has drained.
process.on('SIGINT', () => {
  isStopping = true
})
process.on('SIGTERM', stopAll)

const codes = await Promise.all(children.map(({ exited }) => exited))
process.exit(codes.find((code) => code !== 0) ?? 0)

function start(name, color, [tool, ...args], onLine) {
  const child = spawn(toolPath(tool), args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const label = `[${name}]`.padEnd(9)
  const prefix = isTerminal ? `\u001B[${color}m${label}\u001B[39m` : label
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => {
      console.log(`${prefix}${line}`)
      onLine(stripVTControlCharacters(line).trimEnd())
      printLink()
    })
  }
  const exited = new Promise((resolve) => {
    child.once('exit', (code) => {
      stopAll()
      resolve(code ?? 0)
    })
  })
  return { child, exited }
}

function toolPath(tool) {
  return new URL(`../node_modules/.bin/${tool}`, import.meta.url).pathname
}

function stopAll() {
  if (isStopping) return
  isStopping = true
  for (const { child } of children) if (child.exitCode === null) child.kill('SIGTERM')
}

/** From source the server has no UI, so the link is to Vite's. */
function printLink() {
  if (!link.isServerReady || link.url === '' || link.isPrinted) return
  link.isPrinted = true
  const args = ['src/main.ts', 'users', 'link', 'admin', '--url', link.url]
  spawn(toolPath('tsx'), args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
}
