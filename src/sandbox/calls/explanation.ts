import { z } from 'zod'
import { each } from '../../checked-options.ts'
import { jsonIn } from '../../contract/texts.ts'

const maxAnswer = 1024 * 1024

interface Fetched {
  /** Not set without an answer. */
  response?: Response
  /** Empty where it is larger than 1 MB, decoded. */
  text: string
  /** Why there is no answer, or no text of it. */
  failure?: string
}

/** Calls an address and reads the text of its answer; follows no redirect. `timeout` is in milliseconds. Never rejects. */
export async function fetchText(url: string, init: RequestInit, timeout: number): Promise<Fetched> {
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
    return { response, text: Buffer.concat(chunks).toString('utf8') }
  } catch (error) {
    const { name, cause, message } = error as Error & { cause?: { code?: string } }
    if (name === 'TimeoutError') return { text: '', failure: `no answer within ${timeout / 1000} s` }
    return { text: '', failure: `no connection (${cause?.code ?? message})` }
  }
}

const [text, number] = [z.string(), z.number()]
const [maybeText, maybeNumber] = [text.optional(), number.optional()]
const id = z.union([text, number]).optional()

const failure = z.object({
  ...each(text, 'what', 'message'),
  ...each(maybeText, 'adapter', 'remedy'),
  lines: z.array(
    z.object({
      file: text,
      line: number,
      column: maybeNumber,
      ...each(maybeText, 'text', 'before', 'after', 'message'),
    }),
  ),
  frames: z.array(text),
})

const call = z.object({
  ...each(text, 'method', 'to'),
  ms: number,
  status: maybeNumber,
  ...each(maybeText, 'failure', 'answer'),
})
const parcels = z.object({ ...each(text, 'unit', 'actual', 'each'), volumetric: maybeText, count: number })

/** The explanation of rates by a provider of this framework in development. The answer is not trusted. */
const explanation = z.object({
  fallback: z.boolean(),
  failures: z.array(failure).default([]),
  deadline: maybeNumber,
  adapters: z.array(
    z.object({
      ...each(text, 'adapter', 'cache', 'result'),
      ...each(maybeText, 'reason', 'words', 'place', 'fallback'),
      ms: number,
      calls: z.array(call).default([]),
      methods: z.array(z.object({ id, title: text })),
      leftOut: z.array(z.object({ place: number, id, reason: text })),
      notes: z.array(text),
      parcels: z.array(parcels),
    }),
  ),
})

/** Why each rate is in an answer or not, as a provider in development sends it to the sandbox. */
export type Explanation = z.output<typeof explanation>

/** Reads the explanation named by the answer's header. `undefined` if there is none. */
export async function fetchExplanation(endpoint: string, id: string): Promise<Explanation | undefined> {
  if (!/^[\w.-]{1,64}$/.test(id)) return undefined
  const { text } = await fetchText(`${endpoint}/explanations/${id}`, {}, 2_000)
  return explanation.safeParse(jsonIn(text)).data
}
