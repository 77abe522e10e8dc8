import { fileVariable, type Environment } from '../app/setting.ts'
import { SETTINGS } from '../app/settings.ts'
import { mostSimilar } from '../core/text/edit-distance.ts'
import { KEY_VARIABLES } from './connection.ts'

/** Finds variables that look like settings but are none: a misspelled setting would silently keep its default. */

/** Used by other programs: by examples in the docs, by `npm run dev`, by tests. */
const FOREIGN = /^HEDDLE_(?:API_KEY|URL|CHROMIUM|TEST_.*|PROPERTY_.*)$/

/** Kubernetes describes a Service named `heddle` or `heddle-…` to every pod of its namespace. */
const SERVICE_LINK =
  /^HEDDLE_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP)(?:_\w+)?)?)$/

export interface UnknownVariable {
  readonly variable: string
  /** The most similar setting, if one is similar. */
  readonly suggestion: string | undefined
}

export function findUnknownVariables(env: Environment): UnknownVariable[] {
  const known = knownVariables()
  return Object.keys(env)
    .filter((name) => name.startsWith('HEDDLE_') && !known.has(name))
    .filter((name) => !FOREIGN.test(name) && !SERVICE_LINK.test(name))
    .sort()
    .map((variable) => ({ variable, suggestion: mostSimilar(variable, known, variable.length / 4) }))
}

export function describeUnknown({ variable, suggestion }: UnknownVariable): string {
  const advice = suggestion === undefined ? 'see docs/configuration.md' : `did you mean ${suggestion}?`
  return `${variable} is not a setting of Heddle and has no effect; ${advice}`
}

function knownVariables(): Set<string> {
  const settings = Object.values(SETTINGS)
  const secrets = settings.filter(({ isSecret }) => isSecret).map(({ variable }) => variable)
  return new Set([
    ...settings.map(({ variable }) => variable),
    ...KEY_VARIABLES,
    ...[...secrets, ...KEY_VARIABLES].map(fileVariable),
  ])
}
