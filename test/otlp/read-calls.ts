/** The calls of a project as clients read them, ordered by start time. */
export interface ReadCall {
  readonly id: string
  readonly trace_id: string
  readonly parent_id: string | null
  readonly thread_id: string | null
  readonly op_name: string
  readonly display_name: string | null
  readonly ended_at: string | null
  readonly exception: string | null
  readonly attributes: Record<string, unknown>
  readonly inputs: Record<string, unknown>
  readonly output: unknown
  readonly summary: Record<string, unknown>
}

export async function readCalls(url: string, apiKey: string, project_id: string): Promise<ReadCall[]> {
  const response = await fetch(`${url}/calls/stream_query`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}` },
    body: JSON.stringify({
      project_id,
      include_costs: true,
      sort_by: [{ field: 'started_at', direction: 'asc' }],
    }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text}`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ReadCall)
}
