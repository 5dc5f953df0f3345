import { equal } from 'node:assert/strict'
import type { Client } from 'undici'
import { printResult } from '../results/line.ts'
import { median, printSpreads, rounded } from './measure.ts'
import { ofConnection, type SentPage } from './pages/page.ts'
import { measureInTurns, serve } from './served.ts'

// CPU time of the server process per visit of a payment page with a form, beside an Express that sends the same bytes and headers.

const rounds = 7

export async function run(quick: boolean): Promise<void> {
  const visits = quick ? 600 : 4_000
  await using purveyor = await serve(new URL('./pages/purveyor.ts', import.meta.url))
  const page = await visit(purveyor.clients[0]!, purveyor.path)
  const sent = { BENCH_PAGE: JSON.stringify(page) }
  await using express = await serve(new URL('./pages/express.ts', import.meta.url), sent)
  equal((await visit(express.clients[0]!, express.path)).body, page.body)
  const results = await measureInTurns({ express, purveyor }, rounds, visits, async (client, path) => {
    const { statusCode, body } = await client.request({ method: 'GET', path })
    await body.dump()
    equal(statusCode, 200)
  })
  const bytes = Buffer.byteLength(page.body)
  console.log(`${rounds} rounds of ${visits} visits, ${bytes} bytes a page; CPU time of each:`)
  printSpreads(results, 'us', 1)
  const [ours, theirs] = [median(results.purveyor), median(results.express)]
  printResult({
    ...{ bench: 'pages', bytes },
    us_per_visit: { purveyor: rounded(ours, 1), express: rounded(theirs, 1) },
    us_added: rounded(ours - theirs, 1),
  })
}

async function visit(client: Client, path: string): Promise<SentPage> {
  const { headers, body, statusCode } = await client.request({ method: 'GET', path })
  equal(statusCode, 200)
  const own = Object.entries(headers).filter(([name]) => !ofConnection.includes(name))
  return { path, headers: Object.fromEntries(own), body: await body.text() }
}
