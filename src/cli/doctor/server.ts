import { ApiError } from '../../contract/api-error.ts'
import { VERSION } from '../../app/deps.ts'
import { type Check, NO_RESPONSE, ok, problem, skipped, warning } from './check.ts'
import { errorText, fetchText } from './fetch-text.ts'

/** The running server and the API key. */
export const serverCheck: Check = {
  name: 'server',
  run: async ({ server }) => {
    if (server === undefined)
      return [skipped('no server is running; start one with `heddle serve`, or name one with --url')]
    const ready = await fetchText(`${server.url}/readyz`)
    if (ready.status === 0)
      return [
        problem(
          `no server responds at ${server.url}: ${ready.text}`,
          'check the address, the network and that the server is running',
        ),
      ]
    if (ready.status !== 200)
      return [
        problem(
          `the server at ${server.url} is not ready: ${errorText(ready.text)}`,
          'remove the reason, which the log of the server explains',
        ),
      ]
    const version = errorVersion(await fetchText(`${server.url}/version`))
    if (version !== undefined && version !== VERSION)
      return [
        warning(
          `the server at ${server.url} has version ${version}, this command ${VERSION}`,
          'run the doctor of the same version as the server',
        ),
      ]
    return [ok(`the server at ${server.url} is ready`)]
  },
}

function errorVersion({ status, text }: { status: number; text: string }): string | undefined {
  if (status !== 200) return undefined
  const { version } = JSON.parse(text) as { version?: unknown }
  return typeof version === 'string' ? version : undefined
}

export const keyCheck: Check = {
  name: 'api key',
  run: async ({ server }) => {
    if (server === undefined) return [skipped('no server is running')]
    if (!server.responds) return [NO_RESPONSE]
    if (server.client === undefined)
      return [skipped('no API key; set HEDDLE_DOCTOR_KEY to check one and to test writes')]
    try {
      const { username } = await server.client.call('session_read', {})
      return [ok(`the API key belongs to the user ${username}`)]
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!(error instanceof ApiError) || error.code !== 'unauthenticated')
        return [
          problem(
            `the API key cannot be checked: ${message}`,
            'remove this cause, which the log of the server or of the proxy before it explains',
          ),
        ]
      return [
        problem(
          `the server refuses the API key: ${message}`,
          'create a key with `heddle keys create`, and set HEDDLE_DOCTOR_KEY to it',
        ),
      ]
    }
  },
}
