import { isHeddleApi, type Method, type Operation } from './operation.ts'
import { operationNames, operations } from './operations.ts'

/**
 * Every path of Weave's trace API. Paths that Heddle does not implement have a reason, and return 501 with it, so that a
 * client can tell a missing feature from a wrong URL.
 */
const WEAVE_API = `
GET /health
GET /version
GET /geolocate - Heddle locates no clients
GET /server_info
POST /service/projects_info
POST /otel/v1/traces
POST /agents/otel/v1/traces
POST /agents/query
POST /agents/agent-versions/query
POST /agents/spans/query
POST /agents/spans/stats
POST /agents/spans/custom-attrs/schema
POST /agents/search
POST /agents/traces/chat
POST /agents/conversations/chat
POST /agents/conversations/spans
POST /call/start
POST /call/end
POST /call/upsert_batch
POST /call/update
POST /call/read
POST /calls/delete
POST /calls/query
POST /calls/query_stats
POST /calls/stream_query
POST /calls/stats
POST /calls/usage
POST /calls/score - Heddle runs no models or scorers; the SDKs do
POST /trace/usage
POST /threads/stream_query
POST /obj/create
POST /obj/read
POST /obj/delete
POST /objs/query
PUT /objs/{object_id}/versions/{digest}/tags
POST /objs/{object_id}/versions/{digest}/tags/remove
PUT /objs/{object_id}/aliases
POST /objs/{object_id}/aliases/remove
GET /tags
GET /aliases
POST /table/create
POST /table/update
POST /table/create_from_digests
POST /table/query
POST /table/query_stats
POST /table/query_stats_batch
POST /refs/read_batch
POST /file/create
POST /file/content
POST /files/create
POST /files/content
POST /files/query_stats
POST /files/stats
POST /files/resolve_url
POST /cost/create
POST /cost/query
POST /cost/purge
POST /feedback/create
POST /feedback/batch/create
POST /feedback/query
POST /feedback/purge
POST /feedback/replace
POST /feedback/stats
POST /feedback/aggregate
POST /feedback/payload_schema
POST /annotation_queues
POST /annotation_queues/query
POST /annotation_queues/stats
GET /annotation_queues/{queue_id}
PUT /annotation_queues/{queue_id}
DELETE /annotation_queues/{queue_id}
POST /annotation_queues/{queue_id}/items
POST /annotation_queues/{queue_id}/items/query
POST /annotation_queues/{queue_id}/items/{item_id}/progress
POST /dataset_sources/link
POST /dataset_sources/link_delete
POST /dataset_sources/query
POST /dataset_sources/source_datasets_query
POST /evaluations/evaluate_model - Heddle runs no models or scorers; the SDKs do
POST /evaluations/status - Heddle runs no models or scorers; the SDKs do
POST /evaluations/rescore - Heddle runs no models or scorers; the SDKs do
POST /completions/create
POST /completions/create_stream
POST /image/create - images are not generated yet
POST /link_to_registry - there is no registry
POST /project/stats
POST /project/ttl_settings/read
POST /project/ttl_settings/update
POST /project/ingest_sampling_settings/read - calls are not sampled: all are stored
GET /project/sensitive_data_settings - a setting of the W&B platform
GET /inference/catalog/models - Heddle contacts no other host
GET /inference/analysis/artificialanalysis/models - Heddle contacts no other host
GET /inference/router/openrouter/models - Heddle contacts no other host
GET /inference/modelsdev/models - Heddle contacts no other host
GET /inference/nvidia/v2/hardware - Heddle contacts no other host
POST /v2/{entity}/{project}/calls/complete
POST /v2/{entity}/{project}/call/start
POST /v2/{entity}/{project}/call/end
GET /v2/{entity}/{project}/ops
POST /v2/{entity}/{project}/ops
GET /v2/{entity}/{project}/ops/{object_id}/versions/{digest}
DELETE /v2/{entity}/{project}/ops/{object_id}
GET /v2/{entity}/{project}/datasets
POST /v2/{entity}/{project}/datasets
GET /v2/{entity}/{project}/datasets/{object_id}/versions/{digest}
DELETE /v2/{entity}/{project}/datasets/{object_id}
GET /v2/{entity}/{project}/scorers
POST /v2/{entity}/{project}/scorers
GET /v2/{entity}/{project}/scorers/{object_id}/versions/{digest}
DELETE /v2/{entity}/{project}/scorers/{object_id}
GET /v2/{entity}/{project}/evaluations
POST /v2/{entity}/{project}/evaluations
GET /v2/{entity}/{project}/evaluations/{object_id}/versions/{digest}
DELETE /v2/{entity}/{project}/evaluations/{object_id}
GET /v2/{entity}/{project}/models
POST /v2/{entity}/{project}/models
GET /v2/{entity}/{project}/models/{object_id}/versions/{digest}
DELETE /v2/{entity}/{project}/models/{object_id}
GET /v2/{entity}/{project}/evaluation_runs
POST /v2/{entity}/{project}/evaluation_runs
DELETE /v2/{entity}/{project}/evaluation_runs
GET /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}
POST /v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish
GET /v2/{entity}/{project}/predictions
POST /v2/{entity}/{project}/predictions
DELETE /v2/{entity}/{project}/predictions
GET /v2/{entity}/{project}/predictions/{prediction_id}
POST /v2/{entity}/{project}/predictions/{prediction_id}/finish
GET /v2/{entity}/{project}/scores
POST /v2/{entity}/{project}/scores
DELETE /v2/{entity}/{project}/scores
GET /v2/{entity}/{project}/scores/{score_id}
POST /v2/{entity}/{project}/eval_results/query
PUT /v2/{entity}/{project}/runtimes/{runtime_name}
`

export interface Endpoint {
  readonly method: Method
  readonly path: string
}

export interface WeaveEndpoint extends Endpoint {
  /** Why Heddle does not implement it; empty if it does. */
  readonly reason: string
}

export function weaveApi(): WeaveEndpoint[] {
  return WEAVE_API.trim()
    .split('\n')
    .map((line) => {
      const [endpoint = '', reason = ''] = line.split(' - ')
      const [method, path] = endpoint.split(' ') as [Method, string]
      return { method, path, reason }
    })
}

/** All paths, aliases included, of the implemented operations of Weave's API. */
export function servedEndpoints(): Endpoint[] {
  return operationNames().flatMap((name) => {
    const { method, path, aliases } = operations[name] as unknown as Operation
    if (isHeddleApi({ path })) return []
    return [path, ...aliases].map((spelling) => ({ method, path: spelling }))
  })
}

export function unimplementedEndpoints(): WeaveEndpoint[] {
  const endpointKey = ({ method, path }: Endpoint): string => `${method} ${pathTemplate(path)}`
  const served = new Set(servedEndpoints().map(endpointKey))
  return weaveApi().filter((endpoint) => !served.has(endpointKey(endpoint)))
}

/** The path with unnamed parameters: equal for two paths that differ only in parameter names. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}')
}
