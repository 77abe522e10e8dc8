import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startModelServer } from '../../model-server.ts'
import { instrumentations } from '../../otlp/instrumentations.ts'
import { programVariables } from '../../otlp/program-variables.ts'
import { runProgram } from '../../sdk/program.ts'

/** The project that programs with OpenTelemetry instrumentations write, as the OTLP tests run them. */
export const INSTRUMENTED = 'admin/instrumented'

const NAMES = ['openinference', 'pydantic-ai']

export async function runInstrumented(url: string, apiKey: string): Promise<void> {
  const model = await startModelServer()
  const home = await mkdtemp(join(tmpdir(), 'heddle-instrumented-'))
  const env = programVariables({ url, apiKey, project_id: INSTRUMENTED, modelUrl: model.url, home })
  try {
    for (const { name, command } of instrumentations.filter((each) => NAMES.includes(each.name))) {
      const { code, output } = await runProgram(await command(), { env, cwd: home, isQuiet: true })
      if (code !== 0) throw new Error(`${name} exited with code ${code}:\n${output}`)
    }
  } finally {
    await model.stop()
    await rm(home, { recursive: true, force: true })
  }
}
