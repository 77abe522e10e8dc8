import { describeUnknown, findUnknownVariables } from '../unknown-variables.ts'
import { type Check, ok, warning } from './check.ts'

/** Variables that look like settings but are none. Invalid values end the command before any check. */
export const settingsCheck: Check = {
  name: 'settings',
  run: ({ env }) => {
    const unknown = findUnknownVariables(env)
    if (unknown.length === 0) return [ok('every HEDDLE_ variable is a setting')]
    return unknown.map((variable) =>
      warning(describeUnknown(variable), `rename or unset ${variable.variable}`),
    )
  },
}
