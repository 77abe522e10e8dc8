import { readSettings, type Settings } from '../../src/app/settings.ts'
import { markdownTable } from './markdown.ts'

interface Setting {
  readonly key: string
  readonly variable: string
  readonly note: string
}

/** From the source of src/app/settings.ts: the comment above each setting, and the variable it is read from. */
export function configurationPage(source: string): string {
  const defaults = readSettings({})
  const rows = settingsIn(source).map(({ key, variable, note }) => [
    `\`${variable}\``,
    shown(defaults[key as keyof Settings]),
    note,
  ])
  return `# Configuration

Made by \`npm run generate\` from \`src/app/settings.ts\`. Everything is set in the environment; flags of the command line come
first (\`heddle serve --help\`).

${markdownTable(['variable', 'default', 'what it is'], rows)}
`
}

function settingsIn(source: string): Setting[] {
  const body = /export interface Settings \{\n([\s\S]*?)\n\}/.exec(source)?.[1] ?? ''
  const fields = [...body.matchAll(/(?: {2}\/\*\*\s*([\s\S]*?)\s*\*\/\n)? {2}readonly (\w+):/g)]
  if (fields.length === 0) throw new Error('no settings found in src/app/settings.ts')
  return fields.map(([, comment = '', key = '']) => {
    const variable = new RegExp(`^ {4}${key}: [^\\n]*?'(HEDDLE_\\w+)'`, 'm').exec(source)?.[1]
    if (variable === undefined)
      throw new Error(`the setting ${key} is read from no variable in src/app/settings.ts`)
    return { key, variable, note: comment.replace(/\s*\n\s*\*\s*/g, ' ') }
  })
}

function shown(value: unknown): string {
  if (value === undefined || value === '') return ''
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}
