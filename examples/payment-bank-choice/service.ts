import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PaymentReport } from 'purveyor'
import type { Bank } from './bank-list.ts'

/** A payment as the service answers it. */
export interface ServicePayment {
  id: string
  status: 'open' | 'pending' | 'paid' | 'canceled' | 'expired' | 'failed'
  amount: { value: string; currency: string }
  expires_at: string
}

/** The service declined a call: it says why, and has done nothing. */
export class Declined extends Error {
  override readonly name = 'Declined'
  readonly status: number

  constructor(status: number, title: string) {
    super(title)
    this.status = status
  }
}

export const serviceUrl = process.env.BANK_SERVICE_URL ?? 'http://127.0.0.1:4010'

/** The part of its API that a shop's key opens. Rejects with `Declined` for a 4xx. Every other error leaves the outcome unknown. */
export function serviceOf({
  fetch,
  settings,
}: {
  fetch: typeof globalThis.fetch
  settings: { key: string }
}) {
  async function call<T>(method: 'GET' | 'POST', path: string, body?: object, key?: string): Promise<T> {
    const answer = await fetch(`${serviceUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${settings.key}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (answer.ok) return (await answer.json()) as T
    const { title } = (await answer.json().catch(() => ({}))) as { title?: string }
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
      throw new Declined(answer.status, title ?? `the bank service answered ${answer.status}`)
    throw new Error(`the bank service answered ${answer.status}`)
  }
  const payment = (id: string) => `/payments/${encodeURIComponent(id)}`
  return {
    banks: async () => (await call<{ banks: Bank[] }>('GET', '/banks')).banks,
    create: (body: object, key: string) => call<ServicePayment>('POST', '/payments', body, key),
    get: (id: string) => call<ServicePayment>('GET', payment(id)),
    /** Opens the payment at a bank. A payment that was open at another bank is closed, because it is paid once. */
    choose: (id: string, bank: string) =>
      call<{ redirect_url: string }>('POST', `${payment(id)}/authorisations`, { bank }),
    cancel: (id: string) => call<ServicePayment>('POST', `${payment(id)}/cancel`),
    refund: (id: string, body: object, key: string) =>
      call<{ id: string }>('POST', `${payment(id)}/refunds`, body, key),
  }
}

export function reportOf({ status, amount }: Pick<ServicePayment, 'status' | 'amount'>): PaymentReport {
  switch (status) {
    case 'paid':
      return { status, amount: amount.value, currency: amount.currency }
    case 'open':
    case 'pending':
    case 'expired':
    case 'failed':
      return { status }
    case 'canceled':
      return { status: 'cancelled' }
    default:
      return { status: 'unknown', detail: status }
  }
}

export const sign = (text: string | Buffer, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('hex')

export function isSigned(text: string | Buffer, signature: string | undefined, secret: string): boolean {
  const [given, right] = [Buffer.from(signature ?? ''), Buffer.from(sign(text, secret))]
  return given.length === right.length && timingSafeEqual(given, right)
}
