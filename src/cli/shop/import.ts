import { createReadStream } from 'node:fs'
import { textOf } from '../../adapters/files/file-text.ts'
import { counted } from '../../printable.ts'
import type { Provider } from '../../provider/provider.ts'
import { type ShopFault, ShopsInvalid } from '../../use-cases/shops/add-shops.ts'
import { pages } from '../explain/pages.ts'
import { type ProviderOption, withProvider } from '../provider/with-provider.ts'
import { unreadable } from '../read-input.ts'
import { systemUser } from '../system-user.ts'
import { complain, print, table } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'
import { type Column, type CsvFault, credentialColumns, readShopCsv, type ShopCsv } from './csv.ts'
import { type ShopEndpoint, writeEndpoints } from './endpoints-file.ts'

export interface ImportOptions extends ProviderOption {
  dryRun?: boolean
  showEndpoint?: boolean
  endpoints?: string
}

/** In bytes. */
const largest = 16 * 1024 * 1024

/** Adds every shop of a file, or none. */
export function importShops(file: string, options: ImportOptions): Promise<void> {
  return withProvider(options, async (provider) => {
    const csv = await readShopCsv(await contentOf(file))
    const add = (dryRun: boolean) => addAll(provider, csv, file, { dryRun, json: options.json })
    await add(true)
    const { length } = csv.rows
    if (options.dryRun) {
      const text = `${counted(length, 'shop')} can be added. Nothing was added.`
      return print(options.json, { added: 0, fit: length }, () => text)
    }
    const added = await (options.endpoints === undefined
      ? add(false)
      : writeEndpoints(options.endpoints, () => add(false)))
    report(added, options)
    warnOfOpenLists(provider, csv)
  })
}

async function addAll(
  provider: Provider,
  csv: ShopCsv,
  file: string,
  { dryRun, json }: { dryRun: boolean; json: boolean | undefined },
): Promise<readonly ShopEndpoint[]> {
  const shops = csv.rows.map(({ shop }) => shop)
  try {
    const added = await provider.shops.addAll(shops, { dryRun, by: systemUser() })
    if (csv.faults.length === 0) return added
  } catch (error) {
    if (!(error instanceof ShopsInvalid)) throw error
    csv.faults.push(...placed(csv, error.faults))
  }
  throw refused(file, csv.faults, json)
}

const columnOf: Record<ShopFault['field'], Column> = {
  id: 'shop',
  platformId: 'platform_id',
  hosts: 'hosts',
  settings: 'settings',
}

/** Maps the faults of shops to lines and columns of their file. */
function placed({ rows, places }: ShopCsv, faults: readonly ShopFault[]): CsvFault[] {
  return faults.map(({ index, field, code, path, message }) => {
    const part = /^credentials\.(\w+)$/.exec(path ?? '')?.[1] as keyof typeof credentialColumns | undefined
    const own = part && credentialColumns[part]
    const name = own && places.has(own) ? own : columnOf[field]
    const said = path === undefined || name === own ? message : `${path} ${message}`
    return { line: rows[index]!.line, column: places.get(name) ?? 0, name, code, message: said }
  })
}

function refused(file: string, faults: readonly CsvFault[], json: boolean | undefined): UsageError {
  const inOrder = faults.toSorted((a, b) => a.line - b.line || a.column - b.column)
  const explained = inOrder.map((fault) => ({ ...fault, remedy: remedyOf(fault.code) }))
  const count = explained.length === 1 ? 'a fault' : `${explained.length} faults`
  if (json) {
    print(true, { added: 0, faults: explained }, () => '')
    return new UsageError(`The file has ${count}, and no shop was added.`, 'SHOPS_INVALID')
  }
  const named = file === '-' ? 'input' : file
  const lines = inOrder.map(({ line, name, code, message }) => {
    const place = line === 0 ? named : `${named}:${line}`
    return `\n  ${place} ${name} ${code}: ${message}`
  })
  const remedies = new Map(explained.map(({ code, remedy }) => [code, `\n  ${code}: ${remedy}`]))
  return new UsageError(
    `The file has ${count}, and no shop was added:${lines.join('')}\nWhat to do:${[...remedies.values()].join('')}`,
    'SHOPS_INVALID',
  )
}

const remedyOf = (wanted: string): string => pages.find(({ code }) => code === wanted)?.remedy ?? ''

function report(added: readonly ShopEndpoint[], { json, showEndpoint, endpoints }: ImportOptions): void {
  const count = { added: added.length }
  const done = `${counted(added.length, 'shop is', 'shops are')} added.`
  if (showEndpoint) {
    print(json, { ...count, shops: added }, () => [
      `${done} Register each urlEndpoint with its shop:`,
      ...table(added, '', { shop: ({ shop }) => shop, endpoint: ({ endpoint }) => endpoint }),
    ])
    return
  }
  print(json, { ...count, shops: added.map(({ shop }) => ({ shop })), endpoints }, () => [
    done,
    endpoints === undefined
      ? 'Their endpoints are secrets. To see one: purveyor shop show <shop> --endpoint'
      : `Their endpoints are in ${endpoints}, which only this user can read.`,
  ])
}

/** Warns on standard error that lists of hosts are open, and says how to close them. */
function warnOfOpenLists({ services }: Provider, { rows }: ShopCsv): void {
  const open = rows.filter(({ shop }) => shop.hosts === undefined).length
  if (open === 0 || !services.includes('payments')) return
  complain(
    `Any public host is accepted in webhook_url and redirect_url of ${counted(open, 'shop')} without hosts. To close each list: purveyor shop hosts confirm <shop> <host...>`,
  )
}

/** `-` is standard input. */
async function contentOf(file: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes > largest)
        throw new UsageError(`${file} is larger than 16 MiB. Add the shops in several files.`)
    }
    return textOf(Buffer.concat(chunks), true)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || error instanceof UsageError) throw error
    throw unreadable(file, error, 'Name a CSV file of shops, or - for standard input.')
  }
}
