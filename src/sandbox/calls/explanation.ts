import { z } from 'zod'
import { jsonIn } from '../../contract/texts.ts'
import type { AdapterFailure } from '../../observability/log.ts'
import type { RatesExplanation } from '../../rates/explanation.ts'

const maxAnswer = 1024 * 1024

/** Reads the text of an answer; empty above 1 MB. Follows no redirect. Never rejects: `failure` is why there is none. `timeout`: in milliseconds. */
export async function fetchText(url: string, init: RequestInit, timeout: number) {
  try {
    const signal = AbortSignal.timeout(timeout)
    const response = await fetch(url, { redirect: 'manual', signal, ...init })
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxAnswer) return { response, text: '', failure: 'the answer is larger than 1 MB' }
      chunks.push(chunk)
    }
    return { response, text: Buffer.concat(chunks).toString('utf8'), failure: undefined }
  } catch (error) {
    const { name, cause, message } = error as Error & { cause?: { code?: string } }
    if (name === 'TimeoutError') return { text: '', failure: `no answer within ${timeout / 1000} s` }
    return { text: '', failure: `no connection (${cause?.code ?? message})` }
  }
}

/** Why each rate is in an answer or not, as a provider in development sends it to the sandbox. */
export interface Explanation extends Pick<RatesExplanation, 'fallback' | 'adapters'> {
  /** The time that all adapters together had, in milliseconds. Not set where only failures are known. */
  deadline?: number
  /** The errors of its adapters, each with its place in the developer's code. */
  failures: readonly AdapterFailure[]
}

const lists = z.array(z.object({}))
/** The parts that the log reads. A provider of another version may send something else. */
const readable = z.object({
  adapters: z.array(
    z.object({
      ms: z.number(),
      notes: z.array(z.string()),
      ...{ methods: lists, leftOut: lists, calls: lists, parcels: lists },
    }),
  ),
  failures: z.array(z.object({ lines: lists })).optional(),
})

/** Reads the explanation named by the answer's header. `undefined` if there is none, or none that can be read. */
export async function fetchExplanation(endpoint: string, id: string): Promise<Explanation | undefined> {
  if (!/^[\w.-]{1,64}$/.test(id)) return undefined
  const { text } = await fetchText(`${endpoint}/explanations/${id}`, {}, 2_000)
  const said = jsonIn(text)
  if (!readable.safeParse(said).success) return undefined
  const { failures = [], ...explained } = said as Explanation
  return { failures, ...explained }
}
