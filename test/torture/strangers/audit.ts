import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { lineOf } from '../../../src/cli/shop/log.ts'
import { price, type RateAdapter, z } from '../../../src/index.ts'
import { payment } from '../../http/messages.ts'
import { temporaryFolder } from '../../temporary.ts'
import { openTarget, pathOf, postOf, type Target } from './target.ts'

/** One change of a shop, and the actions that the trail must list for it. `first`: others build on it, or it changes nothing by itself. */
type Change = [name: string, actions: string[], make: () => Promise<unknown>, first?: 'first']

const rates: RateAdapter<never> = {
  name: 'table',
  needs: [],
  settings: z.object({ account: z.string(), keys: z.record(z.string(), z.string()) }),
  quote: () => [{ id: 'door', title: 'Door', ...price({ excl: '5', taxRate: '0.21', currency: 'eur' }) }],
}

/**
 * Changes everything of a shop that can be changed, and looks into the tables after each: what has changed has its entry, what was refused
 * has none, and no entry holds a secret. Then entries cannot be written any more, and no change may be there either.
 */
export async function tryAudit() {
  using folder = temporaryFolder()
  const file = folder.at('audit.db')
  await using target = await openTarget({ file, rates })
  const tables = new DatabaseSync(file, { readOnly: true, timeout: 1000 })
  const violations: string[] = []
  const canaries: string[] = []
  const canary = () => {
    canaries.push(`Canary${canaries.length}x`)
    return canaries.at(-1)!
  }
  const look = () => ({ state: stateOf(tables), trail: trailOf(tables) })

  await target.provider.shops.add('default', { by: 'alice' })
  const { ours, refused } = attemptsOf(target, canary, canaries)
  for (const [name, actions, make] of ours) {
    const before = look()
    await make().catch((error: unknown) => violations.push(`${name} failed: ${error}`))
    const after = look()
    const added = after.trail.slice(before.trail.length).map(({ action }) => action)
    if (`${added}` !== `${actions}`) violations.push(`${name} has the entries [${added}], not [${actions}]`)
    if (after.state === before.state) violations.push(`${name} has an entry and changed nothing`)
  }
  for (const [name, make] of refused) {
    const before = JSON.stringify(look())
    await make().catch(() => {})
    if (JSON.stringify(look()) !== before) violations.push(`${name} was refused, and left something`)
  }

  const trail = JSON.stringify(trailOf(tables))
  const printed = (await target.provider.shops.log('one', { limit: 1000 })).map(lineOf).join('\n')
  for (const secret of canaries) {
    if (trail.includes(secret)) violations.push(`the trail holds ${secret}`)
    if (printed.includes(secret)) violations.push(`the log of the shop prints ${secret}`)
  }

  const others = attemptsOf(target, canary, canaries, 'two').ours
  for (const [, , make, first] of others) if (first) await make()
  const writer = new DatabaseSync(file)
  writer.exec("create trigger refused before insert on audit begin select raise(abort, 'refused'); end")
  writer.close()
  for (const [name, , make, first] of others) {
    if (first) continue
    const before = JSON.stringify(look())
    const failed = await make().then(
      () => false,
      () => true,
    )
    if (!failed) violations.push(`${name} was acknowledged without its entry`)
    if (JSON.stringify(look()) !== before) violations.push(`${name} is there without its entry`)
  }
  tables.close()
  return { changes: ours.length, refused: refused.length, canaries: canaries.length, violations }
}

function attemptsOf({ provider, call, store }: Target, canary: () => string, secrets: string[], id = 'one') {
  const { shops } = provider
  const by = 'alice'
  let endpoint = ''
  const settings = () => ({
    units: { weight: 'g' },
    adapters: { table: { account: canary(), keys: { [canary()]: canary() } } },
  })
  const keys = () => ({
    baseUrl: `https://${canary().toLowerCase()}.example`,
    language: 'nl',
    key: canary(),
    secret: canary(),
  })
  const reveal = async () => {
    const { endpoints, pushAddresses = [] } = await shops.show(id, { reveal: true })
    for (const { url = '' } of [...endpoints, ...pushAddresses]) secrets.push(url.split('/').at(-1)!)
  }
  const showSecrets = async () => {
    const { webhookSecrets = [] } = await shops.show(id, { webhookSecret: true })
    secrets.push(...webhookSecrets.map(({ secret }) => secret))
  }
  const start = async () => {
    const request = postOf(`${endpoint}/payment`, {
      ...payment({ id: 1, method: 'page:page' }),
      shop: { id: 7 },
      redirect_url: `https://shop.example/${canary()}`,
      webhook_url: `https://shop.example/${canary()}`,
    })
    let answer = await call(request)
    // As a platform does with a provider that is busy: other attacks run beside this.
    for (let tries = 0; tries < 5 && [429, 503, 504].includes(answer.status); tries++) {
      await sleep(1_000)
      answer = await call(request)
    }
    if (answer.status !== 201) throw new Error(`it is answered ${answer.status}: ${answer.body}`)
    secrets.push(JSON.parse(answer.body).payment_url.split('/').at(-1))
  }
  const add = async () => {
    endpoint = pathOf((await shops.add(id, { settings: settings(), by })).endpoint)
    secrets.push(endpoint.split('/').at(-1)!)
  }
  const rotateSecret = async () => {
    secrets.push((await shops.rotateWebhookSecret(id, { by })).secret)
  }
  const closeAnomaly = async () => {
    const [opened] = await store.anomalies({ shopId: id, limit: 1 })
    return store.closeAnomaly(opened!.id, canary(), 0, by)
  }
  const money = { amount: '29.34', currency: 'eur' }
  const report = (status: string, who?: { by: string }) =>
    provider.payments.report({ orderId: 1, shop: id }, { status, ...money, detail: canary() } as never, who)
  const hosts = { remove: ['shop.example'], add: ['a.example'], confirm: true }
  const ours: Change[] = [
    ['adding a shop', ['shop.added'], add, 'first'],
    ['a first payment', ['platform.bound', 'hosts.added'], start, 'first'],
    ['making push addresses', ['push_address.added'], reveal],
    ['settings', ['settings.saved'], () => shops.saveSettings(id, settings(), { by })],
    ['credentials', ['settings.saved'], () => shops.connect(id, keys(), { by })],
    ['making a webhook secret', ['webhook_secret.added'], showSecrets],
    ['rotating the webhook secret', ['webhook_secret.rotated'], rotateSecret],
    ['rotating', ['endpoint.rotated'], () => shops.rotate(id, { by })],
    [
      'changing hosts',
      ['hosts.removed', 'hosts.added', 'hosts.confirmed'],
      () => shops.changeHosts(id, hosts, { by }),
    ],
    ['unbinding', ['platform.unbound'], () => shops.bind(id, null, { by })],
    ['binding', ['platform.bound'], () => shops.bind(id, '8', { by })],
    ['disabling', ['shop.disabled'], () => shops.disable(id, { by })],
    ['enabling', ['shop.enabled'], () => shops.enable(id), 'first'],
    ['a report of the system', [], () => report('cancelled'), 'first'],
    ['a report by hand', ['payment.reported'], () => report('paid', { by }), 'first'],
    ['closing an anomaly', ['anomaly.closed'], closeAnomaly],
    ['sending a webhook again', ['webhook.replayed'], () => store.replayWebhook(id, '1', 0, by)],
    ['erasing', ['payment.erased'], () => shops.erase(id, '1', { by, force: true })],
    ['removing', ['shop.removed'], () => shops.remove(id, { by })],
  ]
  const nobody = `no-${id}`
  const none = { sealed: 'x', changed: [], version: 0 }
  const refused: [name: string, make: () => Promise<unknown>][] = [
    ['a shop with wrong settings', () => shops.add('x', { settings: { units: canary() }, by })],
    ['a shop that is there', () => shops.add('default', { hosts: ['x.example'], by })],
    ['wrong settings', () => shops.saveSettings('default', { units: canary() }, { by })],
    ['a shop that is not there', () => shops.disable(nobody, { by })],
    ['settings of no shop', () => store.saveSettings(nobody, none, 0, by)],
    ['removing no shop', () => store.removeShop(nobody, 0, by)],
    ['erasing no order', () => store.erasePayment('default', '9', 0, by)],
    ['sending no webhook', () => store.replayWebhook('default', '9', 0, by)],
    ['binding to nothing', () => shops.bind('default', null, { by })],
    ['enabling what is enabled', () => shops.enable('default', { by })],
    ['hosts that are not there', () => shops.changeHosts('default', { remove: ['x.example'] }, { by })],
    ['somebody without a name', () => shops.rotate('default', { by: ' ' })],
  ]
  return { ours, refused }
}

/** All rows of all tables but the trail. */
function stateOf(database: DatabaseSync): string {
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not in ('audit') order by name")
    .all() as { name: string }[]
  return JSON.stringify(tables.map(({ name }) => database.prepare(`select * from "${name}"`).all()))
}

const trailOf = (database: DatabaseSync) =>
  database.prepare('select * from audit order by id').all() as { action: string }[]
