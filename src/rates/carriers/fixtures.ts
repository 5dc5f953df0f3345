import { hash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonIn } from '../../contract/texts.ts'
import { PurveyorError } from '../../errors/errors.ts'
import { fileFault } from '../../file-fault.ts'
import { jsonOrText } from '../files/file-text.ts'

export interface RemoteCall {
  method: string
  url: string
  body: string | undefined
  /** Its content type, where `headers` name none. */
  type?: string | undefined
}

export interface RemoteAnswer {
  status: number
  body: string
}

/**
 * Stores a carrier's answers in files, one per request, so that tests need no carrier. Headers are never stored, and values of the address
 * and the body whose names are those of keys, tokens, passwords and signatures are cut.
 */
export interface Fixtures {
  folder: string
  /** `record` calls the carrier and writes its answer; `replay` only reads. */
  mode: 'record' | 'replay'
}

/** With the call without its secrets: a replay needs no key. */
const fileOf = ({ folder }: Fixtures, { method, url, body = '' }: RemoteCall): string =>
  join(folder, `${hash('sha256', `${method} ${url}\n${body}`).slice(0, 16)}.json`)

export async function replay(fixtures: Fixtures, call: RemoteCall): Promise<RemoteAnswer> {
  const file = fileOf(fixtures, withoutSecrets(call))
  const unusable = (says: string) =>
    new PurveyorError('CARRIER_FAILED', `${says}. Run once with fixtures: { mode: 'record' }`)
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw unusable(`There is no recorded answer ${file}`)
    throw new PurveyorError('CARRIER_FAILED', `The recorded answer ${file} ${fileFault(file, error.code)}`)
  })
  const { status, body, text } = Object(jsonIn(kept)) as { status?: number; body?: unknown; text?: string }
  if (typeof status !== 'number' || (body === undefined && typeof text !== 'string'))
    throw unusable(`${file} is not a recorded answer: remove it`)
  return { status, body: text ?? JSON.stringify(body) }
}

export async function record(fixtures: Fixtures, call: RemoteCall, answer: RemoteAnswer): Promise<void> {
  const { status, body } = answer
  await mkdir(fixtures.folder, { recursive: true, mode: 0o700 })
  const cut = withoutSecrets(call)
  const { method, url } = cut
  const json = jsonIn(body)
  // Text that is not JSON, such as an empty answer, stays as it came.
  const said = json === undefined ? { text: body } : { body: json }
  const asked = cut.body === undefined ? undefined : jsonOrText(cut.body)
  const kept = { method, url, asked, status, ...said }
  // The request may hold a person's data.
  await writeFile(fileOf(fixtures, cut), `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
}

const cutMark = '***'
const secretName =
  /(key|token|secret|signature|password|passwd|pwd)$|^(sig|auth|authorization|pass|credentials?)$/
const isSecret = (name: string): boolean => secretName.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''))

/** Nothing changes in a call without secrets. */
function withoutSecrets({ method, url, body }: RemoteCall): RemoteCall {
  const cut = new URL(url)
  if (cut.username !== '') cut.username = cutMark
  if (cut.password !== '') cut.password = cutMark
  for (const name of new Set(cut.searchParams.keys())) if (isSecret(name)) cut.searchParams.set(name, cutMark)
  const asked = body === undefined ? undefined : jsonOrText(body)
  const json = () => JSON.stringify(asked, (name, value) => (isSecret(name) ? cutMark : value))
  return {
    method,
    url: cut.href === new URL(url).href ? url : cut.href,
    body: Object(asked) === asked ? json() : body && withoutSecretsOfText(body),
  }
}

/** Values of fields of a form, of attributes and of elements of XML. */
const withoutSecretsOfText = (text: string): string =>
  text
    .replace(/([^\s&=<>"']+)=("[^"]*"|'[^']*'|[^&<>\s]*)/g, (all, name: string) =>
      isSecret(name.replaceAll(/%../g, '')) ? `${name}=${cutMark}` : all,
    )
    .replace(/<(?:[\w.-]+:)?([\w.-]+)([^<>]*)>[^<]*/g, (all, name: string, rest: string) =>
      isSecret(name) ? `<${name}${rest}>${cutMark}` : all,
    )
