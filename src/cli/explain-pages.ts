import type { AnomalyKind } from '../payments/status.ts'
import type { CallbackRefusal } from '../platform/callbacks.ts'
import type { PlatformErrorCode } from '../platform/errors.ts'
import { refusals } from '../refusals.ts'
import type { ShopFault } from '../use-cases/add-shops.ts'
import type { ShopProblem } from '../use-cases/shop-problem.ts'
import { alerts, processLines, ratesLines } from './explain-operation.ts'
import type { FileFault } from './shop-csv.ts'

interface Page {
  code: string
  where: string
  why: string
  remedy: string
}

export type Told = readonly [why: string, remedy: string]

const pagesOf = <C extends string>(where: string, told: Record<C, Told>): Page[] =>
  Object.entries<Told>(told).map(([code, [why, remedy]]) => ({ code, where, why, remedy }))

// Complete by type: a code without a page does not compile.

const shopProblems: Record<ShopProblem['code'], Told> = {
  UNKNOWN_SHOP: [
    'There is no shop of this name.',
    'See `purveyor shop list`, and add one with `purveyor shop add`.',
  ],
  SHOP_EXISTS: [
    'A shop of this name is there already.',
    'Choose another name, or change the one that is there.',
  ],
  SHOP_NAME_INVALID: ['A shop is named in letters, digits, - and _, 64 at most.', 'Choose such a name.'],
  PLATFORM_ID_INVALID: [
    'The id of a shop at its platform is a whole number of at most 16 digits.',
    'Look it up in the back office of the shop, and give it with --platform-id.',
  ],
  HOST_NAME_INVALID: [
    'This is no host name.',
    'Name a host without scheme, port and path, such as shop.example.com.',
  ],
  HOSTS_MISSING: [
    'A closed list without a host would refuse every payment of the shop.',
    'Name its hosts: `purveyor shop hosts confirm <shop> <host...>`.',
  ],
  PAYMENT_UNDER_WAY: [
    'A payment of it is not at rest: money may still come.',
    'Wait until it has ended, or add --force and lose what becomes of it.',
  ],
  NO_CREDENTIALS: [
    "Nobody has given the credentials for the API of the shop's platform.",
    'Run `purveyor shop connect <shop>` with key and secret in the environment.',
  ],
}

const shopFileFaults: Record<
  FileFault | Exclude<ShopFault['code'], ShopProblem['code'] | 'SETTINGS_INVALID'>,
  Told
> = {
  CSV_UNREADABLE: [
    'A quote opens in the middle of a cell, or is never closed, so that nobody knows where the cell ends.',
    'Put a cell with quotes, delimiters or line breaks in double quotes, and write a quote in it twice.',
  ],
  COLUMN_UNKNOWN: [
    'The header names a column that `shop import` does not know.',
    'Take the column out, or give it one of these titles: shop, platform_id, hosts, settings, platform_url, platform_language, platform_key, platform_secret.',
  ],
  COLUMN_TWICE: ['Two columns have one title.', 'Leave one of them.'],
  COLUMN_MISSING: [
    'The first line names no column `shop`.',
    'Begin the file with a header that has `shop` in it.',
  ],
  CELLS_MISCOUNTED: [
    'A line has more or fewer cells than the header.',
    'Put cells with a delimiter in them in double quotes, and leave no cell out.',
  ],
  ROWS_MISSING: ['The file has no line below its header.', 'Write one line for each shop.'],
  ROWS_TOO_MANY: ['The file has more shops than are added in one commit.', 'Add them in several files.'],
  CREDENTIALS_INCOMPLETE: [
    'Of the four columns with the credentials of a shop some are empty, or its settings have credentials too.',
    'Fill platform_url, platform_language, platform_key and platform_secret, or none of them.',
  ],
  SHOP_TWICE: ['Two lines name one shop.', 'Leave one of them, or give one another name.'],
}

const platformErrors: Record<PlatformErrorCode, Told> = {
  UNAUTHORIZED: [
    'The platform does not know this key and secret.',
    'Check both, and the shop that they belong to.',
  ],
  FORBIDDEN: ['The key may not do this.', 'Ask the owner of the shop for the right to do it.'],
  NOT_FOUND: [
    'The platform has no such record, resource or language.',
    'Check the name, the id and the language.',
  ],
  INVALID: ['The platform refuses what was sent.', 'Mend what its message names.'],
  RATE_LIMITED: [
    'The platform takes no more calls for now.',
    'Come again at `retryAt`. The client waits by itself up to its `patience`.',
  ],
  UNAVAILABLE: [
    'The platform was not reached, or failed.',
    'Come again later; what may be repeated was repeated already.',
  ],
  UNREADABLE: [
    'The answer is no JSON, half of it, or something else.',
    'Check that `baseUrl` is the address of the API.',
  ],
  REDIRECTED: [
    'The platform answers from elsewhere, and credentials are sent nowhere else.',
    'Set `baseUrl` to the final address.',
  ],
  UNKNOWN_OUTCOME: [
    'A POST was sent and its answer was lost: nobody knows whether it was carried out.',
    'Look what is there before it is sent again.',
  ],
}

const callbackRefusals: Record<CallbackRefusal, Told> = {
  PARAMETER_DOUBLED: [
    'A parameter is there twice: one may be signed and the other believed.',
    'Nothing: the platform never sends this.',
  ],
  PARAMETER_MISSING: ['A signed parameter is missing.', 'Check that the whole query reaches the route.'],
  SIGNATURE_WRONG: ["The signature is not the platform's.", 'Check the secret of the app, and the verifier.'],
  TIMESTAMP_INVALID: ['The timestamp is no time.', 'Nothing: the platform never sends this.'],
  TOO_OLD: [
    'The callback is older than the tolerance, or from the future.',
    'Check the clock of this machine; open the charge again from the shop.',
  ],
  REPEATED: ['This callback was taken before.', 'Nothing: the charge was read then.'],
  CLUSTER_UNKNOWN: [
    'The cluster is not on the configured list, and no host is made of it.',
    'Add the cluster to `clusters` if it is one of the platform.',
  ],
}

const anomalies: Record<AnomalyKind, Told> = {
  paid_other_amount: [
    'Money came, and not as much as the order owes.',
    'Compare both with the payment service; pay back or ask for the rest, then close it.',
  ],
  paid_other_mode: [
    'Test money was reported for a live payment, or live money for a test.',
    'Check the keys of the payment service.',
  ],
  underpaid: ['A part of the amount was paid.', 'Wait for the rest, or pay back and close it.'],
  double_paid: ['The order was paid twice.', 'Pay one back at the payment service, then close it.'],
  late_paid: [
    'Money came after the payment had expired or was cancelled. The order is paid.',
    'Check that the shop still sends the order, then close it.',
  ],
  reversed: ['Money was paid back or charged back. The order stays paid.', 'Tell the shop, then close it.'],
  unknown_status: [
    'The payment service used a word that the adapter does not know.',
    'Map the word in the adapter; `purveyor payments report` says how the payment stands.',
  ],
  amount_changed_after_paid: [
    'The shop started a paid order again with another amount.',
    'Ask the shop what the order costs, then close it.',
  ],
  start_unknown: [
    'Nobody knows whether the payment service has started this payment.',
    'Look there for its idempotency key; give the adapter `idempotency` or `find`.',
  ],
  expiry_unconfirmed: [
    'The payment should have expired a day ago, and the payment service cannot be asked.',
    'Look there, then `purveyor payments report`.',
  ],
  webhook_gone: [
    'The shop answered 410: it takes no more calls for this order.',
    'Ask the shop; `purveyor webhooks replay <order>` sends it by hand.',
  ],
}

/** Errors that are alone in what they mean. */
const others = {
  UNKNOWN_PAYMENT: [
    'There is no payment of this order, attempt or reference.',
    'Check which of the three is given; `purveyor payments list` shows them.',
  ],
  SETTINGS_INVALID: [
    "What is set for the shop does not fit the adapters' settings.",
    'Mend the paths that the message names.',
  ],
  SETTINGS_MISSING: [
    'An adapter needs settings that the shop does not have.',
    'Set them with `purveyor shop settings <shop> --file ...`.',
  ],
  CONFIGURATION_INVALID: [
    'One or more settings of the provider are missing or wrong.',
    'Mend each one that the message names.',
  ],
  OUTGOING_REFUSED: [
    'An address may not be called: it is not https, or leads into a private network.',
    'Use the public https address. Development opens this machine.',
  ],
  STORE_UNAVAILABLE: [
    'The store cannot be opened, locked or written.',
    'Of a file check its folder, its disk and who else holds it; of a PostgreSQL server its address, its rights, its encryption and that it runs. Where a sealed text does not open, set the PURVEYOR_SECRET that the store was made with, or restore a backup. The message says which.',
  ],
  AUTHOR_INVALID: [
    'The name given in `by` cannot stand in the audit trail: it is empty, longer than 200 characters, or has control characters in it.',
    'Give the name of the person or job that makes the change, such as `by: user.email`.',
  ],
  SHOPS_INVALID: [
    'Shops that should be added together have faults, and none was added.',
    'Correct each one that the message names, and try again: `purveyor shop import --dry-run` looks only.',
  ],
  RATE_TABLE_INVALID: [
    'A tariff has faults.',
    'Mend the lines that the message names; `purveyor rates lint` shows them all.',
  ],
  PICKUP_POINTS_INVALID: ['A file of pickup points has faults.', 'Mend the lines that the message names.'],
  ENDPOINT_UNUSABLE: [
    'There is no provider at this address that could be checked.',
    'Name the urlEndpoint as it is registered with the shop.',
  ],
  SANDBOX_FILE_UNUSABLE: [
    'The file cannot hold a sandbox.',
    'Name a new one, in a folder that this user may write to.',
  ],
  RECORDING_UNUSABLE: ['The folder holds no recorded calls.', 'Make a recording with --record.'],
} satisfies Record<string, Told>

const sandboxAnswers = {
  SANDBOX_CALLER_REFUSED: [
    'The sandbox answers programs on this machine and its own pages. Host, Origin or Sec-Fetch-Site name somebody else.',
    'Call it as http://127.0.0.1 or http://localhost with its port, and not from the page of another website.',
  ],
} satisfies Record<string, Told>

/** What is logged, and is nobody's error. */
const logged = {
  CLOCK_JUMPED: [
    'The clock of this machine was set by more than two seconds. Leases, due times and expiry do not go by it: on SQLite they go by the time since the start, on PostgreSQL by the time of the database server.',
    'Set the clock right and switch NTP on. If the new time is the right one, restart the provider at leisure: on SQLite it takes the time anew at its start. `purveyor_clock_off_seconds` shows how far apart they are.',
  ],
  SERVER_CLOCK_JUMPED: [
    'The clock of the database server was set by more than a minute. Nodes that run follow it by 3 s a minute, so that nothing expires at once; a node that starts takes it as it is.',
    'Set the clock of the database server right, with NTP, before you start another node.',
  ],
  SECRET_WAITS: [
    'The secret is being changed, and nodes that run do not open the new one yet. Nothing is sealed with it before they do, so that no call fails.',
    'Give every node the new PURVEYOR_SECRET, and the one of before as PURVEYOR_PREVIOUS_SECRET. A node that has died is no longer waited for after a minute. `purveyor doctor` shows how many are left.',
  ],
  SECRET_CHANGED: [
    'Everything in the store is sealed with the new secret.',
    'Take PURVEYOR_PREVIOUS_SECRET out of every node, at leisure.',
  ],
} satisfies Record<string, Told>

export const pages: readonly Page[] = [
  ...Object.entries(refusals).map(([code, page]) => ({ code, ...page })),
  ...pagesOf('from the commands and provider.shops', shopProblems),
  ...pagesOf('a fault in a file of shops', shopFileFaults),
  ...pagesOf('a PlatformError of purveyor/platform', platformErrors),
  ...pagesOf('a CallbackRefused of purveyor/platform', callbackRefusals),
  ...pagesOf('an anomaly, in purveyor payments anomalies', anomalies),
  ...pagesOf('an answer of the sandbox, 403', sandboxAnswers),
  ...pagesOf('thrown', others),
  ...pagesOf('a line of the log', logged),
  ...pagesOf('a line of the log', processLines),
  ...pagesOf('an alert of monitoring/prometheus-rules.yml', alerts),
  ...pagesOf('a line of the log', ratesLines),
]
