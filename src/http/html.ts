import type { FastifyReply } from 'fastify'

/** HTML pages of the server: no scripts, no external resources, no framing. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

export function sendHtml(reply: FastifyReply, page: string): FastifyReply {
  return reply.headers(HEADERS).type('text/html; charset=utf-8').send(page)
}

/** The title is plain text and gets escaped; the body is markup. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>${STYLE}</style>
${body}
</html>
`
}

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{border-bottom:1px solid;margin-top:2.5rem}article{margin:1.5rem 0}nav a{margin-right:.6rem}code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{overflow-x:auto;padding:.6rem;border:1px solid #8886}.table{overflow-x:auto}table{border-collapse:collapse;margin:.5rem 0}td,th{border:1px solid #8886;padding:.2rem .6rem;text-align:left;vertical-align:top}.errors{font-size:.85em}`
