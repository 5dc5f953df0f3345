import { checkProvider, conformanceCases } from '../../src/conformance/index.ts'
import { faultyProviders } from '../conformance/faulty-providers.ts'
import { plainProvider } from '../conformance/plain-provider.ts'
import { together } from '../together.ts'

const latency = conformanceCases.filter(({ topic }) => topic === 'latency').map(({ name }) => name)

/** Slow providers only run the cases about speed: all cases would take an hour. */
const complaintsOf = async (endpoint: string, about?: string): Promise<string[]> => {
  const cases = about !== undefined && latency.includes(about) ? { cases: latency } : {}
  const { results } = await checkProvider(endpoint, cases)
  return results.flatMap(({ name, result }) => (result === 'failed' || result === 'advice' ? [name] : []))
}

/** Every faulty provider against every case, so many at once. */
export async function crossFaultyProviders(most: number, atOnce: number) {
  const plain = await plainProvider()
  const alarms = await complaintsOf(plain.endpoint)
  await plain.close()
  const chosen = faultyProviders.slice(0, most)
  /** A line for each: what it does, the case that caught it, and how many others complain too. */
  const rows: string[] = []
  const missed: string[] = []
  await together(atOnce, chosen, async ({ fault, case: name, change }) => {
    const { endpoint, close } = await plainProvider(change)
    const complaints = await complaintsOf(endpoint, name).catch((error: Error) => [`(${error.message})`])
    await close()
    const others = complaints.length - 1
    if (complaints.includes(name)) rows.push(`${fault} | ${name} | ${others} more`)
    else missed.push(`${fault} | ${name} | instead: ${complaints.join(', ')}`)
  })
  // Those that the case which names their fault has caught, and complaints about the provider without a fault.
  const counts = { faulty: chosen.length, caught: rows.length, false_alarms: alarms.length }
  return { ...counts, rows: rows.sort(), missed }
}
