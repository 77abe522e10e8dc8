import type { Database } from '../database/database.ts'
import { type Sql, sql, viewText } from '../query/sql.ts'

/**
 * An index of the words in calls, for those who search much and have the disk and the cores for it: docs/search.md has
 * what it costs and what it saves. Search finds the same with it and without it.
 */
export const SEARCH_INDEXES = ['off', 'words'] as const
export type SearchIndex = (typeof SEARCH_INDEXES)[number]

const NAME = 'search_words'

/**
 * A document without escapes, if it has any of those that could stand for a letter. Quotes would end the text that the
 * engine is asked to read here, so they come as escapes too; raw line ends stand between members only.
 */
function unescaped(document: Sql): Sql {
  const quoted = sql`replaceAll(replaceAll(replaceAll(translate(${document}, '\\n\\r\\t', '   '), '\\\\\\\\', '\\\\u005c'), '\\\\"', '\\\\u0022'), '"', '\\\\u0022')`
  return sql`if(position(${document}, '\\\\u') = 0, ${document}, JSONExtractString(concat('"', ${quoted}, '"')))`
}

/** `empty(x)` and not `x = ''`: the engine rewrites that in queries, and then no longer knows its own index. */
const INPUTS = sql`if(empty(inputs_query_form), inputs, inputs_query_form)`
const OUTPUT = sql`if(empty(output_query_form), output, output_query_form)`

/** What is indexed. The index serves a query only if that has the very same expression. */
const TEXT = sql`caseFoldUTF8(concat(${unescaped(INPUTS)}, '\\n', ${unescaped(OUTPUT)}, '\\n', ifNull(exception, ''), '\\n', display_name, '\\n', op_name))`

/** The engine looks through its dictionary for words with such a part from this length on. */
const SHORTEST = 4
const MOST_PARTS = 3

/**
 * Conditions that hold wherever the text stands, and that the index knows: its parts of ASCII letters and digits. They
 * stay together whatever the escapes around them, and nothing but K (Kelvin) and ſ folds into them from outside.
 */
export function indexConditions(index: SearchIndex, needle: string): Sql[] {
  if (index === 'off') return []
  const parts = needle.match(/[A-Za-z0-9]+/g) ?? []
  return parts
    .filter((part) => part.length >= SHORTEST)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_PARTS)
    .map((part) => sql`${TEXT} LIKE ${`%${part.toLowerCase()}%`}`)
}

/** Makes or drops the index. What is stored already is indexed by the engine in the background. */
export async function applySearchIndex(db: Database, index: SearchIndex): Promise<void> {
  const known = await db.first<{ n: string }>(selectSearchIndex, { name: 'search index', kind: 'point' })
  if ((known?.n !== '0') === (index !== 'off')) return
  if (index === 'off') {
    // The engine drops no index that it is still making.
    await db.ddl(
      `KILL MUTATION WHERE database = currentDatabase() AND table = 'calls' AND NOT is_done AND command LIKE '%${NAME}%' SYNC`,
    )
    return db.ddl(`ALTER TABLE calls DROP INDEX IF EXISTS ${NAME} SETTINGS alter_sync = 0`)
  }
  await db.ddl(
    `ALTER TABLE calls ADD INDEX IF NOT EXISTS ${NAME} ${viewText(TEXT)} TYPE text(tokenizer = splitByNonAlpha)`,
  )
  await db.ddl(`ALTER TABLE calls MATERIALIZE INDEX ${NAME}`)
}

export const selectSearchIndex: Sql = sql`SELECT count() AS n FROM system.data_skipping_indices
WHERE database = currentDatabase() AND table = 'calls' AND name = ${NAME}`
