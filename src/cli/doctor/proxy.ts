import { type Check, type Finding, NO_RESPONSE, ok, problem, skipped } from './check.ts'
import { fetchText } from './fetch-text.ts'

/** Proxies: those that clients of this environment would use, and the reverse proxy of a server. */
export const proxyVariablesCheck: Check = {
  name: 'proxy variables',
  run: ({ env, server, settings }) => {
    const targets = [server?.url, env['WANDB_BASE_URL'], env['WF_TRACE_SERVER_URL'], settings.clickhouseUrl]
    const urls = targets.flatMap((url) => (url !== undefined && URL.canParse(url) ? [new URL(url)] : []))
    const findings = new Map<string, Finding>()
    for (const url of urls) {
      const proxy = proxyFor(url, env)
      if (proxy === undefined || !isLocal(url.hostname)) continue
      findings.set(
        url.hostname,
        problem(
          `${proxy.variable} sends requests for ${url.hostname} through ${proxy.host}: SDKs here cannot reach it`,
          `add ${url.hostname} to NO_PROXY`,
        ),
      )
    }
    return findings.size > 0 ? [...findings.values()] : [ok('no proxy is set for local addresses')]
  },
}

interface ProxyVariable {
  readonly variable: string
  readonly host: string
}

/** As curl and Python's requests choose it. */
function proxyFor(url: URL, env: Readonly<Record<string, string | undefined>>): ProxyVariable | undefined {
  const scheme = url.protocol.replace(':', '')
  const names = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`, 'all_proxy', 'ALL_PROXY']
  const variable = names.find((name) => (env[name] ?? '') !== '')
  if (variable === undefined || isExcluded(url.hostname, env['no_proxy'] ?? env['NO_PROXY'] ?? ''))
    return undefined
  const value = env[variable] ?? ''
  return { variable, host: URL.canParse(value) ? new URL(value).host : value }
}

function isExcluded(hostname: string, noProxy: string): boolean {
  return noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const name = entry.replace(/:\d+$/, '').replace(/^\*?\./, '')
      return entry === '*' || hostname === name || hostname.endsWith(`.${name}`)
    })
}

/** Names of one label belong to the network of a container or a pod. */
function isLocal(hostname: string): boolean {
  return (
    /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\]$)/.test(hostname) ||
    !hostname.includes('.')
  )
}

/** Loads the page of the web UI and one of its scripts, as a browser would: a wrong base path breaks the second. */
export const webPageCheck: Check = {
  name: 'web page',
  run: async ({ server }) => {
    if (server === undefined) return [skipped('no server is running')]
    if (!server.responds) return [NO_RESPONSE]
    const page = await fetchText(`${server.url}/`, { accept: 'text/html' })
    if (page.status === 404) return [skipped('the server has no web UI')]
    if (page.status !== 200 || !page.type.includes('html'))
      return [
        problem(
          `${server.url}/ is not the page of Heddle (status ${page.status}, ${page.type || page.text})`,
          'check the route of the reverse proxy, and HEDDLE_BASE_PATH if it serves Heddle below a path',
        ),
      ]
    const source = /<script[^>]+src="([^"]+)"/.exec(page.text)?.[1]
    if (source === undefined) return [ok('the page of the web UI loads')]
    const script = await fetchText(new URL(source, `${server.url}/`).href)
    if (script.status === 200 && script.type.includes('javascript')) return [ok('the web UI loads')]
    return [
      problem(
        `the web UI cannot load its script ${source} (status ${script.status})`,
        'the reverse proxy must pass all paths; below a path, set HEDDLE_BASE_PATH to it',
      ),
    ]
  },
}
