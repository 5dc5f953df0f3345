import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RequestHandler } from 'express'
import type { AnyPaymentAdapter } from '../any-adapter.ts'
import { fileFault } from '../file-fault.ts'

const mostBytes = 64 * 1024

/** Files that wallets ask for below `/.well-known`, by their names. */
export type WellKnownFiles = ReadonlyMap<string, Buffer>

/**
 * The `wellKnown` files of the adapters, and what is wrong with them. Names are plain. None proves to an authority that a certificate for
 * this host may be issued (`acme-challenge`, `pki-validation`): that stays with whoever runs the host.
 */
export function readWellKnown(adapters: readonly Pick<AnyPaymentAdapter, 'name' | 'wellKnown'>[]): {
  files: WellKnownFiles
  faults: string[]
} {
  const files = new Map<string, Buffer>()
  const faults: string[] = []
  for (const { name: adapter, wellKnown = {} } of adapters) {
    if (typeof wellKnown !== 'object' || wellKnown === null || Array.isArray(wellKnown)) {
      faults.push(
        `payments: wellKnown of "${adapter}" must be an object of names with the paths of their files`,
      )
      continue
    }
    for (const [name, path] of Object.entries(wellKnown)) {
      const fault = nameFault(name) ?? (files.has(name) ? 'is named by two adapters' : undefined)
      const read = fault ?? readFile(path)
      if (typeof read === 'string')
        faults.push(`payments: wellKnown of "${adapter}": ${JSON.stringify(name)} ${read}`)
      else files.set(name, read)
    }
  }
  return { files, faults }
}

function nameFault(name: string): string | undefined {
  if (!/^[a-z\d][a-z\d._-]{0,99}$/i.test(name))
    return 'must be a plain name of letters, digits, dots, - and _'
  if (/^(?:acme-challenge|pki-validation)$/i.test(name))
    return 'would prove to an authority that others own this host'
  return undefined
}

function readFile(path: string | URL): Buffer | string {
  try {
    return statSync(path).size > mostBytes ? 'is larger than 64 KiB' : readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const named = path instanceof URL && path.protocol === 'file:' ? fileURLToPath(path) : String(path)
    return `names ${named}, which ${fileFault(named, code)}`
  }
}

/** Serves them as plain text, whatever they hold: never as a page of this host. */
export const wellKnownRoute =
  (files: WellKnownFiles): RequestHandler<{ name: string }> =>
  (req, res, next) => {
    const file = files.get(req.params.name)
    if (!file) return next()
    res.set({
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    })
    return void res.send(file)
  }
