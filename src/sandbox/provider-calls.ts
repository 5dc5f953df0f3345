import type { Reading, Received } from './answers.ts'
import type { CallLog } from './call-log.ts'
import { fetchExplanation } from './explanation.ts'
import { shopId } from './payloads.ts'

const maxAnswer = 1024 * 1024
const keepOfAnswer = 64 * 1024

export interface ProviderCall<T> {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  orderId?: number
  read: (received: Received) => Reading<T>
}

/** Calls a provider's endpoint as a platform does, and logs both sides. Never rejects: no answer is an answer too. */
export class ProviderCalls {
  readonly #endpoint: string
  readonly #log: CallLog
  readonly #timeout: number

  /** `timeout` in milliseconds. */
  constructor(endpoint: string, log: CallLog, timeout: number) {
    // A urlEndpoint may be registered with a slash at the end.
    this.#endpoint = endpoint.replace(/\/+$/, '')
    this.#log = log
    this.#timeout = timeout
  }

  async call<T>({ method, path, body, orderId, read }: ProviderCall<T>): Promise<T> {
    const url = `${this.#endpoint}/${path}`
    const at = Date.now()
    const received = await this.#send(method, url, body)
    const ms = Date.now() - at
    const { value, faults, meaning } = read(received)
    const { explanationId } = received
    const explanation = explanationId ? await fetchExplanation(this.#endpoint, explanationId) : undefined
    this.#log.add({
      at,
      direction: 'shop to provider',
      orderId,
      method,
      url,
      request: body,
      status: received.status,
      ms,
      answer: received.text.slice(0, keepOfAnswer),
      faults,
      meaning,
      explanation,
    })
    return value
  }

  async #send(
    method: string,
    url: string,
    body: unknown,
  ): Promise<Received & { explanationId?: string | null }> {
    const none = { status: undefined, contentType: '', text: '' }
    try {
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        headers: {
          'user-agent': 'WebshopappApi',
          'x-shop-id': String(shopId),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(this.#timeout),
      })
      const { text, cut } = await readText(response)
      const failure = cut ? 'the answer is larger than 1 MB' : undefined
      return {
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        text,
        failure,
        explanationId: response.headers.get('purveyor-explanation'),
      }
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } }
      if (name === 'TimeoutError') return { ...none, failure: `no answer within ${this.#timeout / 1000} s` }
      return { ...none, failure: `no connection (${cause?.code ?? (error as Error).message})` }
    }
  }
}

async function readText(response: Response): Promise<{ text: string; cut: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxAnswer) return { text: '', cut: true }
    chunks.push(chunk)
  }
  return { text: Buffer.concat(chunks).toString('utf8'), cut: false }
}
