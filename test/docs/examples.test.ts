import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Command } from '../../src/cli/table.ts'
import { inColumns } from '../../src/cli/terminal/print.ts'
import { hashToken } from '../../src/shops/seal.ts'
import type { StorePort } from '../../src/store-port.ts'
import { atEnd } from '../at-end.ts'
import { commandsIn, folderWith, inStore, platformOf, purveyor, running } from '../cli/command.ts'
import { loadCommands } from '../cli/command-names.ts'
import { end, repository } from '../journey/project.ts'
import { openShop } from '../platform/sandbox.ts'
import { again, failed, open, paid, redirect } from '../stores/cases/store-case.ts'
import { processOf } from '../stores/process-of.ts'

const halfAnHour = 1_800_000

/** Commands in an order in which each finds what it shows, with what happens between them. */
const story: readonly (string | Happening)[] = [
  'purveyor init my-provider --template rates --yes --no-install',
  'purveyor dev',
  'purveyor sandbox http://127.0.0.1:8080/checkout',
  'purveyor serve --development',
  'purveyor docs which line wins',
  'purveyor explain HOST_NOT_ALLOWED',
  'purveyor openapi --url https://provider.example.org',
  'purveyor completion bash',
  'purveyor rates lint tariff.csv',
  'purveyor rates preview tariff.csv --to nl,be --weights 0.5,5,20',
  'purveyor rates diff tariff.csv 2027.csv',
  'purveyor rates explain --provider table.ts --file request.json',
  'purveyor db migrate',
  'purveyor shop add bikes --host shop.bikes.example --settings bikes.json',
  'purveyor shop import shops.csv',
  'purveyor shop list',
  'purveyor shop show bikes --endpoint',
  'purveyor shop settings bikes --file bikes.json',
  'purveyor shop hosts add bikes pay.bikes.example',
  'purveyor shop hosts list bikes',
  'purveyor shop hosts remove bikes pay.bikes.example',
  'purveyor shop hosts confirm bikes shop.bikes.example',
  'purveyor shop bind bikes --platform-id 4711',
  'purveyor shop rotate cars --overlap 24',
  'purveyor shop disable cars',
  'purveyor shop enable cars',
  'purveyor shop privacy bikes',
  takeOrders,
  'purveyor payments list',
  'purveyor payments find ORD1042',
  'purveyor payments show 1042',
  'purveyor payments ask 1044 --provider psp.ts',
  'purveyor payments explain --provider psp.ts --shop bikes',
  'purveyor payments changes --limit 3',
  'purveyor payments report 1044 paid --amount 29.34 --currency eur --note "found on the bank statement"',
  'purveyor payments refund 1042 --amount 5 --provider psp.ts',
  'purveyor payments capture 1048 --provider psp.ts',
  'purveyor payments export --since 2026-01-01',
  'purveyor payments anomalies',
  'purveyor payments close-anomaly <id> --note "refunded by hand"',
  'purveyor payments close-anomalies --kind start_unknown --note "the service has no such payment"',
  failCarrier,
  'purveyor lanes list',
  'purveyor lanes list --kind rates --since 30d',
  'purveyor lanes show webhook bikes hooks.bikes.example',
  'purveyor lanes open webhook bikes hooks.bikes.example',
  'purveyor webhooks list',
  'purveyor webhooks show 1042',
  'purveyor webhooks replay 1042',
  'purveyor pushes list',
  'purveyor pushes list --outcome unmatched',
  'purveyor pushes show <push>',
  failService,
  'purveyor lanes list --kind starts',
  'purveyor pushes refused',
  serve,
  'purveyor nodes list',
  'purveyor console',
  'purveyor console link --name mila --role support',
  'purveyor console sign-out --name mila',
  'purveyor shop connect bikes',
  'purveyor services register bikes --name Courier --yes',
  'purveyor services list bikes',
  'purveyor services update bikes <service> --name "Courier by bike" --yes',
  'purveyor services disable bikes <service> --yes',
  'purveyor services remove bikes <service> --yes',
  'purveyor charges create bikes --type recurring --title Plus --price 9.95 --callback-url http://127.0.0.1:3000/charged',
  'purveyor charges list bikes',
  'purveyor charges show bikes <charge>',
  'purveyor charges remove bikes <charge> --yes',
  'purveyor check <urlEndpoint> --case payment-start-url',
  'purveyor doctor --shop bikes',
  'purveyor simulate list',
  'purveyor simulate order --status paid',
  'purveyor simulate run paid --record calls',
  'purveyor simulate replay calls',
  'purveyor sandbox switches webhook=refused --url <shop>',
  'purveyor sandbox clock 3h --url <shop>',
  'purveyor shop log bikes --limit 5',
  'purveyor shop drift bikes',
  'purveyor shop erase bikes --order 1043 --force',
  'purveyor shop remove cars',
  'purveyor db prune --dry-run',
  'purveyor db backup copy.db',
  forgetNodes,
  'purveyor db copy --from sqlite:copy.db --to sqlite:new.db',
  'purveyor db release --from sqlite:copy.db --to sqlite:new.db --yes',
]

/** These go on until they are stopped. Each with the last words of its start. */
const goOn: Readonly<Record<string, string>> = {
  'purveyor dev': 'Ctrl+C stops.',
  'purveyor serve --development': '--endpoint',
  'purveyor sandbox http://127.0.0.1:8080/checkout': 'Ctrl+C stops.',
  'purveyor console': '/console/',
}

interface Stage {
  cwd: string
  /** When the story began, in milliseconds since 1970. */
  began: number
  env: Record<string, string>
  /** What stands for a word that a person reads off the output before. */
  words: Record<string, () => Promise<string>>
}
type Happening = (stage: Stage) => Promise<unknown>

/** The payment service of the test adapter: it can be asked, refunds and captures. */
const psp = `import { createProvider } from 'purveyor'

const start = ({ id }) => ({ redirect: 'https://psp.example/' + id, reference: id })
const status = () => ({ status: 'pending' })
const refund = ({ id }, { amount, currency }) => ({ status: 'refunded', amount, currency, event: 're_' + id })
const capture = ({ id }, { amount, currency }) => ({ status: 'paid', amount, currency, event: 'cap_' + id })

export default createProvider({ payments: { name: 'test', methods: () => [], start, status, refund, capture } })
`

async function newStage(): Promise<Stage> {
  const shops = 'shop,hosts\ncars,shop.cars.example\nboats,\n'
  const cwd = folderWith({ 'bikes.json': { units: { weight: 'g' } }, 'psp.ts': psp, 'shops.csv': shops })
  const copy = (from: string, to: string) => cpSync(join(repository, from), join(cwd, to))
  for (const file of ['provider.ts', 'brand.ts', 'logo.png', 'rates.ts', 'payments.ts', 'texts.json'])
    copy(`templates/full/${file}`, file)
  for (const file of ['tariff.csv', 'request.json']) copy(`examples/rates-table/${file}`, file)
  copy('examples/rates-table/provider.ts', 'table.ts')
  const tariff = readFileSync(join(cwd, 'tariff.csv'), 'utf8')
  const next = tariff.replaceAll('5.74', '5.95').replaceAll('6.61', '6.25').replaceAll('|dk', '')
  writeFileSync(join(cwd, '2027.csv'), `${next.trimEnd()}\npoint,At a service point,,,,lu,,0,10,7.20,,1\n`)
  mkdirSync(join(cwd, 'data'))
  const shop = await openShop({}, atEnd)
  // Nothing is sent to a host of the story.
  const env = { ...platformOf(shop.api, 'en'), PURVEYOR_NAME_SERVERS: '127.0.0.1' }
  const began = Date.now()
  const { json } = commandsIn(cwd, env)
  const words = {
    '<id>': async () => (await json('payments anomalies --each')).find(double).id,
    '<push>': async () => (await json('pushes list'))[0].push,
    '<service>': async () => String(shop.services[0]!.id),
    '<charge>': async () => String(shop.charges[0]!.id),
    '<shop>': async () => shop.url,
    '<urlEndpoint>': async () => (await json('shop show boats --endpoint')).endpoints[0].url,
  }
  return { cwd, began, env, words }
}

const double = ({ kind }: { kind: string }): boolean => kind === 'double_paid'

const twice = {
  kind: 'double_paid',
  ...{ expected: '29.34', received: '29.34', stake: '29.34', currency: 'eur' },
} as const

/** An order that is paid and whose shop fails, one that is pending, two that need review, and one whose money is authorised. */
function takeOrders({ cwd }: Stage) {
  return inStore(cwd, async (store) => {
    const now = Date.now()
    const webhookUrl = 'https://hooks.bikes.example/status'
    for (const order of ['1042', '1043', '1044', '1045', '1046', '1047', '1048']) {
      const names = {
        shopId: 'bikes',
        orderId: order,
        orderNumber: `ORD${order}`,
        attemptId: `bikes.${order}`,
      }
      const times = { now, expiresAt: now + 3_600_000, checkAt: now + 3_600_000 }
      const { attempt } = await store.openAttempt(open({ ...names, ...times, adapter: 'test', webhookUrl }))
      const isPaid = order === '1042' || order > '1044'
      const money = order === '1048' ? { ...paid, word: 'authorised' as const } : paid
      if (isPaid) await store.learn('bikes', order, attempt.id, [money], { source: 'report', now })
      if (order === '1044') await store.noteStart(attempt, { ...redirect, reference: 'tr_44' }, times)
      const about = { attemptId: attempt.id, event: order === '1042' ? 'paid #tr_42' : '' }
      if (order === '1043') await store.openAnomaly('bikes', order, { kind: 'start_unknown', ...about }, now)
      if (order === '1042') await store.openAnomaly('bikes', order, { ...twice, ...about }, now)
    }
    const claim = { limit: 99, perLane: 10, owner: 'a', now, leaseUntil: now + 60_000 }
    const call = { ...failed(now), ms: 12, status: 503, failure: 'status 503', answer: '' }
    for (const one of await store.claimWebhooks(claim))
      await store.postponeWebhook(one, call, again(now + 3_600_000))
    await takePushes(store, now)
    const upc = { message: 'shipment_methods', path: 'quote.products[].upc', kind: 'text', became: 'ignored' }
    await store.noteDrifts([{ shopId: 'bikes', ...upc, count: 31, firstAt: now, lastAt: now }])
  })
}

/** A push that names a payment of nobody, and one that waits. */
async function takePushes(store: StorePort, now: number): Promise<void> {
  const push = { shopId: 'bikes', adapter: 'test', sealed: '{"body":"e30=","headers":{},"query":""}' }
  const keep = (key: string) => store.keepPush({ ...push, key: hashToken(key), receivedAt: now }, now)
  await keep('a push about another payment')
  const claim = { adapter: 'test', limit: 1, perLane: 1, owner: 'a', now, leaseUntil: now + 60_000 }
  const [unmatched] = await store.claimPushes(claim)
  const detail = 'no payment of the shop has this reference'
  const named = { names: ['tr_7781'], references: ['tr_7781'] }
  await store.parkPush(unmatched!, { outcome: 'unmatched', detail, ...named }, now + 72 * 3_600_000, now)
  await keep('push')
}

/** A rate adapter was slow two hours ago, and fails for all shops since half an hour. */
function failCarrier({ cwd }: Stage) {
  return inStore(cwd, async (store) => {
    const now = Date.now()
    const courier = { adapter: 'courier', shopId: undefined }
    const slow = { ...courier, nextTry: undefined, lastFailure: 'answered after 1.8 s' }
    const fails = { ...courier, nextTry: now, lastFailure: 'the carrier answered 503' }
    await store.noteBreakers('a node', [{ ...slow, since: now - 5 * halfAnHour }], now - 5 * halfAnHour)
    await store.noteBreakers('a node', [], now - 4 * halfAnHour)
    await store.noteBreakers('a node', [{ ...fails, since: now - halfAnHour }], now)
    // It runs until another one is served.
    const node = { id: 'a node', opens: [], runs: processOf('web-1', now) }
    await store.noteNode(node, { now: now + halfAnHour, since: 0 })
  })
}

function failService({ cwd }: Stage) {
  return inStore(cwd, async (store) => {
    const now = Date.now()
    const of = { adapter: 'test', shopId: 'bikes', firstAt: now - halfAnHour, lastAt: now, okAt: undefined }
    await store.noteServiceFailures('a node', [
      { ...of, kind: 'start', calls: 12, failure: 'TypeError, ECONNREFUSED' },
      { ...of, kind: 'push', calls: 3, failure: 'push.verify does not accept its signature' },
    ])
  })
}

async function serve({ cwd, env }: Stage): Promise<void> {
  await inStore(cwd, (store) => store.forgetNode('a node'))
  const built = { ...env, PURVEYOR_BUILD: '3f2a1c' }
  const { ready } = running('serve --development --json --port 0', { cwd, env: built })
  env.PORT = new URL((await ready).url).port
}

/** The copy was made while a provider ran, which it holds as a node that runs. */
async function forgetNodes({ cwd }: Stage): Promise<void> {
  const database = new DatabaseSync(join(cwd, 'copy.db'))
  database.exec('delete from nodes')
  database.close()
}

/** What differs from run to run, as it would stand on one day on one machine. Columns keep their width. */
function steady(text: string, { cwd, began }: Stage): string {
  return nodesOfOneDay(text)
    .replaceAll(cwd, '/srv/my-provider')
    .replaceAll(/\b20\d\d-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{3})?)?/g, (time) => {
      // The story begins at ten, and takes less than a quarter of an hour.
      const after = Math.round((Date.parse(`${time.replace(' ', 'T')}Z`) - began) / halfAnHour) * halfAnHour
      const shown = new Date(Date.parse('2027-04-01T10:00:00Z') + after).toISOString()
      return shown.slice(0, time.length).replace('T', time[10]!)
    })
    .replaceAll(/\/(e|link)\/[\w-]{20,}/g, '/$1/<token>')
    .replaceAll(/\/n\/(\w+)\/[\w-]{20,}/g, '/n/$1/<token>')
    .replaceAll(/127\.0\.0\.1:\d+(?=\/(?:e|n|p)\/)/g, '127.0.0.1:3000')
    .replaceAll(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:3001')
    .replaceAll(/\b\d+(?:\.\d+)? ms\b/g, '12 ms')
    .replaceAll(/\b(?:root|[\w-]+ \(sudo by [\w-]+\))(?= {2})/g, 'alice')
    .replaceAll(/\/e\/[\w-]{4}\.\.\./g, '/e/abcd...')
    .replaceAll(/\?token=[\w-]+/g, '?token=<token>')
    .replaceAll(/\b[\da-f]{10}\b/g, '0a1b2c3d4e')
    .replaceAll(/\b[\da-f]{32,}\b/g, '<id>')
    .replaceAll(/\(key [\w-]{22}\)/g, '(key <key>)')
    .replaceAll(/\b\d+ s (?:later|earlier)\b/g, '0 s later')
    .replaceAll(/\b[\d.]+ GB\b/g, '80 GB')
    .replaceAll(/^\d+ rows copied/gm, '214 rows copied')
    .replaceAll(/\b(took|still for|\.db in) \d+\.\d s\b/g, '$1 0.4 s')
    .replaceAll(/\b(Node|SQLite) \d+\.\d+\.\d+/g, '$1 <version>')
    .replaceAll(/"version": "[^"]+"/g, '"version": "<version>"')
    .replace(statuses, '$10005$2')
    .replace(calls, (_, start, rest) => start + inOrder(rest))
    .replace(/^\d+ the same, 0 different$/m, '4 the same, 0 different')
}

/** The calls behind the start of a payment. */
const calls =
  /^(shop asks +POST payment .*\n)((?:shop asks +GET payment\/.*\n|provider calls +POST webhooks\/.*\n)+)/m

/** On a slow machine the webhook may come before the customer does, and the shop reads the status more often. */
function inOrder(lines: string): string {
  const all = lines.match(/.*\n/g) ?? []
  const reads = all.filter((line) => line.startsWith('shop asks'))
  const webhooks = all.filter((line) => line.startsWith('provider calls'))
  return [reads[0], ...webhooks, reads.at(-1)].join('')
}

/** On a slow machine the shop reads the status more often: all reads of a replay stand as one. */
const statuses = /^(same +)\d{4}(-payment_status\.json\n)(?:same +\d{4}-payment_status\.json\n)*/m

/** Nodes of other machines have names of other lengths, and so columns of other widths. */
function nodesOfOneDay(text: string): string {
  if (!text.startsWith('node  ')) return text
  const [titles = [], ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
  const steadily: Record<string, string> = { node: '4ZqkBvW1', host: 'web-1', pid: '71', version: '0.1.0' }
  const shown = rows.map((row) => row.map((cell, at) => steadily[titles[at]!] ?? cell))
  return inColumns(titles, shown).join('\n')
}

const longest = 24

/** The first lines of a long output. */
function shortened(text: string): string {
  const lines = text.trimEnd().split('\n')
  return (lines.length > longest ? [...lines.slice(0, longest), '...'] : lines).join('\n')
}

async function run(line: string, stage: Stage): Promise<string> {
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).slice(1).map((word) => word.replaceAll('"', ''))
  if (goOn[line]) return shown(line, await startOf(words, goOn[line], stage), stage)
  const args: string[] = []
  for (const word of words) args.push((await stage.words[word]?.()) ?? word)
  const { stdout, stderr, code } = await purveyor(args, stage)
  if (code !== 0 && !/ (?:doctor|check|diff|lint|replay) /.test(`${line} `))
    throw new Error(`${line}: ${stderr}${stdout}`)
  return shown(line, stdout, stage)
}

const shown = (line: string, output: string, stage: Stage): string =>
  `$ ${line}\n${shortened(steady(output, stage))}\n`

/** The output of a command that goes on, up to its last words. It has a free port, and a store of its own. */
async function startOf(words: string[], last: string, { cwd, env }: Stage): Promise<string> {
  const own = { ...env, PURVEYOR_DATABASE_URL: 'sqlite::memory:' }
  const { child, output, printed } = running([...words, '--port', '0'], { cwd, env: own })
  await printed(last)
  await end(child)
  // What `dev` says after ten seconds, which a busy machine needs.
  return output.stdout.replace(/A shop is ready\. Your provider is still starting\.\n(?: .*\n)*/, '')
}

test('every command has an example, and prints what it shows', async () => {
  const stage = await newStage()
  const recorded: string[] = []
  for (const step of story) {
    if (typeof step === 'string') recorded.push(await run(step, stage))
    else await step(stage)
  }
  // `vitest -u` writes it.
  await expect(recorded.join('\n')).toMatchFileSnapshot('../../.ci/docs/examples.txt')
})

test('no command is without an example', async () => {
  const below = (path: string, { run, commands = {} }: Command): string[] => [
    ...(run ? [path] : []),
    ...Object.entries(commands).flatMap(([name, one]) => below(`${path} ${name}`, one)),
  ]
  const all = Object.entries(await loadCommands()).flatMap(([name, one]) => below(`purveyor ${name}`, one))
  const lines = story.filter((step) => typeof step === 'string')
  expect(all.filter((path) => !lines.some((line) => `${line} `.startsWith(`${path} `)))).toEqual([])
})
