import { open } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { factFiles } from '../../../src/rates/files/product-facts.ts'
import { folderWith } from '../../folder.ts'

async function read(text: string) {
  const file = `${folderWith({ 'products.csv': text })}/products.csv`
  const handle = await open(file)
  return factFiles.read(handle, file).finally(() => handle.close())
}

test('reads the facts of each product by its article code', async () => {
  const facts = await read(
    'article_code,dangerous,cold,letterbox\nBAT-1,1,,\n ICE-1 ,0,true,\nCARD,,,TRUE\nMUG,,,\n',
  )
  const known = { 'BAT-1': ['dangerous'], 'ICE-1': ['cold'], CARD: ['letterbox'], MUG: [] }
  expect(Object.fromEntries(facts)).toEqual(known)
  expect(factFiles.sizeOf(facts)).toBe(4)
})

test('columns in any order, with semicolons, and some of the facts', async () => {
  const facts = await read('﻿cold;Article_Code\n1;"ICE;1"\n')
  expect([...facts]).toEqual([['ICE;1', ['cold']]])
})

test.each([
  [
    'article_code,dangerous\nB,yes\n',
    'products.csv:2 dangerous: is neither true nor false: write true, false',
  ],
  ['article_code,dangerus\nBAT-1,1\n', 'products.csv:1 dangerus: is not a fact: did you mean dangerous?'],
  ['article_code,cold,cold\nBAT-1,1,1\n', 'products.csv:1 cold: appears twice: remove one'],
  ['cold\n1\n', 'products.csv:1 article_code: is missing: add a column'],
  ['article_code,cold\nA,1\nB,0\nA,0\n', 'products.csv:4 article_code: is also that of line 2'],
  ['article_code,cold\n,1\n', 'products.csv:2 article_code: is empty'],
  [`article_code,cold\n${'A'.repeat(257)},1\n`, 'products.csv:2 article_code: has over 256 characters'],
  ['article_code,cold\r\n"A\r\nB",1\r\nC,yes\r\n', 'products.csv:4 cold: is neither'],
  ['article_code,cold\nA,1,1\n', 'products.csv:2 line: has 3 cells and the header 2'],
  ['article_code,cold\n"A,1\n', 'line: is not CSV'],
  ['', 'products.csv:1 file: is empty: write a header such as article_code,dangerous,cold,letterbox'],
])('%j is refused with line and column', async (text, message) => {
  await expect(read(text)).rejects.toMatchObject({ code: 'PRODUCT_FACTS_INVALID' })
  await expect(read(text)).rejects.toThrow(message)
})

test('a file of something else is not repeated, and twenty faults are named', async () => {
  const other = await read('root:x:0:0,hunter2\nsecret\n').catch((error: Error) => error.message)
  expect(other).toContain('is not a file of product facts')
  expect(other).not.toMatch(/root|hunter2|secret/)
  const lines = Array.from({ length: 30 }, (_, at) => `A${at},perhaps`)
  const error = (await read(`article_code,cold\n${lines.join('\n')}\n`).catch((one: Error) => one)) as Error
  expect(error.message.split('\n')).toHaveLength(22)
  expect(error.message).toMatch(/and 10 more$/)
  expect(error.message).not.toContain('perhaps')
})
