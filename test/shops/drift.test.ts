import { expect, test } from 'vitest'
import { DriftNotes } from '../../src/shops/drift.ts'

const body = { order: { id: 7, number: '7', price_incl: '5', currency: 'eur', colour: 'red' } }
const note = (notes: DriftNotes, now: number, shopId = 'bikes') =>
  notes.note(shopId, 'payment', { body, outcome: 'read', now })

test('the first messages are compared, then every 64th, each shop by itself', () => {
  const notes = new DriftNotes()
  for (let now = 0; now < 136; now++) note(notes, now)
  note(notes, 140, 'boats')
  expect(notes.take()).toEqual([
    {
      ...{ shopId: 'bikes', message: 'payment', path: 'order.colour', kind: 'text', became: 'ignored' },
      ...{ count: 22, firstAt: 0, lastAt: 128 },
    },
    expect.objectContaining({ shopId: 'boats', count: 1, firstAt: 140, lastAt: 140 }),
  ])
  expect(notes.take()).toEqual([])
})

test('a known field in another form says what became of it', () => {
  const notes = new DriftNotes()
  const odd = {
    order: { ...body.order, colour: undefined, id: { nested: true } },
    customer: { gender: 1, sameaddress: 'ja' },
  }
  notes.note('bikes', 'payment', { body: odd, outcome: 'refused', now: 1 })
  expect(notes.take()).toMatchObject([
    { path: 'order.id', kind: 'object', became: 'refused' },
    { path: 'customer.gender', kind: 'number', became: 'lost' },
    { path: 'customer.sameaddress', kind: 'text', became: 'refused' },
  ])
  // No adapter of this shop declares the fields of the customer.
  notes.note('boats', 'payment', { body: { customer: odd.customer }, outcome: 'read', now: 1 })
  expect(notes.take().map(({ became }) => became)).toEqual(['lost', 'lost'])
})
