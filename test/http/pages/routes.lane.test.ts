import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../folder.ts'
import { listening } from '../../listening.ts'
import { lastingStore } from '../../production-store.ts'
import { payment } from '../messages.ts'
import { paymentUrl } from '../post.ts'
import { codePayments } from './provider.ts'

const pixels = Buffer.from('R0lGODlhEAAQAIAAAAAAAP///ywAAAAAEAAQAAACDoSPqcvtD6OctNqLsz4FADs=', 'base64')

test('files of pages do not wait behind guessed tokens', async () => {
  const folder = folderWith({ 'pay.js': 'void 0' })
  const logo = join(folderWith(), 'logo.gif')
  writeFileSync(logo, pixels)
  const store = lastingStore()
  const { attemptByPage } = store
  let free = () => {}
  let blocked: Promise<void> | undefined
  store.attemptByPage = async (hash) => {
    await blocked
    return attemptByPage(hash)
  }
  const adapters = { ...codePayments, page: { ...codePayments.page!, assets: folder } }
  const { endpoint } = await listening({ store, payments: { adapters, brand: { logo } } })
  const url = await paymentUrl(endpoint, payment({ method: 'code' }))
  const text = await (await fetch(url)).text()
  const [script = '', image = ''] = [/script src="([^"]+)"/, /img src="([^"]+)"/].map(
    (one) => one.exec(text)![1],
  )
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
