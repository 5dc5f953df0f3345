import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PurveyorError } from '../../errors.ts'

export interface RemoteCall {
  method: string
  url: string
  body: string | undefined
}

export interface RemoteAnswer {
  status: number
  body: string
}

/** Stores a carrier's answers in files, one per request, so that tests need no carrier. Headers are never stored. */
export interface Fixtures {
  folder: string
  /** `record` calls the carrier and writes its answer; `replay` only reads. */
  mode: 'record' | 'replay'
}

const fileOf = ({ folder }: Fixtures, { method, url, body = '' }: RemoteCall): string =>
  join(folder, `${createHash('sha256').update(`${method} ${url}\n${body}`).digest('hex').slice(0, 16)}.json`)

/** Rejects without a recorded answer, and says how to make one. */
export async function replay(fixtures: Fixtures, call: RemoteCall): Promise<RemoteAnswer> {
  const file = fileOf(fixtures, call)
  const kept = await readFile(file, 'utf8').catch(() => {
    throw new PurveyorError(
      'CARRIER_FAILED',
      `There is no recorded answer ${file}. Run once with fixtures: { mode: 'record' }`,
    )
  })
  const { status, body, text } = JSON.parse(kept) as { status: number; body: unknown; text?: string }
  return { status, body: text ?? JSON.stringify(body) }
}

export async function record(
  fixtures: Fixtures,
  call: RemoteCall,
  { status, body }: RemoteAnswer,
): Promise<void> {
  await mkdir(fixtures.folder, { recursive: true, mode: 0o700 })
  const { method, url } = call
  const kept = { method, url, asked: parsed(call.body), status, ...parts(body) }
  // The request may hold a person's data.
  await writeFile(fileOf(fixtures, call), `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
}

/** What is no JSON, such as an empty answer, stays as it came. */
function parts(text: string): { body: unknown } | { text: string } {
  try {
    return { body: JSON.parse(text) }
  } catch {
    return { text }
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
