import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that does what networks do: break, lose answers, tear them in the middle, be slow. */
export interface FaultProxy {
  readonly url: string
  /** Open connections break, new ones are refused at once. */
  cut(): void
  mend(): void
  /** Open connections break; new ones are good. */
  sever(): void
  /** The next `count` answers break after this many bytes; with 0 the server has done its work and nobody hears. */
  tearAnswers(count: number, afterBytes: number): void
  /** The next `count` pieces that clients send do not arrive. */
  tearRequests(count: number): void
  /** Answers take this much longer. */
  delay(ms: number): void
  /** Answers and requests that were torn so far. */
  readonly torn: number
  stop(): Promise<void>
}

interface TearPlan {
  count: number
  readonly afterBytes: number
}

export async function startFaultProxy(targetUrl: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  let delayMs = 0
  let answers: TearPlan = { count: 0, afterBytes: 0 }
  let requests = 0
  let torn = 0

  const open = (client: Socket): void => {
    const server = connect(Number(port), hostname)
    const late: Buffer[] = []
    /** One side has ended: the other does too, when it has got all that came before. */
    const end = (): void => {
      server.destroySoon()
      if (late.length === 0) client.destroySoon()
    }
    const tear = (): void => {
      torn++
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', (bytes: Buffer) => {
      if (requests > 0) {
        requests--
        tear()
      } else pass(bytes, client, server)
    })
    /** What this connection may still carry, once it is its turn to be torn by the plan of that time. */
    let turn: { readonly plan: TearPlan; left: number } | undefined
    const passLate = (): void => {
      const bytes = late.shift()
      if (bytes !== undefined) pass(bytes, server, client)
      if (server.destroyed) end()
    }
    server.on('data', (bytes: Buffer) => {
      if (turn?.plan !== answers && answers.count > 0) {
        answers.count--
        turn = { plan: answers, left: answers.afterBytes }
      }
      if (turn?.plan === answers) {
        if (bytes.length >= turn.left) {
          if (turn.left > 0 && late.length === 0) client.write(bytes.subarray(0, turn.left), tear)
          else tear()
          return
        }
        turn.left -= bytes.length
      }
      // In order, also when the delay has just ended.
      if (delayMs === 0 && late.length === 0) pass(bytes, server, client)
      else {
        late.push(bytes)
        setTimeout(passLate, delayMs).unref()
      }
    })
  }
  const listener = createServer((client) => {
    if (isCut) client.destroy()
    else open(client)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const sever = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const cut = (): void => {
    isCut = true
    sever()
  }
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false
      delayMs = 0
      answers = { count: 0, afterBytes: 0 }
      requests = 0
    },
    sever,
    tearAnswers: (count, afterBytes) => {
      answers = { count, afterBytes }
    },
    tearRequests: (count) => {
      requests = count
    },
    delay: (ms) => {
      delayMs = ms
    },
    get torn() {
      return torn
    },
    stop: async () => {
      cut()
      listener.close()
      await once(listener, 'close')
    },
  }
}

/** At the pace of the slower side. */
function pass(bytes: Buffer, from: Socket, to: Socket): void {
  if (to.destroyed || to.write(bytes)) return
  from.pause()
  to.once('drain', () => from.resume())
}
