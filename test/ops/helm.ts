import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkCustomResources, checkPods, checkSelectors, checkWorkloads } from './helm-checks.ts'
import { HELM_REFUSALS } from './helm-refusals.ts'
import { installHelm, kubernetesPython, lint, renderAll, template } from './helm-tools.ts'
import type { OpsContext, OpsSuite } from './suite.ts'

const VALUES = fileURLToPath(new URL('helm-values/', import.meta.url))

/** The Helm chart: rendered with each file in helm-values/, validated, and refused for contradictory values. */
export const helm: OpsSuite = {
  name: 'helm',
  minutes: 1.6,
  isNightly: true,
  run: async (context) => {
    const check: OpsContext['check'] = (name, run) => context.check(name, run)
    const [program, python] = await Promise.all([installHelm(), kubernetesPython()])
    const files = (await readdir(VALUES)).toSorted().map((name) => join(VALUES, name))
    assert.ok(files.length >= 8, `only ${files.length} value sets in ${VALUES}`)
    const rendered = await renderAll(program, python, files, context.directory)
    for (const [file, { documents, errors }] of rendered) {
      const name = basename(file, '.yaml')
      await check(`${name}: helm lint --strict passes`, () => lint(program, file))
      await check(`${name}: ${documents.length} objects match the schemas of Kubernetes`, () => {
        assert.ok(documents.length > 0)
        assert.deepEqual(errors, [])
      })
      await check(`${name}: every pod is restricted and holds no secret`, () => checkPods(documents))
      await check(`${name}: services, budgets and policies select the server`, () =>
        checkSelectors(documents),
      )
      await check(`${name}: custom resources have the structure of their operator`, () =>
        checkCustomResources(documents),
      )
    }
    const documentsOf = (name: string) => rendered.get(join(VALUES, `${name}.yaml`))?.documents ?? []
    await checkWorkloads(check, documentsOf)
    for (const { name, values, message } of HELM_REFUSALS)
      await check(`refused: ${name}`, async () => {
        const args = Object.entries(values).map(
          ([key, value]) => `--set-json=${key}=${JSON.stringify(value)}`,
        )
        await assert.rejects(template(program, args), (error: Error) => {
          assert.match(error.message, message)
          return true
        })
      })
  },
}
