import type MiniSearch from 'minisearch'
import type { Options, Query } from 'minisearch'

// The search of the terminal and of the site: both find the same.

/** A heading of a page, with the text up to the next heading of any level. */
export interface Section {
  page: string
  title: string
  heading: string
  level: number
  /** As they stand in the page, the heading included. */
  lines: readonly string[]
}

type Searched = Pick<Section, 'heading' | 'title'> & { id: number; text: string; weight: number }

export function searched({ page, heading, title, lines }: Section, id: number): Searched {
  return { id, heading, title, text: lines.slice(1).join(' '), weight: weightOf(page) }
}

/** Guides before the reference, and before pages that have a word of everything. */
function weightOf(page: string): number {
  if (/^project\/|^(?:README|glossary|threats|CHANGELOG|SECURITY|ARCHITECTURE|CONTRIBUTING)$/.test(page))
    return 0.5
  return page.startsWith('reference/') ? 1 : 3
}

/** Words of other ecosystems, by those of these pages. */
const synonyms: Readonly<Record<string, string>> = {
  zipcode: 'postcode postal zip',
  band: 'bracket tier range',
  init: 'install setup scaffold',
  deadline: 'timeout timeouts slow hang',
  partial: 'installment installments instalment',
  surcharge: 'fee fees handling',
  json: 'xml',
  webhook: 'notification notifications callback ipn',
  push: 'notification callback ipn inbound incoming',
  replay: 'resend redeliver retrigger',
  again: 'retry retries repeat backoff',
  personal: 'gdpr privacy pii',
  callers: 'unauthorized authentication authenticate allowlist whitelist',
  '404': 'unauthorized forbidden',
  rounded: 'rounding decimals cents',
  secret: 'password key apikey encryption vault',
  metrics: 'monitoring prometheus grafana observability',
  nodes: 'scaling cluster replicas horizontal kubernetes',
  backup: 'restore disaster',
  anomaly: 'dispute chargeback mismatch discrepancy',
  after: 'refund refunds capture void',
  shop: 'tenant tenants merchant store',
  shops: 'multitenant tenants multi-tenant',
  pickup: 'parcelshop locker collect',
  promise: 'eta arrival cutoff',
  parcels: 'packaging boxes dimensional volumetric',
  currency: 'money',
  tunnel: 'ngrok localhost',
  express: 'middleware fastify mount',
  trail: 'history who changed',
  idempotency: 'idempotent duplicate double',
  remote: 'api http upstream',
  brand: 'logo theme colours colors styling',
  registration: 'register onboarding',
  charge: 'subscription billing invoice',
  log: 'logs logging',
}

const wordsFor = new Map<string, string[]>()
for (const [word, others] of Object.entries(synonyms))
  for (const other of others.split(' ')) wordsFor.set(other, [...(wordsFor.get(other) ?? []), word])

/** Words of questions that say nothing about their subject. */
const empty = new Set(
  'a about all an and any are as at be but by can could do does for from get has have how i if in into is it its make me my no not of on or our out set should so some that the their them then there they this to up us use was we what when where which who why will with would you your'.split(
    ' ',
  ),
)

/** `idempotencyKey` is also found by its parts. */
const wordsIn = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{N}_-]+/u)
    .flatMap((word) => {
      const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})|[_-]/u)
      return parts.length > 1 ? [word, ...parts] : word
    })
    .filter(Boolean)

/** Names count more than text, and a longer word may have an ending or a slip. */
export const searchOptions: Options<Searched> = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['weight'],
  tokenize: wordsIn,
  searchOptions: {
    boost: { heading: 4, title: 2 },
    boostDocument: (_id, _word, stored) => Number(stored?.weight ?? 1),
    fuzzy: (word) => (word.length > 4 ? 0.2 : false),
  },
}

/** The ids of sections, the best first: those with all words, and after them those with any. */
export function searchSections(index: MiniSearch<Searched>, words: string): number[] {
  const asked = wordsIn(words.toLowerCase())
  const meaningful = asked.filter((word) => !empty.has(word))
  const counted = meaningful.length > 0 ? meaningful : asked
  // The last word may still be typed.
  const queries = counted.map((word, at): Query => {
    const prefix = at === counted.length - 1 && word.length > 2
    return { combineWith: 'OR', queries: [word, ...(wordsFor.get(word) ?? [])], prefix }
  })
  const found = (['AND', 'OR'] as const).flatMap((combineWith) => index.search({ combineWith, queries }))
  return [...new Set(found.map(({ id }) => id as number))].slice(0, 12)
}
