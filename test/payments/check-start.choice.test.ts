import { expect, test } from 'vitest'
import { chosenMethod, wireMethodId } from '../../src/payments/check-start.ts'

const one = [{ name: 'psp' }]
const two = [{ name: 'psp' }, { name: 'bank' }]

test('an id on the wire carries its adapter, with one adapter too', () => {
  expect(wireMethodId('psp', 'card')).toBe('psp:card')
})

test.each<[string, typeof one, { method?: string; id?: string }, string | undefined]>([
  ['the live form: the service and the choice', one, { id: '4711', method: 'psp:card' }, 'psp card'],
  ['the choice in both', one, { id: 'psp:card', method: 'psp:card' }, 'psp card'],
  [
    'the choice in the id, a title in the method',
    two,
    { id: 'bank:transfer', method: 'Transfer' },
    'bank transfer',
  ],
  [
    'both carry an adapter: the method counts',
    two,
    { id: 'psp:card', method: 'bank:transfer' },
    'bank transfer',
  ],
  ['the service by its own name', two, { id: 'psp', method: 'psp:ideal' }, 'psp ideal'],
  ['an id with a colon of its own', one, { method: 'psp:card:visa' }, 'psp card:visa'],
  ['no adapter in front, and there is one alone', one, { id: '4711', method: 'card' }, 'psp card'],
  ['only an id, and there is one adapter alone', one, { id: 'card' }, 'psp card'],
  ['an adapter and nothing behind it', two, { id: 'psp:card', method: 'bank:' }, 'psp card'],
  ['no adapter in front, and there are two', two, { id: '4711', method: 'card' }, undefined],
  ['an adapter of somebody else', two, { method: 'other:card' }, undefined],
  ['nothing', one, {}, undefined],
  ['no adapters', [], { method: 'psp:card' }, undefined],
])('%s', (_what, adapters, chosen, expected) => {
  const { adapter, methodId } = chosenMethod(adapters, chosen) ?? {}
  expect(adapter && `${adapter} ${methodId}`).toBe(expected)
})
