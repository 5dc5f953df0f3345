import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { checkout } from '../../http/messages.ts'
import { postJson } from '../../http/post.ts'
import { commandsIn, folderWith, saying, serving } from '../command.ts'

const shops = ['red', 'blue', 'green']

const source = `import { existsSync } from 'node:fs'
import { createProvider, price } from 'purveyor'

const method = { id: 'door', title: 'Door', ...price({ excl: '5.00', taxRate: '0.21', currency: 'eur' }) }
const quote = async () => {
  if (existsSync('slow')) await new Promise((resolve) => setTimeout(resolve, 1_050))
  if (existsSync('down')) throw Object.assign(new Error('words of the carrier'), { name: 'CourierDown' })
  return [method]
}

export default createProvider({ rates: { name: 'courier', quote } })
`

/** A provider of three shops that runs, with a carrier that fails while there is a file `down`. */
async function servingShops() {
  const cwd = folderWith({ 'provider.ts': source, 'shops.csv': `shop\n${shops.join('\n')}\n`, down: '' })
  const run = commandsIn(cwd)
  await run('db migrate')
  const imported = await run.json('shop import shops.csv --show-endpoint')
  const endpoints = imported.shops as { endpoint: string }[]
  const { ready, child, ended } = serving(cwd)
  const { url } = await ready
  /** The methods at the shop's checkout. */
  const quote = async (shop: string): Promise<number> => {
    const at = shops.indexOf(shop)
    const body = { ...checkout, shop: { ...checkout.shop, id: 10 + at } }
    const { pathname } = new URL(endpoints[at]!.endpoint)
    const answer = await postJson(`${url}${pathname}/shipment_methods`, body)
    const { shipment_methods: methods } = (await answer.json()) as { shipment_methods: unknown[] }
    return methods.length
  }
  const lanes = () => run.json('lanes list --kind rates')
  const metrics = async () => (await fetch(`${url}/metrics`)).text()
  return { cwd, run, quote, lanes, metrics, child, ended }
}

// Side by side: both wait for what a node does every five seconds.
test.concurrent('a carrier that is down is one lane for all shops, seen from another process with why and until when, and opened there', async ({
  expect,
}) => {
  const { cwd, run, quote, lanes, metrics, child, ended } = await servingShops()
  expect(await lanes()).toEqual([])
  const begun = Date.now()
  for (const shop of [...shops, ...shops, ...shops]) expect(await quote(shop)).toBe(0)
  const ofAll = { kind: 'rates', shop: '@all', to: 'courier', state: 'closed', nodes: 1 }
  await expect.poll(lanes).toMatchObject([{ ...ofAll, lastFailure: 'CourierDown', waiting: 0 }])
  const [lane] = await lanes()
  expect(lane.since).toBeGreaterThanOrEqual(begun)
  expect(lane.nextTryAt).toBeGreaterThanOrEqual(lane.since)
  const listed = /^rates +@all +courier +closed .* CourierDown$/m
  expect(await run.out('lanes list --shop red')).toMatch(listed)
  expect(await metrics()).toContain('purveyor_rate_breakers_open{adapter="courier",scope="all"} 1')
  for (const code of ['CARRIER_DOWN', 'PurveyorCarrierDown']) {
    const page = await run.out('explain', code)
    expect(page).toContain('purveyor lanes list --kind rates')
    expect(page).toContain('purveyor lanes open rates @all')
  }
  const shown = await run.out('lanes show rates @all courier')
  expect(shown).toContain('Lane of rates of all shops from courier: closed')
  expect(shown).toContain('purveyor lanes open rates @all courier')
  expect(shown).not.toContain('words of the carrier')

  const refused = saying(2, 'purveyor lanes list')
  expect(await run('lanes open rates red courier')).toMatchObject(refused)
  rmSync(join(cwd, 'down'))
  const opened = await run('lanes open rates @all courier')
  expect(opened.out).toBe(
    '1 process will ask courier again within 5 s, even if it asked for a longer wait. If it still fails, the lane closes again.',
  )
  expect(await lanes()).toEqual([])
  await expect.poll(metrics).toContain('{adapter="courier",scope="all"} 0')
  for (const shop of shops) expect(await quote(shop)).toBe(1)

  // A new failure is listed again, and is gone with the process.
  writeFileSync(join(cwd, 'down'), '')
  for (let time = 0; time < 5; time++) await quote('red')
  await expect.poll(lanes).toMatchObject([{ shop: 'red', to: 'courier' }])
  child.kill('SIGTERM')
  await ended
  expect(await lanes()).toEqual([])
  // The outages stay visible.
  const past = await run.out('lanes list --kind rates')
  expect(past).toMatch(
    /^Ended since .*:\n.* to \S+ \S+, rates of shop red from courier, CourierDown: purveyor lanes show rates red courier$/m,
  )
  expect(past).toMatch(
    /, rates of all shops from courier, CourierDown: purveyor lanes show rates @all courier$/m,
  )
})

test.concurrent('a carrier that is slow is shown while it is, and as an outage afterwards', async ({
  expect,
}) => {
  const { cwd, run, quote, lanes } = await servingShops()
  rmSync(join(cwd, 'down'))
  writeFileSync(join(cwd, 'slow'), '')
  const all = await Promise.all(Array.from({ length: 12 }, (_, time) => quote(shops[time % 3]!)))
  expect(all).toEqual(all.map(() => 1))
  const slow = { kind: 'rates', shop: '@all', to: 'courier', state: 'slow', nodes: 1, outages: [] }
  await expect.poll(lanes).toMatchObject([slow])
  const shown = await run.out('lanes show rates @all courier')
  expect(shown).toMatch(/^ {2}failed {4}last: answered after 1\.\d s$/m)
  expect(shown).not.toContain('purveyor lanes open')
  expect((await run('lanes open rates @all courier')).code).toBe(2)

  rmSync(join(cwd, 'slow'))
  for (let time = 0; time < 12; time++) expect(await quote('red')).toBe(1)
  await expect.poll(lanes).toEqual([])
  const ended = await run.json('lanes list --kind rates --since 30d')
  const outages = [{ failure: expect.stringMatching(/^answered after/) }]
  expect(ended).toMatchObject([{ to: 'courier', state: 'open', outages }])
  const later = await run.out('lanes show rates @all courier')
  expect(later).toContain('Lane of rates of all shops from courier: open')
  expect(later).toMatch(/^ {2}outage {4}2\S+ \S+ to 2\S+ \S+, last: answered after 1\.\d s$/m)
})
