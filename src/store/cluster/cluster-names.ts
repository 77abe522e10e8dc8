/** The database in which each server of a cluster shows the tables of all shards (cluster-tables.ts). */
export function clusterDatabaseName(database: string): string {
  return `${database}_cluster`
}

/** The same without these shards, by number. */
export function partialDatabaseName(database: string, missing: readonly number[]): string {
  return `${clusterDatabaseName(database)}_without_${missing.join('_')}`
}
