import type { MoneyWord, Statement } from '../../src/payments/ledger/report.ts'
import type { StorePort } from '../../src/store-port.ts'
import { again, endpoint, failed, open } from '../stores/cases/store-case.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

interface Order {
  shopId?: string
  orderId: string
  orderNumber?: string
  amount?: string
  adapter?: string
  openedAt: number
  reference?: string
  webhookUrl?: string
}

/** What a payment service says of money. */
const money = (word: MoneyWord, amount: string, event: string): Statement => ({
  ...{ word, amount, currency: 'eur', event },
})

/** Writes the stories of people who call: each of the ten questions that the console has to answer. `now` is in milliseconds since 1970. */
export class House {
  readonly store: StorePort
  readonly now: number
  readonly #addShop: (id: string) => Promise<unknown>
  #attempts = 0

  /** `addShop`: through a provider, whose endpoints open. */
  constructor(store: StorePort, now: number, addShop?: (id: string) => Promise<unknown>) {
    this.store = store
    this.now = now
    this.#addShop = addShop ?? ((id) => store.ensureShop(id, endpoint(id, now), { hosts: [`${id}.example`] }))
  }

  async fill(): Promise<void> {
    const { store, now } = this
    for (const shop of ['wren', 'loom', 'verger', 'harbour']) await this.#addShop(shop)
    await store.noteCalls(['wren', 'loom', 'harbour'], now - 12_000)
    await this.#disputed()
    await this.#paidTwice()
    await this.#notKnown()
    await this.#refundUnderWay()
    await this.#lostPush('wren', 'push-lost-0001', 'no payment has the reference BT-LOST-1', 'BT-LOST-1')
    await this.#late()
    await this.#rates()
    await this.#minutes()
    await store.noteAudit('', { at: now - 26 * hour, by: 'provider' }, tariff('9c1f04d2b7aa3e10', now))
    await store.noteAudit('', { at: now - 3 * hour, by: 'provider' }, tariff('41be77c09d2f5a68', now))
    const skipped = { adapter: 'express', shopId: undefined, since: now - hour, nextTry: now + minute }
    await store.noteBreakers('node-one', [{ ...skipped, lastFailure: 'no answer within 2500 ms' }], now)
    await store.noteServiceFailures('node-one', [
      {
        ...{
          kind: 'push',
          adapter: 'cardpay',
          shopId: 'wren',
          firstAt: now - hour,
          lastAt: now - 5 * minute,
        },
        ...{ okAt: undefined, calls: 3, failure: 'the signature does not fit' },
      },
    ] as never)
    const runs = { pid: 1987, mainPid: 1987, version: '0.1.0', build: '' }
    await store.noteNode(
      { id: 'node-one', opens: ['a'], runs: { ...runs, host: 'fra-1', since: now - 3 * day } },
      { now: now - 2_000, since: 0 },
    )
    await store.noteNode(
      {
        id: 'node-two',
        opens: ['a'],
        runs: { ...runs, host: 'fra-2', pid: 1988, mainPid: 1988, since: now - 3 * day },
      },
      { now: now - 4 * minute, since: 0 },
    )
  }

  /** One of everything with names as long as they may be, and without a place to break. Returns them. */
  async addLong() {
    const { store, now } = this
    const long = (letter: string) => letter.repeat(200)
    const names = { shop: long('s'), order: long('o'), reference: long('r') }
    const [shopId, failure] = [names.shop, `no answer of ${long('h')}`]
    await store.ensureShop(shopId, endpoint(shopId, now), { hosts: [`${long('w')}.example`] })
    const order = {
      shopId,
      orderId: names.order,
      orderNumber: long('n'),
      amount: '1234567890.12',
      openedAt: now - hour,
    }
    const one = await this.order({
      ...order,
      reference: names.reference,
      webhookUrl: `https://${'w'.repeat(60)}.example/paid`,
    })
    await one.learn(now - hour + minute, money('paid', '9234567890.12', long('e')))
    for (const passed of [2, 9, 30]) await this.deliver(now - hour + passed * minute, failure)
    await store.noteAudit(shopId, { at: now - minute, by: long('u') }, tariff(long('d'), now))
    await store.noteNode(
      {
        id: 'node-three',
        opens: ['a'],
        runs: { pid: 1, mainPid: 1, version: long('9'), build: '', host: long('f'), since: now - day },
      },
      { now: now - 4 * minute, since: 0 },
    )
    await this.#lostPush(shopId, long('k'), failure, long('q'))
    return names
  }

  async order({ shopId = 'wren', adapter = 'cardpay', amount = '149.00', openedAt, ...order }: Order) {
    const number = ++this.#attempts
    const { reference = `TB-${88_000 + number}` } = order
    const opened = open({
      ...{ webhookUrl: `https://hooks.${shopId}.example/paid`, orderNumber: undefined },
      ...{ shopId, adapter, amount, now: openedAt, ...order },
      attemptId: `${shopId}.${openedAt.toString(36)}${number}`,
      expiresAt: openedAt + hour,
      checkAt: openedAt + hour,
    })
    const { attempt } = await this.store.openAttempt(opened)
    const next = {
      how: 'redirect',
      paymentUrl: 'https://psp.example/1',
      urlExpiresAt: undefined,
      reference,
    } as const
    await this.store.noteStart(attempt, next, { expiresAt: openedAt + hour, checkAt: openedAt + hour })
    const learn = (at: number, ...facts: Statement[]) =>
      this.store.learn(shopId, order.orderId, attempt.id, facts, {
        source: 'push',
        now: at,
        node: 'node-one',
      })
    return { ...attempt, learn }
  }

  /** Tries the webhooks that are due once: with a failure, or well. */
  async deliver(at: number, failure?: string): Promise<void> {
    const claim = { now: at, leaseUntil: at + minute, limit: 100, perLane: 100, owner: 'a' }
    for (const owed of await this.store.claimWebhooks(claim)) {
      const call = { ...failed(at), ms: 84, version: owed.version }
      if (failure === undefined)
        await this.store.settleWebhook(owed, { ...call, status: 200, failure: undefined })
      else await this.store.postponeWebhook(owed, { ...call, status: 503, failure }, again(at + minute))
    }
  }

  async #disputed() {
    const at = this.now - 3 * day
    const first = { orderId: '20481', orderNumber: 'WR-20481', amount: '119.00', openedAt: at }
    await this.order({ ...first, reference: 'TB-88409-2' })
    const second = await this.order({
      ...first,
      amount: '149.00',
      openedAt: at + 6 * minute,
      reference: 'TB-88412-9',
    })
    await second.learn(at + 11 * minute, money('paid', '149.00', 'ch_1Zt8Rw'))
    await this.deliver(at + 11 * minute, '503 Service Unavailable')
    await this.deliver(at + 13 * minute)
    await this.store.noteRead('wren', '20481', 1, at + 13 * minute + 1_000)
    await second.learn(this.now - day, money('refunded', '20.00', 're_7Qm2Lp'))
    await second.learn(this.now - 5 * hour, money('charged_back', '129.00', 'dp_5Xk9Ve'))
  }

  async #paidTwice() {
    const at = this.now - 4 * hour
    const order = { orderId: '20455', orderNumber: 'WR-20455', amount: '84.90' }
    const first = await this.order({ ...order, openedAt: at })
    const second = await this.order({
      ...order,
      adapter: 'bankpay',
      amount: '84.91',
      openedAt: at + 10 * minute,
    })
    await second.learn(at + 20 * minute, money('paid', '84.91', 'bt_1'))
    await first.learn(at + hour, money('paid', '84.90', 'ch_2'))
    await this.deliver(at + hour)
    await this.store.noteRead('wren', '20455', 1, at + hour + 1_000)
  }

  /** The shop does not accept webhooks, so it shows paid orders as pending. */
  async #notKnown() {
    const at = this.now - 3 * hour
    for (let order = 0; order < 6; order++) {
      const one = await this.order({
        shopId: 'loom',
        orderId: `77${10 + order}`,
        orderNumber: `LT77${10 + order}`,
        amount: '38.20',
        openedAt: at,
      })
      await one.learn(at + minute, money('paid', '38.20', `ch_l${order}`))
      await this.deliver(at + (2 + order) * minute, '503 Service Unavailable')
    }
  }

  async #refundUnderWay() {
    const at = this.now - 2 * day
    const one = await this.order({
      shopId: 'harbour',
      orderId: '3308',
      orderNumber: 'HB-3308',
      amount: '212.00',
      openedAt: at,
    })
    await one.learn(at + minute, money('paid', '212.00', 'ch_3'))
    await this.deliver(at + 2 * minute)
    await this.store.noteRead('harbour', '3308', 1, at + 3 * minute)
    const { request } = (await this.store.openMoneyRequest({
      ...{ shopId: 'harbour', orderId: '3308', kind: 'refund', attemptId: one.id, amount: '50.00' },
      ...{
        key: 'rf-3308-1',
        newKey: 'x',
        now: this.now - day,
        by: 'nina.brandt',
        why: 'The customer sent one book back',
      },
    })) as { request: Parameters<StorePort['settleMoneyRequest']>[0] }
    await this.store.settleMoneyRequest(request, 'done')
    await one.learn(this.now - day + 4_000, money('refunded', '50.00', 're_9'))
  }

  /** A push that names no payment. */
  async #lostPush(shopId: string, key: string, detail: string, name: string) {
    const { store, now } = this
    const push = { shopId, adapter: 'bankpay', key, sealed: 'a sealed text', receivedAt: now - hour }
    await store.keepPush(push, push.receivedAt)
    const [claimed] = await store.claimPushes({
      ...{ adapter: 'bankpay', now: now - hour + 1_000, leaseUntil: now, limit: 10, perLane: 10, owner: 'a' },
    })
    const outcome = { outcome: 'unmatched', detail, names: [name] } as never
    await store.settlePush(claimed!, outcome, now - hour)
  }

  async #late() {
    const amount = '60.40'
    const openedAt = this.now - 2 * day
    for (const orderId of ['7702', '7688', '7651']) {
      const one = await this.order({ shopId: 'loom', orderId, adapter: 'bankpay', amount, openedAt })
      await one.learn(this.now - 2 * day + hour, { word: 'expired' })
      await one.learn(this.now - 5 * hour, money('paid', amount, `bt_${orderId}`))
    }
  }

  async #rates() {
    const explained = (reason: string, failed: boolean) => ({
      ...{ deadline: 2_500, fallback: false },
      adapters: [
        {
          ...{
            adapter: 'domestic',
            ms: 8,
            cache: 'off',
            result: 'methods',
            calls: [],
            notes: [],
            parcels: [],
          },
          methods: [{ id: 'point', title: 'Point relais', price_incl: 5.9, price_excl: 4.92, tax_rate: 0.2 }],
          leftOut: [
            { place: 2, id: 'abroad', reason: 'no row for 4.2 kg to zone FR-1: the heaviest is 3 kg' },
          ],
        },
        {
          ...{
            adapter: 'express',
            ms: 2_500,
            cache: 'miss',
            methods: [],
            leftOut: [],
            notes: [],
            parcels: [],
          },
          ...{ result: failed ? 'failed' : 'none', reason },
          calls: [
            { method: 'POST', to: 'api.express.example', ms: 2_500, failure: 'no answer within 2500 ms' },
          ],
        },
      ],
    })
    await this.store.noteQuestions([
      {
        ...{
          id: 'q-9f31c7aa',
          shopId: 'verger',
          at: this.now - 24 * hour,
          kind: 'checkout',
          country: 'fr',
          weight: '4.2 kg',
        },
        ...{ lines: 5, value: '61.20', currency: 'eur', ms: 2_502, methods: 1, missing: true },
        explanation: explained('no answer within 2500 ms', true) as never,
      },
      {
        ...{
          id: 'q-0a11bb22',
          shopId: 'harbour',
          at: this.now - hour,
          kind: 'estimate',
          country: 'be',
          weight: undefined,
        },
        ...{ lines: 1, value: '24.00', currency: 'eur', ms: 2, methods: 1, missing: false },
        explanation: explained('it does not serve this country', false) as never,
      },
    ])
  }

  async #minutes() {
    const begun = this.now - (this.now % minute)
    const row = (what: string, label: string, count: number, failed: number, p95: number) => ({
      ...{ what, label, count, failed, p50: Math.round(p95 / 2), p95, p99: p95 + 10 },
    })
    for (let before = 1; before <= 60; before++) {
      const slow = before < 20 ? 2_310 : 900
      await this.store.noteMinutes('node-one', begun - before * minute, [
        row('request', 'POST /e/:token/shipment_methods', 16 + (before % 5), before < 20 ? 1 : 0, slow),
        row('request', 'POST /e/:token/payment', 11 + (before % 7), 0, 400 + before),
        row('request', 'GET /e/:token/payment/:id', 20, 0, 18),
        row('adapter', 'express quote', 16, before < 20 ? 1 : 0, slow),
        row('adapter', 'domestic quote', 16, 0, 9),
        row('delivery', 'wren hooks.wren.example', 5, 0, 84),
        row('delivery', 'loom hooks.loom.example', 3, 3, 212),
      ])
    }
  }
}

const tariff = (digest: string, _now: number) =>
  ({
    action: 'tariff.loaded',
    adapter: 'domestic',
    file: 'tariffs/tariff-2026.csv',
    digest,
    node: 'node-one',
  }) as const

/** Statements that add so many payments of other shops, of the last 30 days: as rows, for tests of speed. The same for both engines. */
export function fillWith(count: number, now: number): string[] {
  const rows = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`
  const at = `(${now} - n * cast(${Math.floor((30 * day) / count)} as bigint))`
  const shop = `('filler' || (n % 40))`
  const status = `case when n % 19 = 0 then 'expired' when n % 23 = 0 then 'cancelled' when n % 50 = 0 then 'pending' else 'paid' end`
  return [
    `${rows} insert into payments (shop_id, order_id, status, status_version, read_version, read_at, redirect_url, webhook_url, created_at, changed_at, last_at)
  select ${shop}, 'F' || n, ${status}, 1, 1, ${at}, 'https://filler.example/', 'https://filler.example/hook', ${at}, ${at}, ${at} from numbers`,
    `${rows} insert into attempts (shop_id, order_id, number, id, order_number, adapter, method_id, amount, currency, mode, authorised_is_paid, language, idempotency_key, page_hash, how, reference, opened_at, expires_at)
  select ${shop}, 'F' || n, 1, ${shop} || '.f' || n, 'N' || n, 'cardpay', 'card', (n % 500) || '.00', 'eur', 'live', 0, 'en', 'filler-key-' || n, 'filler-page-' || n, 'redirect', 'FR-' || n, ${at}, ${at} + 3600000 from numbers`,
    `${rows} insert into facts (shop_id, order_id, attempt_id, fact_key, number, kind, event, amount, currency, source, learned_at)
  select ${shop}, 'F' || n, ${shop} || '.f' || n, 'paid #f' || n, 1, 'paid', 'f' || n, (n % 500) || '.00', 'eur', 'push', ${at} from numbers where ${status} = 'paid'`,
    `insert into shops (id, created_at, hosts_confirmed, settings_version) select distinct shop_id, ${now}, 1, 0 from payments where shop_id like 'filler%'`,
    'analyze',
  ]
}
