import { createProvider, html, memoryStore, paymentAdapter, rateAdapter, z } from 'purveyor'
import { expect, expectTypeOf, test } from 'vitest'

// The compiler runs these too: a line under @ts-expect-error must not compile.

const account = z.object({ account: z.string(), days: z.number().default(3) })

test('an adapter that createProvider() is given has settings of the type of its schema', () => {
  const provider = createProvider({
    store: memoryStore(),
    rates: {
      name: 'courier',
      settings: account,
      quote(_request, { settings }) {
        expectTypeOf(settings).toEqualTypeOf<{ account: string; days: number }>()
        // @ts-expect-error no such thing is set
        void settings.nothing
        return []
      },
    },
  })
  expect(provider.services).toEqual(['rates'])
})

test('rateAdapter() infers requests and settings from the object', () => {
  const adapter = rateAdapter({
    name: 'courier',
    needs: ['customer.email'],
    settings: account,
    quote({ customer, shipping_address }, { settings }) {
      expectTypeOf(customer.email).toEqualTypeOf<string | undefined>()
      expectTypeOf(settings).toEqualTypeOf<{ account: string; days: number }>()
      // @ts-expect-error not declared
      void customer.phone
      // @ts-expect-error the default fields are not given beside declared ones
      void shipping_address.zipcode
      // @ts-expect-error no such thing is set
      void settings.nothing
      return []
    },
    estimate(request, { settings }) {
      expectTypeOf(settings.days).toBeNumber()
      // @ts-expect-error a cart knows no customer
      void request.customer
      return []
    },
    cache: {
      ttl: 1000,
      key({ customer }) {
        // @ts-expect-error not declared
        void customer.phone
        return String(customer.email)
      },
    },
  })
  expect(createProvider({ store: memoryStore(), rates: adapter }).services).toEqual(['rates'])
})

test('rateAdapter() without needs gives country, region and zipcode, and without settings nothing', () => {
  const adapter = rateAdapter({
    name: 'courier',
    quote({ shipping_address, customer }, { settings }) {
      expectTypeOf<keyof typeof shipping_address>().toEqualTypeOf<'country' | 'region' | 'zipcode'>()
      expectTypeOf<keyof typeof customer>().toBeNever()
      expectTypeOf(settings).toBeUnknown()
      return []
    },
  })
  expect(createProvider({ store: memoryStore(), rates: [adapter] }).services).toEqual(['rates'])
})

test('paymentAdapter() infers requests and settings from the object, for its page and its pushes too', () => {
  const adapter = paymentAdapter({
    name: 'psp',
    needs: ['customer.email', 'billing_address.name'],
    settings: account,
    methods({ customer, billing_address }, { settings }) {
      void [customer.email, billing_address.name, settings.account]
      // @ts-expect-error not declared
      void customer.firstname
      return []
    },
    start({ customer, shipping_address, amount }, { settings, report }) {
      expectTypeOf(settings).toEqualTypeOf<{ account: string; days: number }>()
      void [customer.email, amount, report]
      // @ts-expect-error not declared
      void shipping_address.country
      return { page: true }
    },
    status(attempt, { settings }) {
      void [attempt.reference, settings.days]
      // @ts-expect-error no such thing is set
      void settings.nothing
      return { status: 'pending' }
    },
    push: {
      verify(push, { settings }) {
        expectTypeOf(settings.account).toBeString()
        return push.query === settings.account
      },
      read: () => [],
    },
    page: {
      render: () => html`<p>Pay</p>`,
      submit(form, _view, { settings, report }) {
        expectTypeOf(settings.account).toBeString()
        void [form, report]
        return { status: 'pending' }
      },
    },
  })
  expect(createProvider({ store: memoryStore(), payments: adapter }).services).toEqual(['payments'])
})

test('a need that does not exist and a mistyped member do not compile', () => {
  rateAdapter({
    name: 'courier',
    // @ts-expect-error there is no such field
    needs: ['customer.emial'],
    quote: () => [],
  })
  paymentAdapter({
    name: 'psp',
    methods: () => [],
    start: () => ({ later: true }),
    // @ts-expect-error there is no such member
    statuss: () => ({ status: 'pending' }),
  })
})

test('the adapter is the object that was given', () => {
  const given = { name: 'courier', quote: () => [] }
  expect(rateAdapter(given)).toBe(given)
  const psp = { name: 'psp', methods: () => [], start: () => ({ later: true }) as const }
  expect(paymentAdapter(psp)).toBe(psp)
})
