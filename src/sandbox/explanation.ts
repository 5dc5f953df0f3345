import { z } from 'zod'
import { jsonIn } from '../contract/json.ts'
import { each } from '../use-cases/option-faults.ts'
import { fetchText } from './fetch-text.ts'

const [text, number] = [z.string(), z.number()]
const [maybeText, maybeNumber] = [text.optional(), number.optional()]
const id = z.union([text, number]).optional()

/** An error of an adapter, with its lines of code. */
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
