import { pythonWith } from '../installations.ts'
import versions from './versions.json' with { type: 'json' }

/** A Python with SciPy, statsmodels and scikit-learn. */
export function statisticsPython(): Promise<string> {
  const packages = Object.entries(versions).map(([name, version]) => `${name}==${version}`)
  return pythonWith(`statistics-${versions.scipy}`, packages)
}
