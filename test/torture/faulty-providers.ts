import { checkProvider, conformanceCases } from '../../src/conformance/index.ts'
import { faultyProviders } from '../conformance/faulty-providers.ts'
import { plainProvider } from '../conformance/plain-provider.ts'

export interface CheckerReport {
  faulty: number
  /** Those that the case which names their fault has caught. */
  caught: number
  /** Complaints about the provider without a fault. */
  false_alarms: number
  /** A line for each faulty provider: what it does, the case that caught it, and how many others complain too. */
  rows: string[]
  missed: string[]
}

const latency = conformanceCases.filter(({ topic }) => topic === 'latency').map(({ name }) => name)

/** Slow providers only run the cases about speed: all cases would take an hour. */
const complaintsOf = async (endpoint: string, about?: string): Promise<string[]> => {
  const cases = about !== undefined && latency.includes(about) ? { cases: latency } : {}
  const { results } = await checkProvider(endpoint, cases)
  return results.flatMap(({ name, result }) => (result === 'failed' || result === 'advice' ? [name] : []))
}

/** Every faulty provider against every case, so many at once. */
export async function crossFaultyProviders(most: number, atOnce: number): Promise<CheckerReport> {
  const plain = await plainProvider()
  const alarms = await complaintsOf(plain.endpoint)
  await plain.close()
  const chosen = faultyProviders.slice(0, most)
  const rows: string[] = []
  const missed: string[] = []
  const left = [...chosen]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let one = left.shift(); one; one = left.shift()) {
        const { endpoint, close } = await plainProvider(one.change)
        const complaints = await complaintsOf(endpoint, one.case).catch((error: Error) => [
          `(${error.message})`,
        ])
        await close()
        if (complaints.includes(one.case))
          rows.push(`${one.fault} | ${one.case} | ${complaints.length - 1} more`)
        else missed.push(`${one.fault} | ${one.case} | instead: ${complaints.join(', ')}`)
      }
    }),
  )
  return {
    faulty: chosen.length,
    caught: rows.length,
    false_alarms: alarms.length,
    rows: rows.sort(),
    missed,
  }
}
