import type { Api } from './api.ts'
import { feedbackId, feedbackPayload, type KnownFeedback, projectOfFeedback } from './feedback-load.ts'
import { PROJECTS } from './records.ts'
import type { Verdict } from './verdict.ts'

const PAGE = 1_000

/** Each record must be listed once, as its last acknowledged version or as a version sent after it. */
export async function checkFeedback(
  api: Api,
  known: readonly KnownFeedback[],
  verdict: Verdict,
): Promise<number> {
  const seen = new Set<number>()
  for (const [project, project_id] of PROJECTS.entries()) {
    for (let offset = 0, total = 1; offset < total; offset += PAGE) {
      const text = await api.text('/feedback/query', {
        project_id,
        fields: ['id', 'payload'],
        sort_by: [{ field: 'id', direction: 'asc' }],
        limit: PAGE,
        offset,
      })
      const page = JSON.parse(text) as { result: { id: string }[]; total_count?: number }
      total = page.total_count ?? (page.result.length === PAGE ? offset + PAGE + 1 : offset)
      for (const { id } of page.result) {
        const f = Number.parseInt(id.slice(24), 16)
        const record = known[f]
        if (record === undefined || feedbackId(f) !== id || projectOfFeedback(f) !== project) {
          verdict.note('altered', `feedback ${id} is unknown in ${project_id}`)
          continue
        }
        if (seen.has(f)) verdict.note('duplicated', `feedback ${id} is listed twice`)
        seen.add(f)
        const possible = versions(record).map((version) => feedbackPayload(f, version))
        if (!possible.some((payload) => text.includes(payload))) {
          verdict.note(
            'altered',
            `feedback ${id} (sent ${record.sent}, acked ${record.acked}) has another payload`,
          )
        }
      }
    }
  }
  for (const [f, record] of known.entries()) {
    if (record.acked >= 0 && !seen.has(f)) verdict.note('lost', `feedback ${feedbackId(f)} is not listed`)
  }
  return seen.size
}

function versions({ sent, acked }: KnownFeedback): number[] {
  const lowest = Math.max(acked, 0)
  return Array.from({ length: sent - lowest + 1 }, (_, i) => lowest + i)
}
