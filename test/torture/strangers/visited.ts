// A provider in production with payment pages and two shops, in a process of its own: `node visited.ts <store> [<perSecond> <burst>]`. It
// ends with its standard input; each line of that asks for its memory, and for its turns since the last one.
import { createInterface } from 'node:readline'
import { lastingStore } from '../../production-store.ts'
import { pathOf } from './target.ts'
import { visitedProvider } from './visited-provider.ts'

const [store = 'memory', ...rest] = process.argv.slice(2)
const [perSecond, burst] = rest.map(Number)
const limits = perSecond ? { perSecond, burst } : undefined
const provider = visitedProvider(store === 'memory' ? lastingStore() : store, limits)
const endpoints = [
  pathOf((await provider.shops.add('one')).endpoint),
  pathOf((await provider.shops.add('two')).endpoint),
]
const { port } = await provider.listen({ port: 0, host: '127.0.0.1' })
console.log(JSON.stringify({ port, endpoints }))

/**
 * The CPU time of single turns of the event loop, in milliseconds: the work that a call which comes now waits for, also on a machine that is
 * busy with others.
 */
const turns: number[] = []
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
setInterval(() => {
  setImmediate(() => {
    const from = cpuMs()
    setImmediate(() => turns.push(cpuMs() - from))
  })
}, 7)

const peakMb = () => Math.round(process.resourceUsage().maxRSS / 1024)
createInterface({ input: process.stdin })
  .on('line', () => console.log(JSON.stringify({ peak_mb: peakMb(), turns: turns.splice(0) })))
  .on('close', () => process.exit())
