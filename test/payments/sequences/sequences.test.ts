import { describe, expect, test } from 'vitest'
import { all, orderly, services } from './all.ts'
import { everyOrder, ledgersOf, sampledOrders } from './orders.ts'
import { expectedOf, outcomeOf } from './outcome.ts'
import { opened, play } from './play.ts'

describe('what payment services report, in the order of their documentation', () => {
  test.each(all)('%s', (_name, sequence) => {
    expect(outcomeOf(sequence)).toEqual(expectedOf(sequence))
  })
})

describe('every order of the same reports, each of them twice, comes to the same money and the same status', () => {
  test.each(orderly)('%s', (_name, sequence) => {
    const start = opened(sequence)
    const reports = sequence.steps.filter((step) => 'report' in step)
    const orders = reports.length <= 7 ? everyOrder : sampledOrders
    const ends = new Set<string>()
    orders(start, reports, (payment) => ends.add(JSON.stringify([payment.status, ledgersOf(payment)])))
    const { payment } = play(sequence)
    // The clock may have ended one that nobody reported on: it moves no money.
    const status = payment.status === 'paid' ? 'paid' : expect.not.stringMatching('paid')
    expect([...ends].map((end) => JSON.parse(end))).toEqual([[status, ledgersOf(payment)]])
  })
})

test('at least 60 sequences of ten services, each with its source', () => {
  expect(all.length).toBeGreaterThanOrEqual(60)
  expect(Object.keys(services).length).toBeGreaterThanOrEqual(10)
  for (const [name, { source }] of all) {
    expect(source, name).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/^https:\/\//)])
  }
})
