import { connect, type Socket } from 'node:net'

/** A minimal HTTP connection, one request at a time, so that the load generator is not the bottleneck. */
export class Connection {
  readonly #socket: Socket
  readonly #head: string
  #resolve: ((status: number) => void) | undefined
  #received = ''

  private constructor(socket: Socket, head: string) {
    this.#socket = socket
    this.#head = head
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => this.#receive(chunk))
    socket.on('error', () => this.#end(0))
    socket.on('close', () => this.#end(0))
  }

  static async open(url: URL, authorization: string, contentType = 'application/json'): Promise<Connection> {
    const socket = connect(Number(url.port), url.hostname)
    await new Promise<void>((opened, failed) => {
      socket.once('connect', opened)
      socket.once('error', failed)
    })
    return new Connection(
      socket,
      `Host: ${url.host}\r\nAuthorization: ${authorization}\r\nContent-Type: ${contentType}\r\n`,
    )
  }

  /** Returns the status of the response; 0 if there was none. */
  post(path: string, body: Buffer): Promise<number> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) return resolve(0)
      this.#resolve = resolve
      this.#socket.cork()
      this.#socket.write(
        `POST ${path} HTTP/1.1\r\n${this.#head}Content-Length: ${body.length}\r\n\r\n`,
        'latin1',
      )
      this.#socket.write(body)
      this.#socket.uncork()
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(chunk: string): void {
    this.#received += chunk
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1] ?? 0)
    if (this.#received.length < end + 4 + length) return
    const status = Number(this.#received.slice(9, 12))
    this.#received = ''
    this.#end(status)
  }

  #end(status: number): void {
    const resolve = this.#resolve
    this.#resolve = undefined
    resolve?.(status)
  }
}
