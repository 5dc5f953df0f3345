import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryStore } from '../../../src/index.ts'
import type { StorePort } from '../../../src/store-port.ts'
import { folderWith } from '../../folder.ts'
import { listening } from '../../listening.ts'
import { payment } from '../messages.ts'
import { paymentUrl } from '../post.ts'
import { codePayments } from './provider.ts'

const pixels = Buffer.from('R0lGODlhEAAQAIAAAAAAAP///ywAAAAAEAAQAAACDoSPqcvtD6OctNqLsz4FADs=', 'base64')

test('files of pages do not wait behind guessed tokens', async () => {
  const folder = folderWith({ 'pay.js': 'void 0' })
  const logo = join(folderWith(), 'logo.gif')
  writeFileSync(logo, pixels)
  const inner = memoryStore() as StorePort
  let free = () => {}
  let blocked: Promise<void> | undefined
  const store = {
    ...inner,
    volatile: false,
    attemptByPage: async (hash: string) => {
      await blocked
      return inner.attemptByPage(hash)
    },
  } as StorePort
  const { endpoint } = await listening({
    store,
    payments: {
      adapters: { ...codePayments, page: { ...codePayments.page!, assets: folder } },
      brand: { logo },
    },
  })
  const url = await paymentUrl(endpoint, payment({ method: 'code' }))
  const text = await (await fetch(url)).text()
  const script = /script src="([^"]+)"/.exec(text)![1]!
  const image = /img src="([^"]+)"/.exec(text)![1]!
  blocked = new Promise((resolve) => (free = resolve))
  const guesses = Array.from({ length: 8 }, (_, at) => fetch(`${url.slice(0, -1)}${'ABCDEFGH'[at]}0`))
  // A file of no such name waits like a token of no such page.
  const unknown = fetch(script.replace('pay.', 'other.'))
  expect((await fetch(script)).status).toBe(200)
  expect((await fetch(image)).status).toBe(200)
  free()
  await Promise.all(guesses)
  expect((await unknown).status).toBe(404)
})
