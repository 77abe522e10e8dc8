import { expect, test } from 'vitest'
import { usersXml, sqlPassword } from '../../src/clickhouse/config.ts'
import { selectViewColumns, selectViews } from '../../src/store/sql/sandbox-setup.ts'
import { limitsStatement, probes } from '../../src/store/sql/probes.ts'
import { createUserStatements } from '../../src/store/sql/users.ts'
import { projectViews } from '../../src/store/sql/views.ts'
import { sqlQueryId } from '../../src/store/query/scope.ts'
import { Sql, sql, inlineText } from '../../src/store/query/sql.ts'
import { HOSTILE, show } from './statements.ts'

const text = (statement: string): Sql => new Sql([statement])

test('the views of the SQL sandbox filter by the project in the query id first', async () => {
  const views = projectViews('heddle', 'heddle_sql_views')
  for (const { create } of views) {
    const reads = create.match(
      /\bFROM heddle\.\w+ FINAL PREWHERE project_id = unhex\(extract\(initialQueryID/g,
    )
    expect(reads?.length).toBe(create.match(/\bFROM heddle\./g)?.length)
    expect(create).toContain('DEFINER = heddle_sql_views SQL SECURITY DEFINER')
    // With a parameter, the query could choose its value.
    expect(create).not.toMatch(/\{\w+:\w+\}/)
  }
  await expect(
    show([
      ['sql views', selectViews(HOSTILE)],
      ['columns of sql views', selectViewColumns(HOSTILE)],
      ...views.map(({ name, create }) => [`view ${name.replace('_', ' ')}`, text(create)] as const),
      ['sql limits', text(limitsStatement('heddle'))],
      ...probes('heddle').map((probe) => [`sql probe: user ${probe.violation}`, text(probe.text)] as const),
    ]),
  ).toMatchFileSnapshot('./snapshots/project-sql.sql')
})

test('the users of the SQL sandbox may read views and change no setting', async () => {
  const statements = createUserStatements(
    'heddle',
    { username: 'heddle_sql', password: HOSTILE },
    16_000_000_000,
  )
  const again = createUserStatements('heddle', { username: 'heddle_sql', password: HOSTILE }, 16_000_000_000)
  // The password of the definer is random.
  expect(again[0]).not.toBe(statements[0])
  const hidden = statements.map((statement) => statement.replaceAll(/'[0-9a-f]{64}'/g, "'…'"))
  await expect(hidden.join(';\n')).toMatchFileSnapshot('./snapshots/project-sql-users.sql')
  expect(() => createUserStatements('heddle', { username: HOSTILE, password: '' }, 0)).toThrow(/identifier/)
})

test('a value in a view is an escaped literal', () => {
  expect(inlineText(sql`SELECT ${`a'b\\`}, ${7}`)).toBe(String.raw`SELECT 'a\'b\\', 7`)
  expect(() => inlineText(sql`SELECT ${['a']}`)).toThrow(/texts and numbers/)
})

test('the query id contains the project in hexadecimal, whatever its name', () => {
  expect(sqlQueryId('a/b', '1')).toBe('heddle-sql-612f62-1')
  expect(sqlQueryId("é'/-%", 'x')).toMatch(/^heddle-sql-[0-9a-f]+-x$/)
})

test("the SQL user's password is derived from Heddle's and does not reveal it", () => {
  expect(sqlPassword('a')).not.toBe(sqlPassword('b'))
  const xml = usersXml({ username: 'heddle', password: 'secret-of-heddle' })
  expect(xml).toContain(`<password>${sqlPassword('secret-of-heddle')}</password>`)
  expect(sqlPassword('secret-of-heddle')).not.toContain('secret')
})
