import { describe, expect, test } from 'vitest'
import { stages } from '../../scripts/ci.ts'
import { isSelected } from '../../scripts/ci/run-steps.ts'
import { files, read } from './repository.ts'

/** What the workflows of GitHub promise: pinned actions, all steps of `.ci/run`, nothing published before the tests. */
const workflows = files.filter((file) => file.startsWith('.github/workflows/'))

test('actions are named by commit, with their version', () => {
  const uses = workflows.flatMap((file) =>
    [...read(file).matchAll(/\buses: (.*)$/gm)].map(([, use = '']) => use),
  )
  expect(uses.length).toBeGreaterThan(20)
  const isPinned = (use: string): boolean =>
    use.startsWith('./.github/workflows/') ||
    /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use)
  expect(uses.filter((use) => !isPinned(use))).toEqual([])
})

test('an action has one version in all workflows', () => {
  const versions = new Map<string, Set<string>>()
  for (const file of workflows)
    for (const [, owner = '', commit = ''] of read(file).matchAll(/uses: ([\w.-]+\/[\w.-]+)\S*@(\S+)/g))
      versions.set(owner, (versions.get(owner) ?? new Set()).add(commit))
  expect([...versions].filter(([, commits]) => commits.size > 1)).toEqual([])
})

test('tokens may only read, unless a job needs more', () => {
  const granted = workflows.map((file) => [
    file,
    /^permissions:\n((?: .*\n)+)/m.exec(read(file))?.[1]?.trim(),
  ])
  expect(granted.filter(([file, permissions]) => permissions !== 'contents: read' && file !== IMAGE)).toEqual(
    [],
  )
})
const IMAGE = '.github/workflows/image.yml'

describe('the jobs of ci.yml', () => {
  const jobs = [...read('.github/workflows/ci.yml').matchAll(/\{ job: ([\w-]+), steps: '([^']+)' \}/g)].map(
    ([, name = '', words = '']) => ({ name, words: words.split(' ') }),
  )
  const steps = stages.flat(2)
  const selected = ({ words }: { words: readonly string[] }): string[] =>
    steps.filter((step) => isSelected(step, words)).map(({ name }) => name)

  test('run every step of .ci/run', () => {
    // Downloads only save time. The audits need files that are not in the repository.
    const elsewhere = ['downloads', 'audit of the specification', 'audit of neighbours']
    const run = new Set(jobs.flatMap(selected))
    expect(
      steps.map(({ name }) => name).filter((name) => !run.has(name) && !elsewhere.includes(name)),
    ).toEqual([])
  })

  test('run each step once, but for the build', () => {
    const run = jobs.flatMap(selected).filter((name) => name !== 'build')
    expect(run.filter((name, index) => run.indexOf(name) !== index)).toEqual([])
  })

  test('have no word that selects nothing', () => {
    const words = jobs.flatMap((job) => job.words)
    expect(words.filter((word) => !steps.some((step) => isSelected(step, [word])))).toEqual([])
  })
})

describe('a release', () => {
  const release = read('.github/workflows/release.yml')
  /** The text of a job. */
  const job = (name: string): string =>
    new RegExp(String.raw`^  ${name}:\n((?:(?: {4}.*)?\n)+)`, 'm').exec(release)?.[1] ?? ''

  test('publishes after all tests and the check of the package', () => {
    expect(job('tests')).toContain('uses: ./.github/workflows/ci.yml')
    expect(job('package')).toContain('run: npm run release:check')
    for (const name of ['npm', 'images']) expect(job(name)).toContain('needs: [tests, package]')
    expect(job('npm')).toContain('run: npm publish --provenance')
    expect(job('images')).toContain('uses: ./.github/workflows/image.yml')
  })

  test('is the only workflow that publishes', () => {
    const publishing = workflows.filter((file) => /npm publish|push: true/.test(read(file)))
    expect(publishing).toEqual([IMAGE, '.github/workflows/release.yml'])
    expect(/^on:\n((?: .*\n)+)/m.exec(read(IMAGE))?.[1]?.trim()).toBe('workflow_call:')
  })
})
