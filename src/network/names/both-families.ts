import type { LookupAddress } from 'node:dns'
import type { World } from '../../world.ts'
import { mostAddresses } from './dns-message.ts'
import type { AskFamily } from './name-server.ts'

/** The result of looking up one name. */
export type Found =
  | {
      addresses: readonly LookupAddress[]
      /** In milliseconds. */
      ttl: number
    }
  | { addresses: readonly []; failure: 'NAME_NOT_FOUND' | 'NAME_SERVER_FAILED' }

/** The limit for both families together, in milliseconds. */
const patience = 2_000
/** How long the addresses of one family wait for the other, in milliseconds. Most networks reach IPv4. */
const waitFor = { 4: 300, 6: 50 }
/** In milliseconds. */
const ttl = { least: 5_000, most: 300_000, withoutIPv4: 10_000 }

type Answer = { addresses: readonly LookupAddress[]; ttl: number; failed: boolean }

/** Asks for IPv4 and IPv6 side by side, so that a server that is silent for one does not hold up the other. Never rejects. */
export function askBothFamilies(ask: AskFamily, name: string, after: World['after']): Promise<Found> {
  return new Promise((resolve) => {
    const answers: { 4?: Answer; 6?: Answer } = {}
    const end = () => {
      for (const cancel of timers) cancel()
      resolve(foundIn(answers[4], answers[6]))
    }
    const timers = [after(patience, end)]
    for (const family of [4, 6] as const) {
      void answerOf(ask, name, family).then((answer) => {
        answers[family] = answer
        const other = family === 4 ? 6 : 4
        if (answers[other]) end()
        else if (answer.addresses.length > 0) timers.push(after(waitFor[other], end))
      })
    }
  })
}

const noAddress = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

async function answerOf(ask: AskFamily, name: string, family: 4 | 6): Promise<Answer> {
  try {
    // A loop of CNAMEs is an answer without addresses.
    const records = (await ask(name, family)).slice(0, mostAddresses)
    return {
      addresses: records.map(({ address }) => ({ address, family })),
      ttl: Math.min(...records.map((record) => record.ttl)) * 1_000,
      failed: false,
    }
  } catch (error) {
    const { code } = error as { code?: string }
    return { addresses: [], ttl: Number.POSITIVE_INFINITY, failed: !noAddress.has(code ?? '') }
  }
}

function foundIn(four: Answer | undefined, six: Answer | undefined): Found {
  const addresses = [...(four?.addresses ?? []), ...(six?.addresses ?? [])]
  if (addresses.length > 0) {
    const lasts = Math.min(four && !four.failed ? four.ttl : ttl.withoutIPv4, six?.ttl ?? ttl.most)
    return { addresses, ttl: Math.min(ttl.most, Math.max(ttl.least, lasts)) }
  }
  const failed = (answer: Answer | undefined) => answer === undefined || answer.failed
  return { addresses: [], failure: failed(four) || failed(six) ? 'NAME_SERVER_FAILED' : 'NAME_NOT_FOUND' }
}
