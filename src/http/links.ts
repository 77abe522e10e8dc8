import type { FastifyInstance } from 'fastify'
import { escape, htmlPage, sendHtml } from './html.ts'
import { addMethodNotAllowed, routeUrl } from './unsupported-routes.ts'

/**
 * Fallback pages for the links that SDKs print, for a server without a built web UI (web.ts serves them otherwise). A
 * page shows how to read the linked item with the API. It looks nothing up, so it does not reveal whether a project
 * exists.
 */
export const LINKS = {
  '/{entity}/{project}/weave': 'Page of a project, as linked by SDKs.',
  '/{entity}/{project}/weave/{page}': 'Page of a list in a project.',
  '/{entity}/{project}/weave/{page}/{name}': 'Page of a call, an object or an op.',
  '/{entity}/{project}/weave/{page}/{name}/versions/{digest}': 'Page of a version of an object or an op.',
  '/{entity}/{project}/weave/agents/conversations/{name}': 'Page of a conversation.',
  '/{entity}/{project}/r/call/{name}': 'Page of a call, as linked by SDKs.',
} as const

interface LinkParams {
  readonly entity: string
  readonly project: string
  readonly page?: string
  readonly name?: string
  readonly digest?: string
}

export function addLinks(server: FastifyInstance, basePath: string): void {
  for (const path of Object.keys(LINKS)) {
    const isCall = path.includes('/r/call/')
    server.get(routeUrl(path), async (request, reply) => {
      request.requestContext.operation = 'link'
      reply.header('cache-control', 'no-store')
      const params = request.params as LinkParams
      return sendHtml(reply, linkPage(isCall ? { ...params, page: 'calls' } : params, basePath))
    })
    addMethodNotAllowed(server, path, 'GET')
  }
}

function linkPage(link: LinkParams, basePath: string): string {
  const project_id = `${link.entity}/${link.project}`
  const { kind, name, path, body } = linkTarget(project_id, link)
  const title = name === project_id ? name : `${name} · ${project_id}`
  return htmlPage(
    `${title} · Heddle`,
    `<h1>${escape(kind)} <code>${escape(name)}</code></h1>
<p>Project <code>${escape(project_id)}</code>. The web UI is not built; run <code>npm run build</code> and open this page again.
Without it, read this with the API and the environment variables of the SDK:</p>
<pre>curl -u "api:$WANDB_API_KEY" "$WANDB_BASE_URL/traces${path}" \\
  -d ${escape(shellQuoted(asciiJson(body)))}</pre>
<p>API reference: <a href="${basePath}/docs">${basePath}/docs</a>.</p>`,
  )
}

interface LinkTarget {
  readonly kind: string
  readonly name: string
  /** The operation that reads it, and its request body. */
  readonly path: string
  readonly body: object
}

function linkTarget(project_id: string, { page, name, digest }: LinkParams): LinkTarget {
  if (name !== undefined && (page === 'calls' || page === 'traces')) {
    return { kind: 'Call', name, path: '/call/read', body: { project_id, id: name } }
  }
  if (name !== undefined && page === undefined) {
    return {
      kind: 'Conversation',
      name,
      path: '/calls/stream_query',
      body: { project_id, filter: { thread_ids: [name] } },
    }
  }
  if (name !== undefined) {
    const version = digest === undefined ? name : `${name}:${digest}`
    const kind = page === 'ops' ? 'Op' : 'Object'
    const body = { project_id, object_id: name, digest: digest ?? 'latest' }
    return { kind, name: version, path: '/obj/read', body }
  }
  if (page === undefined || page === 'calls' || page === 'traces') {
    const body = { project_id, limit: 10, sort_by: [{ field: 'started_at', direction: 'desc' }] }
    return { kind: 'Project', name: project_id, path: '/calls/stream_query', body }
  }
  return { kind: 'Project', name: project_id, path: '/objs/query', body: { project_id, limit: 10 } }
}

/** Names come from the author of the link; quoting keeps them data in a command that people copy. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function asciiJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
