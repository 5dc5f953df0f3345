import { z } from 'zod'
import { readText } from './read-text.ts'

const id = z.union([z.string(), z.number()]).optional()

/** An error of an adapter, with its lines of code. */
const failure = z.object({
  adapter: z.string().optional(),
  what: z.string(),
  message: z.string(),
  lines: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      column: z.number().optional(),
      text: z.string().optional(),
      before: z.string().optional(),
      after: z.string().optional(),
      message: z.string().optional(),
    }),
  ),
  remedy: z.string().optional(),
  frames: z.array(z.string()),
})

/** The explanation of rates by a provider of this framework in development. The answer is not trusted. */
const explanation = z.object({
  fallback: z.boolean(),
  failures: z.array(failure).default([]),
  deadline: z.number().optional(),
  adapters: z.array(
    z.object({
      adapter: z.string(),
      ms: z.number(),
      cache: z.string(),
      result: z.string(),
      reason: z.string().optional(),
      words: z.string().optional(),
      place: z.string().optional(),
      fallback: z.string().optional(),
      calls: z
        .array(
          z.object({
            method: z.string(),
            to: z.string(),
            ms: z.number(),
            status: z.number().optional(),
            failure: z.string().optional(),
            answer: z.string().optional(),
          }),
        )
        .default([]),
      methods: z.array(z.object({ id, title: z.string() })),
      leftOut: z.array(z.object({ place: z.number(), id, reason: z.string() })),
      notes: z.array(z.string()),
      parcels: z.array(
        z.object({
          unit: z.string(),
          actual: z.string(),
          volumetric: z.string().optional(),
          count: z.number(),
          each: z.string(),
        }),
      ),
    }),
  ),
})

/** Why each rate is in an answer or not, as a provider in development sends it to the sandbox. */
export type Explanation = z.output<typeof explanation>

const wait = 2_000

/** Reads the explanation named by the answer's header. `undefined` if there is none. */
export async function fetchExplanation(endpoint: string, id: string): Promise<Explanation | undefined> {
  if (!/^[\w.-]{1,64}$/.test(id)) return undefined
  try {
    const response = await fetch(`${endpoint}/explanations/${id}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(wait),
    })
    const { text } = await readText(response)
    return explanation.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
