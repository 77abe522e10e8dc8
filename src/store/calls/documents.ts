import { identifier, type Sql, sql } from '../query/sql.ts'
import { END_COLUMNS, START_COLUMNS } from './call-columns.ts'
import { jsonDocument } from './column-codecs.ts'

/** The JSON documents of a call, in a form that ClickHouse's JSON functions can read. */
export const documents: ReadonlyMap<string, Sql> = new Map(
  Object.entries({ ...START_COLUMNS, ...END_COLUMNS }).flatMap(([name, codec]) => {
    const column = identifier(name)
    const normalized = identifier(`${name}_normalized`)
    return codec === jsonDocument ? [[name, sql`if(${normalized} = '', ${column}, ${normalized})`]] : []
  }),
)
