import { lookup as resolve, type LookupAddress } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import {
  type ModelConnection,
  ModelError,
  type ModelRequest,
  type ModelResponse,
} from '../../service/models/model-connection.ts'
import { AllowedAddresses } from './allowed-addresses.ts'

/**
 * Connections to model providers. The address is checked when a connection is opened, after the name was resolved, and the
 * connection uses the address that was checked: a name that resolves to another one a moment later changes nothing.
 */

/** Of a response. Images are base64 of some megabytes. */
const MAX_MODEL_RESPONSE_BYTES = 16 * 1024 * 1024

type Resolve = (
  hostname: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

interface ConnectionOptions {
  readonly allowedNetworks: string | undefined
  /** Tests pass their own names. */
  readonly resolve?: Resolve
  readonly maxResponseBytes?: number
}

export function createModelConnection({
  allowedNetworks,
  resolve: resolveName = resolve,
  maxResponseBytes = MAX_MODEL_RESPONSE_BYTES,
}: ConnectionOptions): ModelConnection {
  const allowed = new AllowedAddresses(allowedNetworks)
  const lookup = checkedLookup(allowed, resolveName)
  return {
    send: async (request) => {
      const { url } = request
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw new ModelError('the URL of a model provider must be http or https', { isFree: true })
      // Node resolves no names that are addresses, so `lookup` does not see them.
      const host = url.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !allowed.permits(host)) throw refused(host)
      const signals = [AbortSignal.timeout(request.timeoutMs), ...(request.signal ? [request.signal] : [])]
      const signal = AbortSignal.any(signals)
      const response = await open(request, lookup, signal)
      const status = response.statusCode ?? 0
      if (status >= 300 && status < 400) {
        response.destroy()
        throw new ModelError(
          `the model provider responded with a redirect (${status}), which is not followed`,
          {
            isFree: true,
          },
        )
      }
      return {
        status,
        retryAfter: response.headers['retry-after'],
        bytes: limited(response, request, signal, maxResponseBytes),
      } satisfies ModelResponse
    },
  }
}

/** Resolves a name, and passes on its addresses if all of them are allowed. */
function checkedLookup(allowed: AllowedAddresses, resolveName: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolveName(hostname, { all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      const bad = addresses?.find(({ address }) => !allowed.permits(address))
      if (error !== null || first === undefined) done(error ?? new Error('no address'), '', 0)
      else if (bad !== undefined) done(refused(`${hostname} (${bad.address})`), '', 0)
      else if (options.all === true) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

function refused(host: string): ModelError {
  return new ModelError(
    `connections to ${host} are not allowed; the operator of Heddle can allow networks with HEDDLE_MODELS_ALLOWED_NETWORKS`,
    { status: 403, isFree: true },
  )
}

function open(
  { url, headers, body, signal: closed }: ModelRequest,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'http:' ? http.request : https.request
  const bytes = Buffer.from(body)
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      // A connection of its own: one that is kept may be closed just when a request is sent, which must not be repeated.
      agent: false,
      lookup,
      headers: { ...headers, 'accept-encoding': 'identity', 'content-length': bytes.length },
      signal,
    })
    outgoing.once('response', resolve)
    outgoing.once('error', (error: NodeJS.ErrnoException) => reject(failure(error, closed, signal)))
    outgoing.end(bytes)
  })
}

const NOT_CONNECTED: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

function failure(
  error: NodeJS.ErrnoException,
  closed: AbortSignal | undefined,
  signal: AbortSignal,
): ModelError {
  if (error instanceof ModelError) return error
  // An aborted request fails with whatever its socket fails with.
  if (closed?.aborted === true) return new ModelError('the request was cancelled', { status: 499 })
  if (signal.aborted) return new ModelError('the model provider did not respond in time', { status: 504 })
  const code = error.code === undefined ? '' : ` (${error.code})`
  return new ModelError(`the model provider cannot be reached${code}`, {
    isFree: NOT_CONNECTED.has(error.code),
  })
}

async function* limited(
  response: IncomingMessage,
  { signal: closed }: ModelRequest,
  signal: AbortSignal,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let count = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      count += chunk.length
      if (count > maxBytes)
        throw new ModelError(`the response of the model provider is larger than ${maxBytes} bytes`)
      yield chunk
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' && !signal.aborted)
      throw new ModelError('the model provider closed the connection before the response was complete')
    throw failure(error as NodeJS.ErrnoException, closed, signal)
  } finally {
    response.destroy()
  }
}
