/** Example queries. */
export interface Example {
  readonly name: string
  readonly query: string
  /** Preferred view of the result. */
  readonly view?: 'chart'
}

export const EXAMPLES: readonly Example[] = [
  {
    name: 'Slowest ops of the last day',
    query: `SELECT name, count() AS calls, quantile(0.95)(latency_ms) AS p95_ms
FROM calls
WHERE started_at > now() - INTERVAL 1 DAY
GROUP BY name
ORDER BY p95_ms DESC
LIMIT 20`,
  },
  {
    name: 'Tokens by day',
    query: `SELECT toDate(started_at) AS day, sum(prompt_tokens) AS prompt, sum(completion_tokens) AS completion
FROM usage
WHERE parent_id IS NULL AND started_at > now() - INTERVAL 30 DAY
GROUP BY day
ORDER BY day`,
    view: 'chart',
  },
  {
    name: 'Inputs of the slowest calls',
    query: `SELECT id, name, latency_ms, inputs
FROM calls
WHERE started_at > now() - INTERVAL 7 DAY AND parent_id IS NULL
ORDER BY latency_ms DESC
LIMIT 20`,
  },
  {
    name: 'Errors by type',
    query: `SELECT arrayElement(splitByChar('\\n', trim(assumeNotNull(exception))), -1) AS last_line, count() AS times
FROM calls
WHERE status = 'error' AND started_at > now() - INTERVAL 30 DAY
GROUP BY last_line
ORDER BY times DESC
LIMIT 30`,
    view: 'chart',
  },
  {
    name: 'Calls by hour and status',
    query: `SELECT toStartOfHour(started_at) AS hour, countIf(status = 'error') AS errors, countIf(status != 'error') AS others
FROM calls
WHERE started_at > now() - INTERVAL 7 DAY
GROUP BY hour
ORDER BY hour`,
    view: 'chart',
  },
  {
    name: 'Reactions by model',
    query: `SELECT JSONExtractString(calls.inputs, 'model') AS model,
  countIf(JSONExtractString(payload, 'emoji') = '👍') AS up, count() AS reactions
FROM feedback JOIN calls ON calls.id = feedback.call_id
WHERE feedback_type = 'wandb.reaction.1'
GROUP BY model`,
  },
]
