import { hasCode } from '../../errors/errors.ts'
import { counted } from '../../printable.ts'
import { withProvider } from '../provider/with-provider.ts'
import { json, plain, provider } from '../table.ts'
import { type Line, print, say } from '../terminal/print.ts'
import { withProgress } from '../terminal/progress.ts'
import { type Checks, type Found, fail, type Look, type Patient, patientOf } from './check.ts'

const marks = {
  ok: { text: 'ok     ', colour: 'green' },
  warn: { text: 'warn   ', colour: 'yellow' },
  fail: { text: 'FAIL   ', colour: 'red' },
  skipped: 'skipped',
} as const satisfies Record<Found['verdict'], Line>

type Result = Found & { name: string }

/** Exit code 1 when something fails. */
export const command = plain({
  description: 'diagnose this installation',
  examples: ['purveyor doctor', 'purveyor doctor --production --shop bikes'],
  options: {
    ...provider,
    '--shop <id>': 'the shop whose endpoint to test; default: the only one',
    '--production': 'apply the rules of production, whatever NODE_ENV says',
    ...json,
  },
  async run({ shop, production = false, ...options }) {
    if (production) process.env.NODE_ENV = 'production'
    const results = await withProvider({ ...options, silent: true }, async (provider, inspection) => {
      const patient = await patientOf(provider, inspection(), { shop, production })
      // One after the other: one of them measures times.
      const found: Result[] = []
      const looks = Object.entries(await doctorChecks())
      await withProgress('Diagnosing', async (steps) => {
        for (const [name, look] of looks) {
          steps.at(found.length + 1, looks.length, name)
          found.push({ name, ...(await tried(look, patient)) })
        }
      })
      return found
    }).catch((error: unknown): Result[] => {
      if (!hasCode(error, 'CONFIGURATION_INVALID')) throw error
      const says = error.faults.map(({ path = '', message }) => `${path} ${message}`.trim())
      const remedy = 'Correct it, then run doctor again'
      return says.map((one) => ({ name: 'configuration', ...fail(one, remedy) }))
    })
    const counts = { checks: results.length, ok: 0, warn: 0, fail: 0, skipped: 0 }
    for (const { verdict } of results) counts[verdict]++
    if (!options.json)
      for (const { name, verdict, says, remedy } of results) {
        say(` ${name.padEnd(19)} ${says}`, marks[verdict])
        if (remedy) say(`${' '.repeat(27)} -> ${remedy}`)
      }
    print(options.json, { ...counts, results }, () => [
      '',
      `${counts.ok} ok, ${counted(counts.warn, 'warning')}, ${counts.fail} failed, ${counts.skipped} skipped`,
    ])
    if (counts.fail > 0) process.exitCode = 1
  },
})

export async function doctorChecks(): Promise<Checks> {
  const { machineChecks } = await import('./machine.ts')
  const { networkChecks } = await import('./network.ts')
  const { shopChecks } = await import('./shop.ts')
  const { onCallChecks } = await import('./on-call.ts')
  return { ...machineChecks, ...networkChecks, ...shopChecks, ...onCallChecks }
}

async function tried(look: Look, patient: Patient): Promise<Found> {
  try {
    return await look(patient)
  } catch (error) {
    const { message } = error as Error
    if (hasCode(error, 'STORE_UNAVAILABLE')) return fail(message, 'purveyor explain STORE_UNAVAILABLE')
    return fail(`This check failed to run: ${message}`, 'Fix the error above, then run doctor again')
  }
}
