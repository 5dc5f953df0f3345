import { hasCode } from '../../errors.ts'
import { counted } from '../../printable.ts'
import { withProvider } from '../provider/with-provider.ts'
import { json, plain, provider } from '../table.ts'
import { type Line, print, say } from '../terminal/print.ts'
import { withProgress } from '../terminal/progress.ts'
import { type Found, fail, type Look, type Patient } from './check.ts'

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
      const { doctorChecks, patientOf } = await import('./checks.ts')
      const patient = await patientOf(provider, inspection(), { shop, production })
      // One after the other: one of them measures times.
      const found: Result[] = []
      const looks = Object.entries(doctorChecks)
      await withProgress('Diagnosing', async (steps) => {
        for (const [name, look] of looks) {
          steps.at(found.length + 1, looks.length, name)
          found.push({ name, ...(await tried(look, patient)) })
        }
      })
      return found
    }).catch((error: unknown): Result[] => {
      if (!hasCode(error, 'CONFIGURATION_INVALID')) throw error
      return error.faults.map(({ path = '', message }) => ({
        name: 'configuration',
        ...fail(`${path} ${message}`.trim(), 'Correct it, then run doctor again'),
      }))
    })
    const count = (verdict: Found['verdict']) => results.filter((one) => one.verdict === verdict).length
    const [ok, warnings, failed, skipped] = [count('ok'), count('warn'), count('fail'), count('skipped')]
    const counts = { checks: results.length, ok, warn: warnings, fail: failed, skipped }
    if (!options.json)
      for (const { name, verdict, says, remedy } of results) {
        say(` ${name.padEnd(19)} ${says}`, marks[verdict])
        if (remedy) say(`${' '.repeat(27)} -> ${remedy}`)
      }
    print(options.json, { ...counts, results }, () => [
      '',
      `${ok} ok, ${counted(warnings, 'warning')}, ${failed} failed, ${skipped} skipped`,
    ])
    if (failed > 0) process.exitCode = 1
  },
})

/** A check that crashes counts as a failed one. */
async function tried(look: Look, patient: Patient): Promise<Found> {
  try {
    return await look(patient)
  } catch (error) {
    const { message } = error as Error
    if (hasCode(error, 'STORE_UNAVAILABLE')) return fail(message, 'purveyor explain STORE_UNAVAILABLE')
    return fail(`This check failed to run: ${message}`, 'Fix the error above, then run doctor again')
  }
}
