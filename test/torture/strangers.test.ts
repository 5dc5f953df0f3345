import { describe, expect, test } from 'vitest'
import { main } from '../cli/command.ts'
import { sized } from '../long.ts'
import { attempts, type StrangersAttempt } from './strangers/all.ts'

// `npm run torture` tries many times as much.

const sizes = {
  ...{ main, sockets: sized(120, 500), tokens: sized(100, 500), tabs: 3, guesses: sized(2_200, 3_000) },
  ...{ crowd: sized(200, 1_000), inputs: sized(240, 2_000), points: sized(2_000, 20_000) },
  ...{ unread: 20, calm: sized(30, 100), idle: 400, openFiles: 400, tries: sized(1, 3), slow: 40 },
  ...{ calls: sized(20, 400), floodRounds: 0 },
}

type Row = [name: StrangersAttempt, title: string, atLeast?: Record<string, number>]

/** What strangers may not reach, and of what at least so much is tried. */
const beside: Row[] = [
  ['development', 'a provider that strangers reach is never as open as in development', { requests: 71 }],
  ['sockets', 'bytes that are hardly HTTP get no answer of ours that blames us'],
  [
    'tenants',
    "no token opens another shop's order, and every wrong one is answered alike",
    { pairs: sized(201, 601) },
  ],
  [
    'addresses',
    'no writing of an address and no name server leads where nobody may call',
    { urls: 301, dns_tricks: 20 },
  ],
  [
    'canaries',
    'nothing of a message is found in logs, answers or the store, whatever fails',
    { canaries: 3001 },
  ],
  [
    'audit',
    'every change has its entry in the audit trail, every entry its change, and none a secret',
    { changes: 17, refused: 12, canaries: 21 },
  ],
  [
    'rest',
    'a copy of the store opens nothing, and what is written into it moves no secret',
    { values: 51, moved: 16 },
  ],
  [
    'developer',
    'websites in the browser of a developer drive no sandbox, and no answer steers a terminal',
    { calls: 80, printed: 501 },
  ],
  ['pages', 'a hosted page takes its own forms only, once, and leads to the stored address'],
  [
    'page_content',
    'no policy, origin or brand lets scripts and strangers into a page',
    { policies: 16, refused: 170 },
  ],
  ['returns', 'a forged return, a guessed address and a page that is over pay nothing', { requests: 45 }],
  ['guesses', 'guessed tokens leave the store to the shops'],
  [
    'visitors',
    'calls of shops come before visits, health checks and large carts of others',
    { requests: 6 * sizes.crowd + 1 },
  ],
  [
    'inputs',
    'hostile inputs get an answer that blames them, and change nothing of the process',
    // Some of them are fine, and most are not.
    { inputs: sizes.inputs, 201: sizes.inputs / 40 + 1, 422: sizes.inputs / 4 + 1 },
  ],
  ['unread', 'sockets that ask again and again and read nothing are cut'],
  ['idle', 'idle sockets lock nobody out'],
  ['slow', 'sockets that never come to an end are closed'],
]
const signatures: Row = [
  'signatures',
  'a webhook that is signed verifies by its specification, also while secrets are changed',
  { webhooks: 8 },
]

async function look([name, , atLeast = {}]: Row): Promise<void> {
  const { violations, ...report } = await attempts[name](sizes, 1)
  // Where many attacks run side by side, time says nothing.
  expect(violations.filter((one) => !one.includes('held up'))).toEqual([])
  const counts: Record<string, unknown> = { ...report, ...('statuses' in report && report.statuses) }
  for (const [what, number] of Object.entries(atLeast))
    expect(counts[what], what).toBeGreaterThanOrEqual(number)
}

describe.concurrent('strangers', () => {
  test.each(beside)('%s: %s', (...row) => look(row))
})
// Alone: it waits for answers.
test(signatures[1], () => look(signatures))
