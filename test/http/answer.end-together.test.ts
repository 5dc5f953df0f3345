import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { AnswersTogether } from '../../src/http/answer.ts'

const turn = () => new Promise(setImmediate)

function answers() {
  const ended: string[] = []
  const res = { writableEnded: false, end: (text: string) => ended.push(text) } as unknown as ServerResponse
  return { ended, res, ...new AnswersTogether() }
}

test('answers of one turn leave at its end, in their order, and 32 of them at once', async () => {
  const { ended, res, end } = answers()
  for (let number = 1; number <= 31; number++) end(res, String(number))
  await Promise.resolve()
  expect(ended).toEqual([])
  end(res, '32')
  expect(ended).toEqual(Array.from({ length: 32 }, (_, place) => String(place + 1)))
  end(res, '33')
  expect(ended).toHaveLength(32)
  await turn()
  expect(ended.slice(32)).toEqual(['33'])
})

test('an answer that has ended meanwhile is left alone, and the others go on', async () => {
  const { ended, res, end } = answers()
  end({ ...res, writableEnded: true } as ServerResponse, 'cut')
  end(res, 'sound')
  await turn()
  expect(ended).toEqual(['sound'])
})
