import { GEMINI_CLI } from '../dialects/gemini-cli.ts'
import type { MappedLog } from '../mapped.ts'
import type { LogRecord } from '../model.ts'
import { AgentRecord, notKept } from './agent-record.ts'
import { mapClaudeCodeLog } from './claude-code.ts'
import { mapCodexLog } from './codex.ts'
import { mapGeminiCliLog } from './gemini-cli.ts'

const AGENTS: readonly (readonly [string, (record: AgentRecord) => MappedLog])[] = [
  ['claude_code.', mapClaudeCodeLog],
  ['codex.', mapCodexLog],
  ['gemini_cli.', mapGeminiCliLog],
]

/** Maps a log record of a coding agent, which is what they send instead of spans; undefined for other records. */
export function mapAgentLog(record: LogRecord): MappedLog | undefined {
  const { attributes, eventName, body, scope } = record
  // Codex has the place in its source in the event name, Claude Code the name with its prefix in the body.
  for (const name of [attributes.get('event.name'), eventName, body]) {
    if (typeof name !== 'string') continue
    const agent = AGENTS.find(([prefix]) => name.startsWith(prefix))
    if (agent !== undefined) return agent[1](new AgentRecord(record, name.slice(agent[0].length)))
  }
  return scope.name === GEMINI_CLI
    ? notKept('the record gemini_cli.api_response of Gemini CLI says the same')
    : undefined
}
