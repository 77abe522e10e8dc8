import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonWith } from '../../installations.ts'
import { startModelServer } from '../../model-server.ts'
import otlpVersions from '../../otlp/versions.json' with { type: 'json' }
import { programEnvironment, runProgram } from '../../sdk/program.ts'
import sdkVersions from '../../sdk/versions.json' with { type: 'json' }
import { replyOfShopModel } from './replies.ts'

/** The project that assistant.py writes: what real SDKs send, unlike the seeds that journeys with exact numbers use. */
export const ASSISTANT = 'admin/assistant'

/** The latest SDK, with the clients that it traces. */
export function assistantPython(): Promise<string> {
  return pythonWith('assistant', [
    `weave==${sdkVersions.python[0]}`,
    `openai==${otlpVersions.openai}`,
    `httpx==${otlpVersions.httpx}`,
    'anthropic==2.8.0',
    'pillow==13.0.0',
  ])
}

export async function runAssistant(url: string, key: string): Promise<void> {
  const python = await assistantPython()
  const model = await startModelServer(replyOfShopModel)
  const directory = await mkdtemp(join(tmpdir(), 'heddle-assistant-'))
  try {
    const env = { ...(await programEnvironment(url, key, directory)), MODEL_URL: model.url }
    // Copied: exceptions and screenshots show its path.
    const program = join(directory, 'assistant.py')
    await copyFile(new URL('assistant.py', import.meta.url), program)
    const { code, output } = await runProgram([python, program, ASSISTANT], {
      env,
      cwd: directory,
      isQuiet: true,
    })
    if (code !== 0) throw new Error(`assistant.py exited with code ${code}:\n${output}`)
  } finally {
    await model.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
