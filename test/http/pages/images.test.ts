import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PageImages } from '../../../src/http/pages/images.ts'
import { createProvider, memoryStore } from '../../../src/index.ts'
import type { StorePort } from '../../../src/store-port.ts'
import type { World } from '../../../src/world.ts'
import { folderWith } from '../../folder.ts'
import { png } from './png.ts'

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" onload="alert(1)"/>')
const url = 'https://bikes.example/logo.png'

async function images(answer: (url: string) => Response | Promise<Response>) {
  const store = memoryStore() as StorePort
  await store.open()
  onTestFinished(() => store.close())
  const asked: string[] = []
  const clock = { now: 1_000 }
  const fetch = async (input: string) => {
    asked.push(input)
    return answer(input)
  }
  const log = { warn() {}, error() {}, info() {}, debug() {} }
  const world = { now: () => clock.now, log, outgoing: { fetch } } as unknown as World
  const again = () => new PageImages(world, store)
  return { images: again(), again, asked, clock, store }
}
const picture = (content: Buffer, init?: ResponseInit) => new Response(content as never, init)

test('a logo is fetched once, measured and served by us, on every node and after a restart', async () => {
  const { images: one, again, asked } = await images(() => picture(png(120, 40)))
  expect(await one.fetch(url, '')).toBeUndefined()
  const shown = await again().shown(url, '')
  expect(shown).toMatchObject({ width: 120, height: 40, name: expect.stringMatching(/^[\da-f]{32}\.png$/) })
  const file = await again().file(shown!.name)
  expect([file?.type, file?.content.equals(png(120, 40))]).toEqual(['image/png', true])
  expect(asked).toEqual([url])
})

const typed = { headers: { 'content-type': 'image/png' } }
const redirect = { status: 302, headers: { location: 'http://10.0.0.1' } }
test.each<[string, () => Response, RegExp]>([
  ['a drawing with a script', () => picture(svg, typed), /not a PNG, JPEG, WebP or GIF/],
  ['a page', () => new Response('<html>'), /not a PNG/],
  ['nothing', () => new Response(''), /not a PNG/],
  ['half an image', () => picture(png(64, 64).subarray(0, 12)), /not a PNG/],
  ['one that is not there', () => new Response('', { status: 404 }), /is not there: its host answered 404/],
  ['a redirect', () => new Response('', redirect), /answered 302/],
  ['one too large', () => picture(Buffer.alloc(200_000)), /larger than 128 KiB/],
  ['too many pixels', () => picture(png(4_000, 20)), /4000 x 20 pixels/],
  ['a single pixel', () => picture(png(1, 1)), /1 x 1 pixels/],
])('%s is refused', async (_name, answer, words) => {
  const { images: one } = await images(answer)
  expect(await one.fetch(url, '')).toMatch(words)
  expect(await one.shown(url, '')).toBeUndefined()
})

test('a host that does not answer is a fault, and a page never waits for it', async () => {
  const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
  const { images: one, asked } = await images(() => Promise.reject(refused))
  expect(await one.fetch(url, '')).toBe('cannot be fetched: ECONNREFUSED')
  expect(await one.shown(url, '')).toBeUndefined()
  expect(await one.shown(url, '')).toBeUndefined()
  await new Promise(setImmediate)
  // Once when it was saved, once beside a page: then not before ten minutes.
  expect(asked).toHaveLength(2)
})

test('an image that another process saves is shown within a minute', async () => {
  let logo = png(120, 40)
  const { images: one, again, clock } = await images(() => picture(logo))
  await one.fetch(url, '')
  expect(await one.shown(url, '')).toMatchObject({ width: 120 })
  logo = png(200, 50)
  await again().fetch(url, '')
  expect(await one.shown(url, '')).toMatchObject({ width: 120 })
  clock.now += 60_000
  expect(await one.shown(url, '')).toMatchObject({ width: 200 })
})

test('an image that is not there yet, or that is served, is not read from the store at each visit', async () => {
  const { images: one, again, store } = await images(() => new Response('', { status: 404 }))
  let reads = 0
  const { image } = store
  store.image = (by) => {
    reads++
    return image.call(store, by)
  }
  await one.shown(url, '')
  await one.shown(url, '')
  expect(reads).toBe(1)
  const { images: other } = await images(() => picture(png(64, 64)))
  await other.fetch(url, '')
  const { name } = (await other.shown(url, ''))!
  expect([again().holds(name), other.holds(name)]).toEqual([false, false])
  await other.file(name)
  expect(other.holds(name)).toBe(true)
})

test('a file of the provider is read when it starts, and one that is none stops it', () => {
  const folder = folderWith()
  const payments = { name: 'psp', methods: () => [], start: () => ({ later: true as const }) }
  const made = (logo: string) => () =>
    createProvider({ store: memoryStore(), payments: { adapters: payments, brand: { logo } } })
  writeFileSync(join(folder, 'logo.png'), png(64, 64))
  expect(made(join(folder, 'logo.png'))).not.toThrow()
  writeFileSync(join(folder, 'logo.svg'), svg)
  const [missing, here] = [join(folder, 'missing.png'), `${process.cwd()}, the working directory`]
  for (const [logo, words] of [
    [join(folder, 'logo.svg'), 'payments.brand.logo is not a PNG, JPEG, WebP or GIF image'],
    [missing, `payments.brand.logo names ${missing}, which is not there: check the path`],
    ['none.png', `names ${resolve('none.png')}, which is not there: paths begin at ${here}`],
    [join(folder, 'logo.pgn'), 'which is not there: did you mean logo.png?'],
    [folder, `names ${folder}, which is a folder: name a file`],
  ] as const)
    expect(made(logo)).toThrow(words)
})

test('the images of a shop are its own: a save replaces them, and they leave with the shop', async () => {
  const { images: one, again, store, clock } = await images(() => picture(png(64, 64)))
  const other = 'https://bikes.example/new.png'
  await one.fetch(url, 'bikes')
  await one.fetch(url, 'boats')
  await one.fetch(other, 'bikes')
  expect(await store.image({ shopId: '', source: url })).toBeUndefined()
  await store.dropImagesBut('bikes', other, undefined)
  clock.now += 60_000
  expect(await store.image({ shopId: 'bikes', source: url })).toBeUndefined()
  expect(await store.image({ shopId: 'bikes', source: other })).toMatchObject({ shopId: 'bikes', width: 64 })
  expect(await again().shown(url, 'boats')).toMatchObject({ width: 64 })
  await store.ensureShop('boats', { tokenHash: 'h', sealedToken: 'sealed', now: 1_000 })
  await store.removeShop('boats', 1_000)
  expect(await store.image({ shopId: 'boats', source: url })).toBeUndefined()
})
