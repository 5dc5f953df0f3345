import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { endTogether } from '../../src/http/end-together.ts'

const turn = () => new Promise(setImmediate)

test('answers of one turn leave at its end, in their order, and 32 of them at once', async () => {
  const ended: string[] = []
  const res = { end: (text: string) => ended.push(text) } as unknown as ServerResponse
  for (let number = 1; number <= 31; number++) endTogether(res, String(number))
  await Promise.resolve()
  expect(ended).toEqual([])
  endTogether(res, '32')
  expect(ended).toEqual(Array.from({ length: 32 }, (_, place) => String(place + 1)))
  endTogether(res, '33')
  expect(ended).toHaveLength(32)
  await turn()
  expect(ended.slice(32)).toEqual(['33'])
})

test('an answer that cannot end is cut, and the others go on', async () => {
  const ended: string[] = []
  const error = new Error('ended before')
  let cutBy: unknown
  const broken = {
    end() {
      throw error
    },
    destroy(reason: unknown) {
      cutBy = reason
    },
  } as unknown as ServerResponse
  endTogether(broken, 'lost')
  endTogether({ end: (text: string) => ended.push(text) } as unknown as ServerResponse, 'sound')
  await turn()
  expect(cutBy).toBe(error)
  expect(ended).toEqual(['sound'])
})
