import type { Replication } from '../../core/cluster/topology.ts'

/** `ENGINE = ReplacingMergeTree(version)`, with or without arguments. */
const ENGINE = /\bENGINE = (\w*MergeTree)\b(?:\(([^)]*)\))?/

/** The DDL of a migration for a replicated cluster; other statements are returned unchanged. */
export function replicatedTable(statement: string, { path, replica }: Replication): string {
  return statement.replace(ENGINE, (_engine, name: string, own: string | undefined) => {
    const quoted = [path, replica].map((text) => `'${text.replaceAll("'", "\\'")}'`)
    return `ENGINE = Replicated${name}(${[...quoted, ...(own === undefined || own === '' ? [] : [own])].join(', ')})`
  })
}
