import { expect, test } from 'vitest'
import { engineUsersXml, sqlPassword } from '../../src/clickhouse/config.ts'
import { selectViews } from '../../src/store/sql/sql-sandbox.ts'
import { confinement, probes } from '../../src/store/sql/probes.ts'
import { createUsers } from '../../src/store/sql/users.ts'
import { projectViews } from '../../src/store/sql/views.ts'
import { sqlQueryId } from '../../src/store/query/scope.ts'
import { Sql, sql, viewText } from '../../src/store/query/sql.ts'
import { HOSTILE, show } from './statements.ts'

const text = (statement: string): Sql => new Sql([statement])

test("the views of people's SQL name the project of the query's id, before anything else", async () => {
  const views = projectViews('heddle', 'heddle_sql_views')
  for (const { create } of views) {
    const reads = create.match(
      /\bFROM heddle\.\w+ FINAL PREWHERE project_id = unhex\(extract\(initialQueryID/g,
    )
    expect(reads?.length).toBe(create.match(/\bFROM heddle\./g)?.length)
    expect(create).toContain('DEFINER = heddle_sql_views SQL SECURITY DEFINER')
    // A view with a parameter would let the text choose its value.
    expect(create).not.toMatch(/\{\w+:\w+\}/)
  }
  await expect(
    show([
      ['views of sql', selectViews(HOSTILE)],
      ...views.map(({ name, create }) => [`view ${name.replace('_', ' ')}`, text(create)] as const),
      ['limits of sql', text(confinement('heddle'))],
      ...probes('heddle').map((probe) => [`refused to sql: it ${probe.hole}`, text(probe.text)] as const),
    ]),
  ).toMatchFileSnapshot('./snapshots/project-sql.sql')
})

test("the users of people's SQL may read views, and change no setting", async () => {
  const statements = createUsers('heddle', { username: 'heddle_sql', password: HOSTILE })
  const again = createUsers('heddle', { username: 'heddle_sql', password: HOSTILE })
  // Nobody knows the password of the one that views read as.
  expect(again[0]).not.toBe(statements[0])
  const hidden = statements.map((statement) => statement.replaceAll(/'[0-9a-f]{64}'/g, "'…'"))
  await expect(hidden.join(';\n')).toMatchFileSnapshot('./snapshots/project-sql-users.sql')
  expect(() => createUsers('heddle', { username: HOSTILE, password: '' })).toThrow(/identifier/)
})

test('a value in a view is a literal that ends where it should', () => {
  expect(viewText(sql`SELECT ${`a'b\\`}, ${7}`)).toBe(String.raw`SELECT 'a\'b\\', 7`)
  expect(() => viewText(sql`SELECT ${['a']}`)).toThrow(/texts and numbers/)
})

test('the id of a query holds its project, whatever its name, in letters that no pattern takes for an end', () => {
  expect(sqlQueryId('a/b', '1')).toBe('heddle-sql-612f62-1')
  expect(sqlQueryId("é'/-%", 'x')).toMatch(/^heddle-sql-[0-9a-f]+-x$/)
})

test('who knows the password of Heddle knows that of the user of SQL, and not the other way round', () => {
  expect(sqlPassword('a')).not.toBe(sqlPassword('b'))
  const xml = engineUsersXml({ username: 'heddle', password: 'secret-of-heddle' })
  expect(xml).toContain(`<password>${sqlPassword('secret-of-heddle')}</password>`)
  expect(sqlPassword('secret-of-heddle')).not.toContain('secret')
})
