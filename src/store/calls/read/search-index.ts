import type { Database } from '../../database/database.ts'
import { type Sql, sql, inlineText } from '../../query/sql.ts'

/**
 * The optional full-text index on calls. docs/decisions/0022-search.md has its costs and gains. Search finds the same calls with and
 * without it.
 */
export const SEARCH_INDEXES = ['off', 'words'] as const
export type SearchIndex = (typeof SEARCH_INDEXES)[number]

const INDEX_NAME = 'search_words'

/**
 * The document with its `\u` escapes decoded, if it has any. ClickHouse decodes it as one JSON string, so quotes are
 * escaped first. Raw line ends only occur between members, so they become spaces.
 */
function unescaped(document: Sql): Sql {
  const quoted = sql`replaceAll(replaceAll(replaceAll(translate(${document}, '\\n\\r\\t', '   '), '\\\\\\\\', '\\\\u005c'), '\\\\"', '\\\\u0022'), '"', '\\\\u0022')`
  return sql`if(position(${document}, '\\\\u') = 0, ${document}, JSONExtractString(concat('"', ${quoted}, '"')))`
}

/** `empty(x)` instead of `x = ''`: ClickHouse rewrites the latter in queries and then no longer matches its index. */
const INPUTS = sql`if(empty(inputs_normalized), inputs, inputs_normalized)`
const OUTPUT = sql`if(empty(output_normalized), output, output_normalized)`

/** The indexed expression. The index is used only by queries with exactly the same expression. */
const INDEXED_TEXT = sql`caseFoldUTF8(concat(${unescaped(INPUTS)}, '\\n', ${unescaped(OUTPUT)}, '\\n', ifNull(exception, ''), '\\n', display_name, '\\n', op_name))`

/** The minimum length of a substring that ClickHouse looks up in the index dictionary. */
const MIN_TERM_LENGTH = 4
const MAX_TERMS = 3

/**
 * Conditions that hold for every match and can use the index: the runs of ASCII letters and digits in the search text.
 * Escapes never split such a run, and outside ASCII only K (Kelvin) and ſ fold to ASCII letters.
 */
export function indexConditions(index: SearchIndex, needle: string): Sql[] {
  if (index === 'off') return []
  const terms = needle.match(/[A-Za-z0-9]+/g) ?? []
  return terms
    .filter((term) => term.length >= MIN_TERM_LENGTH)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_TERMS)
    .map((term) => sql`${INDEXED_TEXT} LIKE ${`%${term.toLowerCase()}%`}`)
}

/** Whether a search for the text can use the index. */
export function isIndexed(index: SearchIndex, text: string): boolean {
  return indexConditions(index, text).length > 0
}

/** Creates or drops the index. ClickHouse indexes existing rows in the background. */
export async function applySearchIndex(db: Database, index: SearchIndex): Promise<void> {
  const known = await db.first<{ n: string }>(selectSearchIndex, { name: 'search index', kind: 'point' })
  if ((known?.n !== '0') === (index !== 'off')) return
  if (index === 'off') {
    // ClickHouse cannot drop an index that it is still building.
    await db.ddl(
      `KILL MUTATION WHERE database = currentDatabase() AND table = 'calls' AND NOT is_done AND command LIKE '%${INDEX_NAME}%' SYNC`,
    )
    return db.ddl(`ALTER TABLE calls DROP INDEX IF EXISTS ${INDEX_NAME} SETTINGS alter_sync = 0`)
  }
  await db.ddl(
    `ALTER TABLE calls ADD INDEX IF NOT EXISTS ${INDEX_NAME} ${inlineText(INDEXED_TEXT)} TYPE text(tokenizer = splitByNonAlpha)`,
  )
  await db.ddl(`ALTER TABLE calls MATERIALIZE INDEX ${INDEX_NAME}`)
}

export const selectSearchIndex: Sql = sql`SELECT count() AS n FROM system.data_skipping_indices
WHERE database = currentDatabase() AND table = 'calls' AND name = ${INDEX_NAME}`
