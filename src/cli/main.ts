#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import type * as commander from 'commander'
import { keepCompiledCode } from './compile-cache.ts'
import { complain } from './print.ts'

// Starts on Node 20 too, so that `init` can put the right Node into a new project: nothing is imported here but commander
// and what prints, and each command brings its own.

keepCompiledCode()
// After that, so that its compiled code is kept too.
const { Command, CommanderError, InvalidArgumentError, Option } = await import('commander')

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** What every command answers with: 0 fine, 1 the thing checked failed, 2 wrong usage, 3 the environment. */
export const exitCodes = { fine: 0, failed: 1, usage: 2, environment: 3 } as const

const port = (text: string): number => {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= 65535) return number
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535; 0 takes a free one.')
}

function httpsUrl(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return text.replace(/\/+$/, '')
  throw new InvalidArgumentError('An https address, such as https://my-tunnel.example.')
}

function count(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A whole number from 1 on.')
}

function workers(text: string): number {
  if (/^[1-9]\d?$/.test(text) && Number(text) <= 64) return Number(text)
  throw new InvalidArgumentError(
    'A whole number from 1 to 64; as many as the machine has cores is a good one.',
  )
}

function hours(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('A whole number of hours, 0 or more.')
}

function decimal(text: string): string {
  if (/^\d{1,12}(\.\d{1,4})?$/.test(text)) return text
  throw new InvalidArgumentError('A decimal with a point, such as 49.95.')
}

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A date in the order of ISO 8601, at midnight UTC where no time is named. Other orders mean another day to somebody else. */
function isoMoment(text: string): number | undefined {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
  const exists = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)
  const at = exists ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** `30m`, `2h` and `7d` ago, or a date. */
function moment(text: string): number {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const at = unit ? Date.now() - Number(number) * units[unit]! : isoMoment(text)
  if (at !== undefined) return at
  throw new InvalidArgumentError('A time is 30m, 2h or 7d ago, or a date such as 2026-03-02T10:00Z.')
}

const program = new Command('purveyor')
  .description(
    "The third party's side of a shop platform's checkout: rates, payments and a shop to try them in.",
  )
  .version(version, '-v, --version')
  .exitOverride()
  .configureOutput({ writeErr: (text) => complain(text.replace(/\n$/, '')) })
  .showHelpAfterError('(--help shows what there is)')

program
  .command('init')
  .description('make a new provider from a template')
  .argument('[folder]', 'an empty or new folder')
  .option('-t, --template <name>', 'rates, payments or full')
  .option('-y, --yes', 'ask nothing; template full where none is named')
  .option('--no-install', 'leave out npm install')
  .action(async (folder, options) => (await import('./init.ts')).init(folder, options))

program
  .command('dev')
  .description('run a provider beside the sandbox shop, and again after every change')
  .argument('[file]', 'default: provider.ts or src/provider.ts, otherwise the built-in sample')
  .option('-p, --port <number>', 'port of the provider; the shop takes the next one', port)
  .option(
    '--public-url <url>',
    "the https address of a tunnel to this machine, for a platform's own test shop; no sandbox then",
    httpsUrl,
  )
  .option('--record <folder>', 'keep every call of the shop in a file, with personal data replaced')
  .option('--json', 'print the ready line as JSON')
  .action(async (file, options) => (await current(() => import('./dev.ts'))).dev(file, options))

program
  .command('serve')
  .description('run a provider, in production')
  .argument('[file]', 'default: provider.ts or src/provider.ts')
  .option('-p, --port <number>', 'default: PORT, or 3000', port)
  .option('--development', 'serve this machine only, with http and loopback addresses open')
  .addOption(new Option('--tunnel', 'as dev --public-url starts it').hideHelp())
  .option('--workers <number>', 'so many processes on one port; SIGHUP restarts them one by one', workers)
  .option('--show-endpoint', 'print the endpoint, a secret, also where the output is no terminal')
  .option('--json', 'print the ready line as JSON')
  .action(async (file, options) => (await current(() => import('./serve.ts'))).serve(file, options))

const jsonOption = ['--json', 'print one JSON value'] as const
const portOfShop = 'port of the shop'
const sandbox = program
  .command('sandbox')
  .description('run the sandbox shop alone, for a provider that runs elsewhere')
  .argument(
    '[endpoint]',
    "a provider's urlEndpoint; default: none, services are registered on its page or by its API",
  )
  .addOption(
    new Option('--for <type...>', 'what the endpoint is registered for; default: both').choices([
      'shipment',
      'payment',
    ]),
  )
  .option('-p, --port <number>', portOfShop, port, 3001)
  .option('--file <file>', 'keep everything in this SQLite file; default: in memory')
  .option('--record <folder>', 'keep every call to a provider in a file, with personal data replaced')
  .option('--json', 'print the ready line as JSON')
  .action(async (endpoint, options) =>
    (await current(() => import('./sandbox.ts'))).sandbox(endpoint, options),
  )
const sandboxCommand = () => current(() => import('./sandbox.ts'))
const urlOption = [
  '--url <url>',
  'where the shop runs; default: PURVEYOR_SANDBOX_URL, or http://127.0.0.1:3001',
] as const
sandbox
  .command('switches')
  .description('show the switches of a running shop, or set some')
  .argument('[switches...]', 'such as webhook=refused; reset puts all of them back')
  .option(...urlOption)
  .option('--json', 'print one JSON value')
  .action(async (changes, options, command) =>
    (await sandboxCommand()).switches(changes, { ...command.optsWithGlobals(), ...options }),
  )
sandbox
  .command('clock')
  .description('move the clock of a running shop on')
  .argument('<time>', 'such as 30s, 10m, 2h, 1d or 1month')
  .option(...urlOption)
  .option('--json', 'print one JSON value')
  .action(async (by, options, command) =>
    (await sandboxCommand()).clock(by, { ...command.optsWithGlobals(), ...options }),
  )

program
  .command('check')
  .description('prove an endpoint right, whatever it is written in')
  .argument('<urlEndpoint>', 'as it is registered with the shop')
  .addOption(
    new Option('--only <what>', 'default: whatever the endpoint serves').choices(['rates', 'payments']),
  )
  .option('--case <names...>', 'only these cases')
  .option('--read-only', 'leave no test orders at the provider')
  .option('--shop-id <number>', "the platform's id of the shop, where the endpoint belongs to one", count)
  .option('--receiver-url <url>', 'where a provider on another machine reaches this one')
  .option('--receiver-port <number>', 'what is listened on behind it; default: a free one', port)
  .option('--junit <file>', 'write a report for build servers')
  .option(...jsonOption)
  .action(async (endpoint, options) => (await current(() => import('./check.ts'))).check(endpoint, options))

program
  .command('openapi')
  .description('print the contract as OpenAPI 3.1')
  .option('--url <url>', 'where the provider is reached; default: PURVEYOR_PUBLIC_URL')
  .action(async (options) => (await current(() => import('./openapi.ts'))).openapi(options))

program
  .command('doctor')
  .description('look a provider over where it runs')
  .option('--provider <file>', 'default: provider.ts or src/provider.ts')
  .option('--shop <id>', 'the shop whose endpoint is looked at', 'default')
  .option('--production', 'as if for production, whatever NODE_ENV says')
  .option(...jsonOption)
  .action(async (options) => (await current(() => import('./doctor/doctor.ts'))).doctor(options))

program
  .command('explain')
  .description('say why a code comes up, and what to do about it')
  .argument('[code]', 'such as HOST_NOT_ALLOWED, double_paid or a case of check; default: lists them')
  .option(...jsonOption)
  .action(async (code, options) => (await current(() => import('./explain.ts'))).explain(code, options))

const simulate = program
  .command('simulate')
  .description('play what can happen between a shop and a provider, on a clock that is moved')
const simulateCommand = () => current(() => import('./simulate.ts'))
const paymentStatus = ['paid', 'pending', 'expired', 'cancelled']

simulate
  .command('list')
  .description('list the scenarios')
  .option('--json', 'print one JSON value')
  .action(async (options) => (await simulateCommand()).list(options))

/** A command that plays against the provider of this folder, or against one that runs elsewhere. */
const against = (command: commander.Command): commander.Command =>
  command
    .option('--provider <file>', 'default: provider.ts or src/provider.ts, otherwise the built-in sample')
    .option('--endpoint <url>', 'a provider that runs elsewhere; its clock stays as it is')
    .addOption(
      new Option('--for <type...>', 'what that endpoint serves; default: both').choices([
        'shipment',
        'payment',
      ]),
    )
    .option('--record <folder>', 'keep every call in a file, with personal data replaced')
    .option('--json', 'print one JSON object')

against(simulate.command('run').description('play scenarios'))
  .argument('[names...]', 'as `simulate list` lists them')
  .option('--all', 'all of them')
  .action(async (names, options) => (await simulateCommand()).run(names, options))

against(simulate.command('order').description('put one order through the checkout'))
  .addOption(
    new Option('--status <status>', 'how the customer ends the payment')
      .choices(paymentStatus)
      .default('paid'),
  )
  .addOption(new Option('--then <status>', 'what it becomes later').choices(paymentStatus))
  .option('--after <time>', 'how much later, such as 5s, 2h or 1d', '10m')
  .action(async (options) => (await simulateCommand()).order(options))

against(
  simulate.command('replay').description('send recorded calls again, and show what is answered otherwise'),
)
  .argument('<folder>', 'as --record has made it')
  .action(async (folder, options) => (await simulateCommand()).replay(folder, options))

const payments = program
  .command('payments')
  .description('look at payments, and put right what contradicts itself')
const shopOption = ['--shop <id>', 'only this shop'] as const
const oneShop = ['--shop <id>', 'the shop of the order', 'default'] as const
const limitOption = ['--limit <number>', 'at most so many', count, 50] as const

payments
  .command('list')
  .description('list payments, newest first')
  .option('--status <status>', 'paid, pending, expired or cancelled')
  .option(...shopOption)
  .option(...limitOption)
  .option(...jsonOption)
  .action(async (options) => (await current(() => import('./payments.ts'))).list(options))

payments
  .command('find')
  .description('find payments of all shops, and say what each waits for and what to do next')
  .argument(
    '<name>',
    'id or number of the order, id of the attempt, reference, idempotency key, page address, id of an anomaly or a webhook',
  )
  .option(...jsonOption)
  .action(async (name, options) => (await current(() => import('./payments-find.ts'))).find(name, options))

payments
  .command('show')
  .description('show all that happened to the payment of an order')
  .argument('<order>', 'the id of the order')
  .option(...oneShop)
  .option(...jsonOption)
  .action(async (order, options) => (await current(() => import('./payments.ts'))).show(order, options))

payments
  .command('export')
  .description('print payments for bookkeeping, one line each, newest first')
  .requiredOption('--since <time>', 'those that changed since: 30d, 2h or a date', moment)
  .addOption(new Option('--format <format>', 'a table or JSON lines').choices(['csv', 'json']).default('csv'))
  .option(...shopOption)
  .action(async (options) => (await current(() => import('./export.ts'))).exportPayments(options))

payments
  .command('report')
  .description('say how a payment stands, where the provider itself cannot')
  .argument('<order>', 'the id of the order')
  .argument('<status>', 'paid, cancelled, refunded, ...')
  .option('--amount <decimal>', 'how much, such as 29.34')
  .option('--currency <code>', 'such as eur')
  .option('--attempt <id>', 'default: the newest one')
  .option('--note <text>', 'kept with the payment')
  .option(...oneShop)
  .option(...jsonOption)
  .action(async (order, status, options) =>
    (await current(() => import('./payments.ts'))).report(order, status, options),
  )

payments
  .command('anomalies')
  .description('list what contradicts itself and waits for a person; what has one cause stands in one line')
  .option('--each', 'a line for each anomaly')
  .option('--all', 'a line for each, also for what was closed')
  .option(...shopOption)
  .option(...limitOption)
  .option(...jsonOption)
  .action(async ({ each, ...options }) =>
    each || options.all
      ? (await current(() => import('./payments.ts'))).anomalies(options)
      : (await current(() => import('./anomalies.ts'))).causes(options),
  )

payments
  .command('close-anomalies')
  .description('close all anomalies of one cause')
  .requiredOption('--kind <kind>', 'such as start_unknown')
  .option('--adapter <name>', 'only of this payment adapter')
  .option(...shopOption)
  .option('--before <time>', 'only those opened before: 2h or a date; default: now', moment)
  .option('--note <text>', 'what was found and done')
  .option('--dry-run', 'only say which would be closed')
  .option(...jsonOption)
  .action(async (options) => (await current(() => import('./anomalies.ts'))).closeMany(options))

payments
  .command('close-anomaly')
  .description('close an anomaly that was looked at')
  .argument('<id>', 'as `payments anomalies` lists it')
  .requiredOption('--note <text>', 'what was found and done')
  .option(...jsonOption)
  .action(async (id, options) => (await current(() => import('./payments.ts'))).closeAnomaly(id, options))

const webhooks = program
  .command('webhooks')
  .description('look at the calls of webhook_url, and send them again')

webhooks
  .command('list')
  .description('list what is owed and what was given up')
  .option('--since <time>', 'instead every status that changed since: 2h, 7d or a date', moment)
  .option(...shopOption)
  .option(...limitOption)
  .option(...jsonOption)
  .action(async (options) => (await current(() => import('./webhooks.ts'))).list(options))

webhooks
  .command('show')
  .description('show the calls for an order')
  .argument('<order>', 'the id of the order')
  .option(...oneShop)
  .option(...jsonOption)
  .action(async (order, options) => (await current(() => import('./webhooks.ts'))).show(order, options))

webhooks
  .command('replay')
  .description('send again: for one order, since a moment, or everything that was given up')
  .argument('[order]', 'the id of an order')
  .option('--since <time>', 'every status that changed since: 2h, 7d or a date', moment)
  .option('--dry-run', 'only say what would be sent')
  .option(...shopOption)
  .option(...jsonOption)
  .action(async (order, options) => (await current(() => import('./webhooks.ts'))).replay(order, options))

const lanes = program
  .command('lanes')
  .description(
    'look at what waits for another side: webhooks of a shop to a host, pushes through an adapter, rates from an adapter',
  )
const lanesCommand = () => current(() => import('./lanes.ts'))

lanes
  .command('list')
  .description('list lanes that are closed or in which something waits, the longest first')
  .option('--kind <kind>', 'webhook, push or rates')
  .option(...shopOption)
  .option(...limitOption)
  .option(...jsonOption)
  .action(async (options) => (await lanesCommand()).list(options))
for (const [what, description] of [
  ['show', 'show one lane, and what it met last'],
  ['open', 'open a closed lane: what waits in it is tried now'],
] as const) {
  lanes
    .command(what)
    .description(description)
    .argument('<kind>', 'webhook, push or rates')
    .argument('<shop>', "the provider's name for it; @all for rates of all shops")
    .argument('<to>', 'the host of the receiver, or the adapter')
    .option(...jsonOption)
    .action(async (kind, shopId, to, options) => (await lanesCommand())[what](kind, shopId, to, options))
}

const clock = program
  .command('clock')
  .description('look at the time that the providers on a store go by, after a clock was set')
for (const [what, description] of [
  ['show', 'show it beside the clock of the database server, or of this machine on SQLite'],
  ['take', 'go by that clock at once: for a clock that was set right'],
] as const) {
  clock
    .command(what)
    .description(description)
    .option(...jsonOption)
    .action(async (options) => (await current(() => import('./clock.ts')))[what](options))
}

const rates = program.command('rates').description('look at shipping rates, and why they are what they are')

rates
  .command('explain')
  .description('say why each method is in or out of the answer to a checkout')
  .argument('[provider]', 'default: provider.ts or src/provider.ts')
  .requiredOption('--file <request>', 'the body of a POST shipment_methods; - reads it from input')
  .option('--shop <id>', 'with what is set for this shop')
  .option(...jsonOption)
  .action(async (provider, options) => (await current(() => import('./rates.ts'))).explain(provider, options))

rates
  .command('lint')
  .description('look through a tariff for mistakes, gaps and overlaps')
  .argument('<table>', 'a .csv or .json file')
  .option(...jsonOption)
  .action(async (table, options) => (await current(() => import('./rates.ts'))).lint(table, options))

rates
  .command('preview')
  .description('show prices as a grid of destinations and weights')
  .argument('[file]', 'a tariff (.csv, .json) or the file of a provider')
  .option('--to <destinations>', 'such as nl,be:1000; default: the zones of the tariff')
  .option('--weights <numbers>', 'such as 0.5,2,10; default: the bands of the tariff')
  .option('--value <decimal>', 'what the cart is worth', decimal, '30')
  .option('--currency <code>', "the shop's", 'eur')
  .addOption(
    new Option('--unit <unit>', 'of the weights of a tariff')
      .choices(['mg', 'g', 'kg', 'oz', 'lb'])
      .default('kg'),
  )
  .option(...jsonOption)
  .action(async (file, options) => (await current(() => import('./rates-preview.ts'))).preview(file, options))

const shop = program.command('shop').description('look after the shops that the provider works for')
const shopCommand = () => current(() => import('./shop.ts'))
const providerOption = ['--provider <file>', 'default: provider.ts or src/provider.ts'] as const

/** A command about one shop. */
const ofShop = (name: string, description: string, of: commander.Command = shop) =>
  of
    .command(name)
    .description(description)
    .argument('<shop>', "the provider's name for it")
    .option(...providerOption)
    .option(...jsonOption)

ofShop('add', 'add a shop, and print its urlEndpoint')
  .option(
    '--platform-id <id>',
    "the platform's id of the shop; default: the first one that a valid POST names",
  )
  .option('--host <name...>', 'the only hosts that its webhook_url and redirect_url may name')
  .option('--settings <file>', 'JSON: units, fallbackRates, adapters, credentials; - reads it from input')
  .action(async (id, options) => (await shopCommand()).add(id, options))

shop
  .command('import')
  .description('add many shops, all or none')
  .argument('<file>', 'CSV with a line for each shop; - reads it from input')
  .option('--dry-run', 'only look for faults')
  .option('--show-endpoint', 'print the endpoints, which are secrets')
  .option('--endpoints <file>', 'write the endpoints into a new file that this user alone can read')
  .option(...providerOption)
  .option(...jsonOption)
  .action(async (file, options) =>
    (await current(() => import('./shop-import.ts'))).importShops(file, options),
  )

shop
  .command('list')
  .description('list the shops')
  .option(...providerOption)
  .option(...jsonOption)
  .action(async (options) => (await shopCommand()).list(options))

ofShop('show', 'show one shop')
  .option('--endpoint', 'also its addresses, which are secrets')
  .option('--webhook-secret', 'also what signs the calls of its webhook_url, for their receiver')
  .action(async (id, options) => (await shopCommand()).show(id, options))

ofShop('rotate', 'make a new urlEndpoint; the old one goes on for a while')
  .option('--webhook-secret', 'make a new webhook secret instead; the old one signs beside it for a while')
  .option('--overlap <hours>', 'how long the old one goes on; 0 ends it at once', hours, 168)
  .action(async (id, options) => (await shopCommand()).rotate(id, options))

ofShop('log', 'list who changed what, and when; newest last')
  .option('--since <time>', 'only from then on: 2h, 7d or a date', moment)
  .option(...limitOption)
  .action(async (id, options) => (await current(() => import('./shop-log.ts'))).log(id, options))

ofShop('bind', 'keep the endpoints of a shop to one shop of the platform')
  .option('--platform-id <id>', "the platform's id of the shop")
  .option('--none', 'the next valid POST that names one binds it')
  .action(async (id, options) => (await shopCommand()).bind(id, options))

ofShop('settings', 'replace what is set for a shop')
  .requiredOption('--file <settings>', 'JSON: units, fallbackRates, adapters; - reads it from input')
  .action(async (id, options) => (await shopCommand()).settings(id, options))

ofShop('disable', 'answer its endpoint with 404').action(async (id, options) =>
  (await shopCommand()).disable(id, options),
)
ofShop('enable', 'answer its endpoint again').action(async (id, options) =>
  (await shopCommand()).enable(id, options),
)

ofShop('remove', 'remove a shop with all that is kept of it')
  .option('--force', 'also with payments under way')
  .action(async (id, options) => (await shopCommand()).remove(id, options))

ofShop('privacy', 'print what the privacy policy of the shop has to say of this provider')
  .option('--markdown', 'to paste into a page')
  .action(async (id, options) => (await shopCommand()).privacy(id, options))

ofShop('erase', 'erase all that is kept of an order')
  .requiredOption('--order <id>', 'the id of the order')
  .option('--force', 'also while its payment is under way')
  .action(async (id, options) => (await shopCommand()).erase(id, options))

ofShop(
  'connect',
  'keep the credentials for the API of the platform: PURVEYOR_PLATFORM_URL, _LANGUAGE, _KEY and _SECRET, or JSON on standard input',
)
  .option('--no-check', 'keep them without trying them')
  .action(async (id, options) => (await shopCommand()).connect(id, options))

const hosts = shop
  .command('hosts')
  .description('the hosts that webhook_url and redirect_url of a shop may name')

ofShop('list', 'list them', hosts).action(async (id, options) =>
  (await shopCommand()).hosts('list', id, [], options),
)
ofShop('confirm', 'close the list: every other host is refused', hosts)
  .argument('[host...]', 'the whole list; default: the hosts that were noted')
  .action(async (id, names, options) => (await shopCommand()).hosts('confirm', id, names, options))
for (const what of ['add', 'remove'] as const) {
  ofShop(what, `${what} hosts`, hosts)
    .argument('<host...>', 'such as shop.example.com')
    .action(async (id, names, options) => (await shopCommand()).hosts(what, id, names, options))
}

const services = program.command('services').description('register the provider with the platform of a shop')
const servicesCommand = () => current(() => import('./services.ts'))
const dryRunOption = ['--dry-run', 'only say what would be done'] as const
const yesOption = ['-y, --yes', 'ask nothing'] as const

ofShop('list', 'list what is registered', services).action(async (id, options) =>
  (await servicesCommand()).list(id, options),
)
ofShop('register', 'try the endpoint, and register what the provider serves or bring it up to date', services)
  .requiredOption('--name <name>', 'what customers read in the checkout')
  .option('--host <name...>', 'close the list: the only hosts that its webhook_url and redirect_url may name')
  .option(...dryRunOption)
  .option(...yesOption)
  .action(async (id, options) => (await servicesCommand()).register(id, options))
ofShop('update', 'give a service the endpoint of now, and activate it', services)
  .argument('<id>', 'as `services list` lists it')
  .option('--name <name>', 'another name')
  .option(...dryRunOption)
  .option(...yesOption)
  .action(async (id, service, options) => (await servicesCommand()).update(id, service, options))
for (const [what, description] of [
  ['disable', 'let a service no longer be called'],
  ['remove', 'remove a service'],
] as const) {
  ofShop(what, description, services)
    .argument('<id>', 'as `services list` lists it')
    .option(...dryRunOption)
    .option(...yesOption)
    .action(async (id, service, options) => (await servicesCommand())[what](id, service, options))
}

const charges = program.command('charges').description('charge the owner of a shop through its platform')
const chargesCommand = () => current(() => import('./charges.ts'))

ofShop('list', 'list the charges', charges).action(async (id, options) =>
  (await chargesCommand()).list(id, options),
)
ofShop('create', 'create a charge, and print where the shop owner approves it', charges)
  .addOption(
    new Option('--type <type>', 'monthly or once').choices(['recurring', 'onetime']).makeOptionMandatory(),
  )
  .requiredOption('--title <title>', 'what the shop owner reads')
  .requiredOption('--price <decimal>', 'such as 9.95', decimal)
  .requiredOption('--callback-url <url>', 'where the platform sends the shop owner afterwards')
  .option('--upgrade-from <id>', 'the charge that this one takes the place of')
  .action(async (id, options) => (await chargesCommand()).create(id, options))
ofShop('show', 'show one charge', charges)
  .argument('<id>', 'as `charges list` lists it')
  .action(async (id, charge, options) => (await chargesCommand()).show(id, charge, options))
ofShop('remove', 'take back a charge that was not approved', charges)
  .argument('<id>', 'as `charges list` lists it')
  .option(...yesOption)
  .action(async (id, charge, options) => (await chargesCommand()).remove(id, charge, options))

const db = program.command('db').description('look after the store')

db.command('migrate')
  .description('bring the tables up to date')
  .option('--json', 'print the result as JSON')
  .action(async (options) => (await current(() => import('./db.ts'))).migrate(options))

db.command('backup')
  .description('copy the store into a file, also while a provider runs')
  .argument('<file>', 'a new file')
  .option(...jsonOption)
  .action(async (file, options) => (await current(() => import('./db.ts'))).backup(file, options))

db.command('prune')
  .description('erase payments that have come to rest')
  .option('--older-than <days>', 'default: PURVEYOR_RETENTION_DAYS, or 730', count)
  .option('--dry-run', 'only say how many')
  .option(...jsonOption)
  .action(async (options) => (await current(() => import('./db.ts'))).prune(options))

/** All commands but `init` need the Node that runs providers. */
async function current<T>(load: () => Promise<T>): Promise<T> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 15)) return load()
  throw Object.assign(
    new Error(
      `This command needs Node 24.15 or newer and runs on ${process.versions.node}. Run \`npm install node@24 --save-dev\` and start it with an npm script.`,
    ),
    {
      exitCode: exitCodes.environment,
    },
  )
}

async function isExplained(code: string): Promise<boolean> {
  const { pages } = await import('./explain-pages.ts')
  return pages.some((page) => page.code === code)
}

// Whoever reads may have read enough; a disk may be full.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(exitCodes.fine)
  complain(`purveyor: what is printed cannot be written: ${message}`)
  process.exit(exitCodes.environment)
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    // commander has printed what was wrong; help and version end here too.
    process.exitCode = error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
  } else {
    const { message, exitCode, code } = error as Error & { exitCode?: number; code?: string }
    complain(`purveyor: ${message}`)
    if (typeof code === 'string' && (await isExplained(code)))
      complain(`Code: ${code}. More: purveyor explain ${code}`)
    const stack = exitCode === undefined && typeof code !== 'string' ? (error as Error).stack : undefined
    if (stack) complain(stack)
    process.exitCode = exitCode ?? exitCodes.environment
  }
  // Whoever started this process waits for its end, and a channel to it would keep it alive.
  if (process.connected) process.exit()
}
