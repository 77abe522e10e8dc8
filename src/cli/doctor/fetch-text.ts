/** Plain GET requests of checks. */
export interface FetchedText {
  /** 0 if there was no response. */
  readonly status: number
  readonly type: string
  /** The body, or why there is none. */
  readonly text: string
}

const TIMEOUT_MS = 5_000

export async function fetchText(url: string, headers: Record<string, string> = {}): Promise<FetchedText> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text: await response.text(),
    }
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
    return { status: 0, type: '', text: reason }
  }
}

/** The message of an error response of Heddle. */
export function errorText(body: string): string {
  try {
    const { detail, message, reason } = JSON.parse(body) as Record<string, unknown>
    const text = [reason, detail, message].find((value) => typeof value === 'string')
    return typeof text === 'string' ? text : body
  } catch {
    return body.slice(0, 200)
  }
}
