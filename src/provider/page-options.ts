import type { AnyPaymentAdapter } from '../any-adapter.ts'
import type { Brand } from '../brand/brand.ts'
import { brandSchema } from '../brand/brand-schema.ts'
import { optionFaults } from '../checked-options.ts'
import type { ErrorFault } from '../errors/errors.ts'
import { fileFault } from '../file-fault.ts'
import { assetFolder } from '../http/pages/adapter-pages.ts'
import { PageAssets } from '../http/pages/assets.ts'
import { PageImages } from '../http/pages/images.ts'
import { allowFaults } from '../http/pages/policy.ts'
import { textFaults } from '../http/pages/texts.ts'
import { readWellKnown } from '../http/well-known.ts'

/** The faults of the pages of payment adapters, of the brands and of the provider's texts, each with its place. */
export function pageFaults(
  { brand, texts }: { brand?: unknown; texts?: unknown },
  adapters: readonly AnyPaymentAdapter[],
  { development }: { development: boolean },
): ErrorFault[] {
  const found = brandFaults('payments.brand', brand)
  for (const { path, message } of textFaults(texts, { ours: true }))
    found.push({ path: `payments.texts${path}`, message })
  found.push(...readWellKnown(adapters).faults.map((message) => ({ message })))
  for (const { name, page, brand: own } of adapters) {
    const place = (member: string) => `payments: ${member} of "${name}"`
    found.push(...brandFaults(place('brand'), own))
    for (const fault of allowFaults(page?.allow, development))
      found.push({ message: `${place('page.allow')} ${fault}` })
    for (const { path, message } of textFaults(page?.texts))
      found.push({ message: `${place(`page.texts${path}`)} ${message}` })
    if (page?.assets === undefined) continue
    try {
      new PageAssets(assetFolder(page.assets))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const folder = assetFolder(page.assets)
      const fault =
        code === undefined
          ? message
          : `names ${folder}, which ${fileFault(folder, code, { wanted: 'folder' })}`
      found.push({ message: `${place('page.assets')} ${fault}` })
    }
  }
  return found
}

function brandFaults(place: string, brand: unknown): ErrorFault[] {
  if (brand === undefined) return []
  const faults = optionFaults(brandSchema('files'), brand).map(
    ({ path, message }): ErrorFault => ({
      path: path === undefined ? place : `${place}.${path}`,
      message,
    }),
  )
  if (faults.length > 0) return faults
  return (['logo', 'favicon'] as const).flatMap((member) => {
    const source = (brand as Brand)[member]
    // Other images are paths of files.
    const isFile = source !== undefined && !String(source).startsWith('https:')
    const fault = isFile && PageImages.readFile(String(source))
    return typeof fault === 'string' ? [{ path: `${place}.${member}`, message: fault }] : []
  })
}
