/**
 * Which paths Weave's SDKs call, from their sources and recorded traffic (Python 0.53, TypeScript 0.16). `always`: in
 * normal use; `sometimes`: only by less common SDK functions or by older releases.
 */
export type Use = 'always' | 'sometimes'

interface PathUse {
  readonly python?: Use
  readonly typescript?: Use
}

const PYTHON_ALWAYS = `
/server_info /v2/{entity}/{project}/calls/complete /v2/{entity}/{project}/call/start
/v2/{entity}/{project}/call/end /call/upsert_batch /call/update /calls/stream_query /calls/query_stats /calls/delete
/obj/create /obj/read /objs/query /obj/delete /table/create /table/query /table/query_stats /table/update
/table/create_from_digests /refs/read_batch /files/create /files/content /feedback/create /feedback/batch/create
/feedback/query /feedback/purge /cost/create /cost/query /cost/purge
`
const PYTHON_SOMETIMES = `
/service/projects_info /call/start /call/end /calls/usage /trace/usage /calls/stats
/objs/{object_id}/versions/{digest}/tags /objs/{object_id}/versions/{digest}/tags/remove /objs/{object_id}/aliases
/objs/{object_id}/aliases/remove /tags /aliases /table/query_stats_batch /files/query_stats /files/stats
/feedback/replace /feedback/stats /feedback/aggregate /feedback/payload_schema /threads/stream_query /project/stats
/project/ttl_settings/read /project/ttl_settings/update
/dataset_sources/link /dataset_sources/link_delete /dataset_sources/query /dataset_sources/source_datasets_query
/annotation_queues /annotation_queues/query /annotation_queues/stats /annotation_queues/{queue_id}
/annotation_queues/{queue_id}/items /annotation_queues/{queue_id}/items/query
/annotation_queues/{queue_id}/items/{item_id}/progress
/agents/query /agents/agent-versions/query /agents/spans/query /agents/spans/stats /agents/spans/custom-attrs/schema
/completions/create /completions/create_stream /agents/search /agents/traces/chat /agents/conversations/chat
`
const TYPESCRIPT_ALWAYS = `
/health /call/upsert_batch /v2/{entity}/{project}/calls/complete /v2/{entity}/{project}/call/start
/v2/{entity}/{project}/call/end /call/update /calls/stream_query /obj/create /obj/read /table/create /table/query
/file/create /file/content /feedback/create
`

/** Typed routes, used by the Python client and by W&B's web UI. */
const TYPED = /^\/v2\/\{entity\}\/\{project\}\/(?!call)/

export function sdkUse(path: string): PathUse {
  if (PYTHON.has(path) || TYPESCRIPT.has(path)) {
    const python = PYTHON.get(path)
    const typescript = TYPESCRIPT.get(path)
    return { ...(python && { python }), ...(typescript && { typescript }) }
  }
  return TYPED.test(path) ? { python: 'sometimes' } : {}
}

const PYTHON = new Map([...uses(PYTHON_ALWAYS, 'always'), ...uses(PYTHON_SOMETIMES, 'sometimes')])
const TYPESCRIPT = new Map(uses(TYPESCRIPT_ALWAYS, 'always'))

function uses(paths: string, use: Use): [string, Use][] {
  return paths
    .trim()
    .split(/\s+/)
    .map((path) => [path, use])
}
