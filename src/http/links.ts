import type { FastifyInstance } from 'fastify'
import { requestContext } from './request-context.ts'
import { escape, htmlPage, sendHtml } from './html.ts'
import { addOtherMethods, urlOf } from './refusals.ts'

/**
 * The links that SDKs print. The web UI is behind them (web.ts); where there is none, as in a clone that was not built,
 * they answer a page that names what the URL names and says how to read it. Nothing is looked up, so nothing of a
 * project is told, not even whether it exists.
 */
export const LINKS = {
  '/{entity}/{project}/weave': 'A link to a project, as SDKs print it.',
  '/{entity}/{project}/weave/{page}': 'A link to a list of a project.',
  '/{entity}/{project}/weave/{page}/{name}': 'A link to a call, an object or an op.',
  '/{entity}/{project}/weave/{page}/{name}/versions/{digest}': 'A link to a version of an object or an op.',
  '/{entity}/{project}/weave/agents/conversations/{name}': 'A link to a conversation.',
  '/{entity}/{project}/r/call/{name}': 'A link to a call, as SDKs print it.',
} as const

interface LinkParams {
  readonly entity: string
  readonly project: string
  readonly page?: string
  readonly name?: string
  readonly digest?: string
}

export function addLinks(server: FastifyInstance): void {
  for (const path of Object.keys(LINKS)) {
    const isCall = path.includes('/r/call/')
    server.get(urlOf(path), async (request, reply) => {
      requestContext(request).operation = 'link'
      reply.header('cache-control', 'no-store')
      const params = request.params as LinkParams
      return sendHtml(reply, linkPage(isCall ? { ...params, page: 'calls' } : params))
    })
    addOtherMethods(server, path, 'GET')
  }
}

function linkPage(link: LinkParams): string {
  const project_id = `${link.entity}/${link.project}`
  const { what, name, path, body } = itemOf(project_id, link)
  const title = name === project_id ? name : `${name} · ${project_id}`
  return htmlPage(
    `${title} · Heddle`,
    `<h1>${escape(what)} <code>${escape(name)}</code></h1>
<p>In the project <code>${escape(project_id)}</code>. The web UI of Heddle lives at this address once it is built
(<code>npm run build</code>). Until then it is read by API, with the variables that the SDK has:</p>
<pre>curl -u "api:$WANDB_API_KEY" "$WANDB_BASE_URL/traces${path}" \\
  -d ${escape(shellQuoted(asciiJson(body)))}</pre>
<p>All that can be asked: <a href="/docs">/docs</a>.</p>`,
  )
}

interface Item {
  readonly what: string
  readonly name: string
  /** Where it is read, and with which request. */
  readonly path: string
  readonly body: object
}

function itemOf(project_id: string, { page, name, digest }: LinkParams): Item {
  if (name !== undefined && (page === 'calls' || page === 'traces')) {
    return { what: 'Call', name, path: '/call/read', body: { project_id, id: name } }
  }
  if (name !== undefined && page === undefined) {
    return {
      what: 'Conversation',
      name,
      path: '/calls/stream_query',
      body: { project_id, filter: { thread_ids: [name] } },
    }
  }
  if (name !== undefined) {
    const version = digest === undefined ? name : `${name}:${digest}`
    const what = page === 'ops' ? 'Op' : 'Object'
    const body = { project_id, object_id: name, digest: digest ?? 'latest' }
    return { what, name: version, path: '/obj/read', body }
  }
  if (page === undefined || page === 'calls' || page === 'traces') {
    const body = { project_id, limit: 10, sort_by: [{ field: 'started_at', direction: 'desc' }] }
    return { what: 'Project', name: project_id, path: '/calls/stream_query', body }
  }
  return { what: 'Project', name: project_id, path: '/objs/query', body: { project_id, limit: 10 } }
}

/** Names come from whoever made the link: in a command that people copy they must stay data. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
