import { pythonWith } from '../installations.ts'
import versions from './versions.json' with { type: 'json' }

/** A Python with the tools of this suite. */
export function openApiPython(): Promise<string> {
  const packages = Object.entries(versions).map(([name, version]) => `${name}==${version}`)
  return pythonWith(`openapi-${versions.schemathesis}`, packages)
}
