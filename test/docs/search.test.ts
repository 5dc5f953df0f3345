import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { type DocsPage, readPages, sectionsOf } from '../../src/cli/docs/docs.ts'
import { searched, searchOptions, searchSections } from '../../src/cli/docs/search.ts'
import { builtDocs } from '../built.ts'
import { repository } from '../journey/project.ts'

// Written by somebody who had not seen the pages, with the words of other ecosystems. Each with the pages that answer it.
const questions = [
  ['carrier calculated shipping callback', 'rates carrier-api contract contract-rates'],
  ['weight bracket csv', 'tariffs'],
  ['postcode range zones', 'tariffs'],
  ['rate request timeout fallback', 'rates'],
  ['dimensional weight divisor', 'units-and-parcels'],
  ['box packing multiple parcels', 'units-and-parcels'],
  ['lbs oz to kg conversion', 'units-and-parcels'],
  ['pickup point locator', 'pickup-points'],
  ['estimated delivery date cutoff', 'delivery-promises'],
  ['carrier oauth token refresh', 'carrier-accounts'],
  ['fuel surcharge percentage', 'tariffs'],
  ['custom carrier adapter', 'carrier-api rates'],
  ['hosted payment page redirect', 'payment-page payments'],
  ['custom payment gateway', 'payments'],
  ['capture authorized payment later', 'after-paid'],
  ['partial refund', 'after-paid'],
  ['idempotency key', 'payments after-paid'],
  ['3D Secure SCA challenge', 'payment-page'],
  ['stripe webhook signature verification', 'pushes webhooks'],
  ['payment pending status', 'contract-payments payments faq'],
  ['chargeback dispute notification', 'on-call pushes'],
  ['klarna installments', 'faq payments'],
  ['customer closed browser before return', 'faq'],
  ['zero decimal currencies JPY', 'payments'],
  ['customize checkout page theme logo', 'brand'],
  ['reconciliation payout report', 'after-paid'],
  ['docker compose example', 'deploy'],
  ['kubernetes liveness readiness probe', 'deploy'],
  ['systemd service unit', 'deploy'],
  ['sqlite vs postgres production', 'move-store nodes settings'],
  ['horizontal scaling leader election', 'nodes'],
  ['backup and restore', 'backup'],
  ['prometheus metrics endpoint', 'metrics'],
  ['alert rules slack pagerduty', 'on-call metrics'],
  ['webhook retry schedule backoff', 'webhooks'],
  ['replay webhook events', 'reference/command-webhooks webhooks'],
  ['zero downtime rolling upgrade', 'upgrade nodes'],
  ['structured json logging request id', 'metrics'],
  ['app install oauth handshake', 'registration'],
  ['app uninstalled webhook', 'shops'],
  ['multi-tenant settings per store', 'shops'],
  ['usage based billing app subscription', 'charges'],
  ['register carrier service callback url', 'registration reference/command-services'],
  ['shop domain changed', 'shops'],
  ['rotate API key', 'secrets'],
  ['vault aws secrets manager', 'secrets'],
  ['GDPR data erasure request', 'personal-data'],
  ['PCI DSS scope SAQ A', 'faq'],
  ['audit log who changed', 'audit-trail'],
  ['rate limiting brute force 429', 'callers'],
  ['sandbox test store', 'sandbox'],
  ['test card numbers declined', 'scenarios testing'],
  ['local development ngrok tunnel', 'settings faq'],
  ['github actions integration tests', 'start testing'],
  ['mock carrier api responses', 'testing carrier-api'],
  ['validate endpoint conformance check', 'check'],
  ['quickstart hello world', 'start'],
  ['error codes list', 'errors'],
  ['cli commands reference', 'reference/README'],
  ['breaking changes upgrade guide', 'upgrade'],
] as const

// Single words that found nothing or the glossary once.
const words = [
  ['weight bracket', 'tariffs'],
  ['postcode', 'tariffs'],
  ['install', 'start reference/command-init'],
  ['timeout', 'carrier-api rates settings'],
  ['refund', 'after-paid'],
  ['installment', 'faq payments'],
  ['fee', 'tariffs payments'],
  ['XML', 'sandbox-api'],
  ['notification', 'pushes webhooks contract-webhook'],
  ['rounding', 'payments rates live-platforms'],
  ['gdpr', 'personal-data'],
  ['unauthorized', 'callers security'],
  ['resend', 'webhooks on-call'],
] as const

const pageIn = (folder: string, name: string, prefix = ''): DocsPage => ({
  name: prefix + name,
  text: readFileSync(join(folder, `${name}.md`), 'utf8'),
})
const built = join(await builtDocs(), 'reference')
const reference = readdirSync(built).map((file) => pageIn(built, file.replace('.md', ''), 'reference/'))
const guides = readPages().filter(({ name }) => !name.startsWith('reference/'))
const project = ['CHANGELOG', 'SECURITY', 'ARCHITECTURE', 'CONTRIBUTING'].map((name) =>
  pageIn(repository, name),
)

/** Searches as the command does, or as the site, which has pages about the project too. */
function searchIn(pages: readonly DocsPage[]) {
  const sections = pages.flatMap(sectionsOf)
  const index = new MiniSearch(searchOptions)
  index.addAll(sections.map(searched))
  return (text: string) => searchSections(index, text).map((id) => sections[id]!.page)
}

test.each([
  ['purveyor docs', [...guides, ...reference]],
  ['the site', [...guides, ...reference, ...project]],
])('%s answers each of 60 questions, and single words, among the first three results', (_where, pages) => {
  const search = searchIn(pages)
  expect(questions).toHaveLength(60)
  const missed = [...questions, ...words].flatMap(([question, answers]) => {
    const first = search(question).slice(0, 3)
    return answers.split(' ').some((page) => first.includes(page)) ? [] : [[question, ...first].join(' | ')]
  })
  expect(missed).toEqual([])
})

test('words that say nothing are left out, and parts of a name find it', () => {
  const pages = [
    { name: 'one', text: '# One\n\nA page on or about paying.\n' },
    { name: 'two', text: '# Two\n\n`idempotencyKey` is sent.\n' },
  ]
  const search = searchIn(pages)
  expect(search('how do I use the idempotency')).toEqual(['two'])
  expect(search('zzzz')).toEqual([])
})
