import { isHeddleKey } from '../connection.ts'
import { type Check, type Finding, ok, problem, skipped, warning } from './check.ts'
import { fetchText } from './fetch-text.ts'

/** What an SDK that is started in this environment would do. */
export const sdkCheck: Check = {
  name: 'sdk environment',
  run: async ({ env }) => {
    const baseUrl = env['WANDB_BASE_URL'] ?? ''
    const traceUrl = env['WF_TRACE_SERVER_URL'] ?? ''
    const key = env['WANDB_API_KEY'] ?? ''
    const findings: Finding[] = []
    if (/^(?:true|1|yes|on)$/i.test(env['WEAVE_DISABLED'] ?? ''))
      findings.push(warning('WEAVE_DISABLED is set: an SDK sends nothing', 'unset WEAVE_DISABLED'))
    if (baseUrl === '' && traceUrl === '') {
      if (isHeddleKey(key))
        findings.push(
          problem(
            'WANDB_API_KEY is a key of Heddle, but WANDB_BASE_URL is not set: an SDK would send it to api.wandb.ai',
            'set WANDB_BASE_URL to the URL of Heddle',
          ),
        )
      else findings.push(skipped('WANDB_BASE_URL is not set here; an SDK would send to api.wandb.ai'))
      return findings
    }
    for (const [variable, url] of [
      ['WANDB_BASE_URL', baseUrl],
      ['WF_TRACE_SERVER_URL', traceUrl],
    ] as const)
      if (url !== '') findings.push(...(await checkUrl(variable, url)))
    if (baseUrl !== '' && traceUrl !== '' && hostOf(baseUrl) !== hostOf(traceUrl))
      findings.push(
        problem(
          `WANDB_BASE_URL names ${hostOf(baseUrl)} and WF_TRACE_SERVER_URL ${hostOf(traceUrl)}: an SDK would sign in at one server and trace to another`,
          'use the same server in both',
        ),
      )
    findings.push(...(await checkKey(key, baseUrl === '' ? traceUrl.replace(/\/traces\/?$/, '') : baseUrl)))
    return findings.length > 0
      ? findings
      : [ok(`an SDK would trace to ${baseUrl === '' ? traceUrl : baseUrl}`)]
  },
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

async function checkUrl(variable: string, url: string): Promise<Finding[]> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return [
      problem(
        `${variable} is not a URL: "${url}"`,
        `set ${variable} to a form such as http://127.0.0.1:6340`,
      ),
    ]
  const base = url.replace(/\/+$/, '')
  if (variable === 'WANDB_BASE_URL' && base.endsWith('/traces'))
    return [
      problem(
        'WANDB_BASE_URL ends in /traces: an SDK appends it, and looks for /graphql there',
        `set WANDB_BASE_URL to ${base.slice(0, -'/traces'.length)}`,
      ),
    ]
  const { status, text } = await fetchText(`${base}/server_info`)
  if (status === 200 && text.includes('trace_server_version')) return []
  const reason = status === 0 ? text : `GET /server_info returned ${status}`
  return [
    problem(
      `${variable} names no trace server that responds: ${base} (${reason})`,
      `start the server, or set ${variable} to its URL`,
    ),
  ]
}

async function checkKey(key: string, server: string): Promise<Finding[]> {
  if (key === '')
    return [
      warning(
        'WANDB_API_KEY is not set: an SDK would ask for a key, or use one of ~/.netrc',
        'set WANDB_API_KEY to an API key of Heddle',
      ),
    ]
  if (!URL.canParse(server)) return []
  const authorization = `Basic ${Buffer.from(`api:${key}`).toString('base64')}`
  const { status } = await fetchText(`${server.replace(/\/+$/, '')}/api/v1/session`, { authorization })
  if (status !== 401) return []
  return [
    problem(
      'WANDB_API_KEY is not valid at this server: an SDK would get 401',
      'create a key with `heddle keys create`, and set WANDB_API_KEY to it',
    ),
  ]
}
