import { createServer, type ServerResponse } from 'node:http'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { listenOn } from '../../../src/http/server.ts'
import { none } from '../../../src/index.ts'
import type { RateContext } from '../../../src/rates/adapter.ts'
import { collectGarbage } from '../../garbage.ts'
import { checkout } from '../../http/messages.ts'
import { openTarget, pathOf, postOf } from './target.ts'

const mebibyte = 1024 * 1024

type Read = (answer: Response) => Promise<number>

const reads: Record<string, Read> = {
  text: async (answer) => (await answer.text()).length,
  json: async (answer) => JSON.stringify(await answer.json()).length,
  arrayBuffer: async (answer) => (await answer.arrayBuffer()).byteLength,
  clone: async (answer) => (await answer.clone().arrayBuffer()).byteLength,
  async stream(answer) {
    let seen = 0
    for await (const chunk of answer.body ?? []) seen += (chunk as Uint8Array).byteLength
    return seen
  },
}

/** A service's answer: its coding, and a body that is small on the wire and large when decoded. */
function bombs(size: number): Record<string, (res: ServerResponse) => void> {
  const packed = {
    gzip: gzipSync(Buffer.alloc(size)),
    deflate: deflateSync(Buffer.alloc(size)),
    br: brotliCompressSync(Buffer.alloc(size), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    zstd: zstdCompressSync(Buffer.alloc(size)),
    'gzip, gzip': gzipSync(gzipSync(Buffer.alloc(size))),
  }
  const sending = (coding: string, body: Buffer) => (res: ServerResponse) =>
    void res.writeHead(200, { 'content-encoding': coding }).end(body)
  const coded = Object.entries(packed).map(([coding, body]) => [coding, sending(coding, body)])
  const plain = (res: ServerResponse): void => {
    res.writeHead(200)
    const more = (): void => {
      while (!res.destroyed) if (!res.write(Buffer.alloc(mebibyte))) return void res.once('drain', more)
    }
    more()
  }
  return { ...Object.fromEntries(coded), plain }
}

/**
 * A carrier answers an adapter with bombs: each is cut at the limit, however it is read, and the process keeps its size. With `each` of false
 * every coding and every way to read comes once, without their other pairs.
 */
export async function tryBombs(megabytes = 96, each = true) {
  const size = megabytes * mebibyte
  const violations: string[] = []
  const kinds = bombs(size)
  const server = createServer((req, res) => kinds[decodeURIComponent(req.url!.slice(1))]!(res))
  const port = await listenOn(server, 0, '127.0.0.1')
  let ask: (ctx: RateContext) => Promise<void> = async () => {}
  const quote = async (_request: unknown, ctx: RateContext) => {
    await ask(ctx)
    return none('it was asked')
  }
  await using target = await openTarget({
    ...{ development: true, publicUrl: 'http://localhost' },
    rates: { deadline: 60_000, adapters: [{ name: 'carrier', quote }] },
  })
  const { provider, call } = target
  const endpoint = pathOf((await provider.shops.add('bombed')).endpoint)
  const held = () => process.memoryUsage().heapUsed + process.memoryUsage().external
  let before = held()
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, held() - before)), 2)
  let asked = 0
  const ways = Object.entries(reads)
  for (const [at, coding] of Object.keys(kinds).entries()) {
    for (const [how, read] of each ? ways : [ways[at % ways.length]!]) {
      ask = async ({ fetch }) => {
        asked++
        collectGarbage()
        before = held()
        const found = await fetch(`http://127.0.0.1:${port}/${encodeURIComponent(coding)}`)
          .then(read)
          .catch((error: { code?: string }) => error.code ?? String(error))
        const expected = coding.includes(',') ? 'ANSWER_ENCODED_TWICE' : 'ANSWER_TOO_LARGE'
        if (found !== expected) violations.push(`a bomb in ${coding}, read by ${how}, ends as ${found}`)
      }
      await call(postOf(`${endpoint}/shipment_methods`, checkout))
    }
  }
  clearInterval(watch)
  const expected = Object.keys(kinds).length * (each ? ways.length : 1)
  if (asked !== expected) violations.push(`${asked} of ${expected} bombs were asked for`)
  const memory_mb = Math.round(most / mebibyte)
  // The answer in pieces, the answer in one, and what the collector has not yet looked at.
  if (most > size) violations.push(`bombs take ${memory_mb} MB`)
  server.closeAllConnections()
  server.close()
  return { bombs: asked, memory_mb, violations }
}
