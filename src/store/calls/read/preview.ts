import { join, type Sql, sql } from '../../query/sql.ts'

/**
 * Previews of the payloads of a call, made by ClickHouse, since payloads can be large: their first characters. With
 * `isMessages`, those of calls of a model are JSON with the last messages only, which differ from call to call, unlike a
 * system prompt.
 */
export function previewColumns(characters: number, isMessages: boolean): Sql[] {
  if (!isMessages)
    return [
      sql`${start(sql`inputs`, characters)} AS preview_inputs`,
      sql`${start(sql`output`, characters)} AS preview_output`,
    ]
  return [
    sql`${inputsPreview(characters)} AS preview_inputs`,
    sql`${outputPreview(characters)} AS preview_output`,
  ]
}

/** Larger documents are not parsed. */
const MAX_PARSED_BYTES = 1_000_000

function inputsPreview(characters: number): Sql {
  const conversations = ['messages', 'contents'].flatMap((member) => [
    sql`JSONLength(inputs, ${member}) > 0`,
    lastMessages(member, characters),
  ])
  return sql`multiIf(length(inputs) > ${MAX_PARSED_BYTES}, ${start(sql`inputs`, characters)}, ${join(conversations, ', ')}, ${start(withoutSelf(characters), characters)})`
}

/** The last message, after the one before it if that is short: a tool result names its tool in the tool call only. */
function lastMessages(member: string, characters: number): Sql {
  const last = sql`JSONExtractRaw(inputs, ${member}, -1)`
  const previous = sql`JSONExtractRaw(inputs, ${member}, -2)`
  return sql`concat('{"messages":[', if(lengthUTF8(${previous}) BETWEEN 1 AND ${characters}, concat(${previous}, ','), ''), ${start(last, characters)})`
}

/** The object of a method, which the SDKs put first, is a long ref that is the same in all calls. */
const SELF_REF = '^\\{\\s*"self"\\s*:\\s*"weave:///[^"]*"\\s*,\\s*'
const MAX_REF_CHARACTERS = 300

function withoutSelf(characters: number): Sql {
  return sql`replaceRegexpOne(${start(sql`inputs`, characters + MAX_REF_CHARACTERS)}, ${SELF_REF}, '{')`
}

/** The formats of OpenAI (chat, responses), Gemini and Anthropic. */
function outputPreview(characters: number): Sql {
  const response = (condition: Sql, before: string, path: Sql): Sql =>
    sql`${condition}, concat(${before}, ${start(sql`JSONExtractRaw(output, ${path})`, characters)})`
  const responses = [
    response(
      sql`JSONLength(output, 'choices', 1, 'message') > 0`,
      '{"choices":[{"message":',
      sql`'choices', 1, 'message'`,
    ),
    response(
      sql`JSONLength(output, 'candidates', 1, 'content') > 0`,
      '{"candidates":[{"content":',
      sql`'candidates', 1, 'content'`,
    ),
    response(
      sql`JSONExtractString(output, 'object') = 'response' AND JSONLength(output, 'output') > 0`,
      '{"output":[',
      sql`'output', -1`,
    ),
    response(
      sql`JSONExtractString(output, 'role') = 'assistant' AND JSONLength(output, 'content') > 0`,
      '{"role":"assistant","content":',
      sql`'content'`,
    ),
  ]
  return sql`multiIf(length(output) > ${MAX_PARSED_BYTES}, ${start(sql`output`, characters)}, ${join(responses, ', ')}, ${start(sql`output`, characters)})`
}

function start(text: Sql, characters: number): Sql {
  return sql`substringUTF8(${text}, 1, ${characters})`
}
