// A hostile caller of a provider, in a process of its own: `node noise.ts slow|flood|unread|idle|visit|carts <port> <path> <number>`.
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { together } from '../../together.ts'
import { askRates, largestCart } from './ask-rates.ts'

const [kind, portText, path = '', numberText] = process.argv.slice(2)
const port = Number(portText)
const number = Number(numberText)

const beginnings = [
  '',
  'P',
  `POST ${path}/payment HTTP/1.1\r\nHost: a\r\n`,
  `POST ${path}/payment HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  `POST ${path}/payment HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel`,
]

/** Resolves with the end of its standard input. */
async function untilEnd(): Promise<void> {
  console.log('under way')
  await once(process.stdin.resume(), 'end')
}

/** Opens sockets, each with a timer of its own, and waits until the provider has closed them all, or for so many milliseconds. */
async function untilClosed(
  patience: number,
  opened: (ready: () => void, at: number) => { socket: Socket; timer: NodeJS.Timeout },
): Promise<object> {
  const began = performance.now()
  let open = number
  let lastClosed = 0
  let connected = 0
  const ready = () => {
    if (++connected === number) console.log('under way')
  }
  const all = Array.from({ length: number }, (_, at) => {
    const { socket, timer } = opened(ready, at)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      open--
      lastClosed = (performance.now() - began) / 1000
    })
    return socket
  })
  const end = performance.now() + patience
  while (open > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 100))
  const stillOpen = open
  for (const socket of all) socket.destroy()
  return { last_closed_s: Math.round(lastClosed * 10) / 10, still_open: stillOpen }
}

/** Opens sockets that never come to an end, each dripping a byte a second, until they are closed. */
const slow = (): Promise<object> =>
  untilClosed(180_000, (ready, at) => {
    const start = beginnings[at % beginnings.length]!
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(start)
      ready()
    })
    socket.on('data', () => {})
    return { socket, timer: setInterval(() => start !== '' && socket.writable && socket.write('a'), 1_000) }
  })

/** Calls so many times a second, until its standard input ends. */
async function flood(): Promise<object> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const counts = { calls: 0, refused: 0 }
  const every = 1
  const timer = setInterval(() => {
    for (let call = 0; call < (number * every) / 1000; call++) {
      counts.calls++
      askRates(port, path, agent).then(
        ({ status }) => void (status === 429 && counts.refused++),
        () => {},
      )
    }
  }, every)
  await untilEnd()
  clearInterval(timer)
  agent.destroy()
  return counts
}

/** Opens sockets that ask again and again in one go and read nothing, until they are closed. */
const unread = (): Promise<object> => {
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
  return untilClosed(60_000, (ready) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(request.repeat(1_700))
      ready()
    })
    socket.pause()
    // A peer that does not read sees the end of a connection when it writes.
    return { socket, timer: setInterval(() => socket.writableLength === 0 && socket.write(request), 250) }
  })
}

/** Opens sockets and leaves them: every second one sends nothing, the others have been answered once. Ends with its standard input. */
async function idle(): Promise<object> {
  let refused = 0
  const open = (at: number) =>
    new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        if (at % 2 === 0) resolve()
        else socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n')
      })
      socket.on('data', () => resolve())
      socket.on('error', () => {})
      socket.on('close', () => {
        refused++
        resolve()
      })
    })
  await together(200, Array(number).keys(), open)
  await untilEnd()
  return { closed: refused }
}

/**
 * Visits one address by keep-alive connections, each of which asks again as soon as it has its answer. Ends with its standard input. A
 * connection that is cut would be a 502 behind a proxy.
 */
async function visit(): Promise<object> {
  const counts = { cut: 0, statuses: {} as Record<string, number> }
  const request = `GET ${path} HTTP/1.1\r\nHost: provider.example\r\n\r\n`
  let over = false
  const visitFor = (answered: () => void) => {
    let begun = Buffer.alloc(0)
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (chunk) => {
      begun = begun.length === 0 ? chunk : Buffer.concat([begun, chunk])
      const head = begun.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = Number(/content-length: *(\d+)/i.exec(begun.toString('latin1', 0, head))?.[1])
      if (begun.length < head + 4 + length) return
      const status = begun.toString('latin1', 9, 12)
      counts.statuses[status] = (counts.statuses[status] ?? 0) + 1
      begun = Buffer.alloc(0)
      answered()
      socket.write(request)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!over) counts.cut++
      answered()
    })
  }
  await Promise.all(Array.from({ length: number }, () => new Promise<void>(visitFor)))
  await untilEnd()
  over = true
  return counts
}

/** Sends carts at the limit of size, so many a second, until its standard input ends. */
async function carts(): Promise<object> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const counts = { cut: 0, statuses: {} as Record<string, number> }
  const from = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    for (; sent < ((performance.now() - from) * number) / 1_000; sent++) {
      askRates(port, path, agent, largestCart).then(
        ({ status }) => {
          counts.statuses[status] = (counts.statuses[status] ?? 0) + 1
        },
        () => counts.cut++,
      )
    }
  }, 1)
  await untilEnd()
  clearInterval(timer)
  return { sent, ...counts }
}

const kinds: Record<string, () => Promise<object>> = { slow, flood, unread, idle, visit, carts }
console.log(JSON.stringify(await kinds[kind!]!()))
process.exit()
