import { unlinkSync, writeFileSync } from 'node:fs'
import { counted } from '../../printable.ts'
import type { ShopFault } from '../../shops/add-shops.ts'
import { onProvider } from '../table.ts'
import { complain, print, table } from '../terminal/print.ts'
import { readText } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'
import { type CsvFault, credentialColumns, ShopCsv } from './csv.ts'

export const importShops = onProvider({
  description: 'add many shops, all or none',
  examples: ['purveyor shop import shops.csv --dry-run'],
  arguments: { '<file>': 'CSV with one line per shop; - reads standard input' },
  options: {
    '--dry-run': {
      description: 'report faults without adding shops',
      conflicts: ['endpoints', 'showEndpoint'],
    },
    '--show-endpoint': 'print the endpoints, which are secrets',
    '--endpoints <file>': 'write the endpoints to a new file that only this user can read',
  },
  async run({ file, dryRun, showEndpoint, endpoints, json, by }, provider) {
    const csv = new ShopCsv()
    await csv.read(readText(file, 'Name a CSV file of shops, or - for standard input.'))
    const { ShopsInvalid } = await import('../../shops/add-shops.ts')
    const listed = csv.rows.map(({ shop }) => shop)
    async function add(dryRun: boolean) {
      try {
        const added = await provider.shops.addAll(listed, { dryRun, by })
        if (csv.faults.length === 0) return added
      } catch (error) {
        if (!(error instanceof ShopsInvalid)) throw error
        for (const fault of error.faults) place(csv, fault)
      }
      throw await refused(file, csv.faults, json)
    }
    await add(true)
    const { length } = listed
    const fit = `${counted(length, 'shop')} can be added. Nothing was added.`
    if (dryRun) return print(json, { added: 0, fit: length }, () => fit)
    const added = await (endpoints === undefined ? add(false) : writeEndpoints(endpoints, () => add(false)))
    const done = `${counted(length, 'shop is', 'shops are')} added.`
    const shops = showEndpoint ? added : added.map(({ shop }) => ({ shop }))
    const where =
      endpoints === undefined
        ? 'Their endpoints are secrets. To see one: purveyor shop show <shop> --endpoint'
        : `Their endpoints are in ${endpoints}, which only this user can read.`
    const rows = () => table(added, '', { shop: 'shop', endpoint: 'endpoint' })
    print(json, { added: length, shops, ...(!showEndpoint && { endpoints }) }, () =>
      showEndpoint ? [`${done} Register each urlEndpoint with its shop:`, ...rows()] : [done, where],
    )
    const open = listed.filter(({ hosts }) => hosts === undefined).length
    const says = `webhook_url and redirect_url of ${counted(open, 'shop')} may name any public host, because no hosts are listed.`
    if (open > 0 && provider.services.includes('payments'))
      complain(`${says} To close each list: purveyor shop hosts confirm <shop> <host...>`)
  },
})

function place(csv: ShopCsv, { index, field, code, path, message }: ShopFault): void {
  const part = /^credentials\.(\w+)$/.exec(path ?? '')?.[1] as keyof typeof credentialColumns | undefined
  const own = part && credentialColumns[part]
  const column = field === 'id' ? 'shop' : field === 'platformId' ? 'platform_id' : field
  const name = own && csv.has(own) ? own : column
  const said = path === undefined || name === own ? message : `${path} ${message}`
  csv.fault(csv.rows[index]!.line, name, code, said)
}

async function refused(file: string, faults: readonly CsvFault[], json?: boolean): Promise<UsageError> {
  const { pages } = await import('../explain/pages.ts')
  const remedyOf = (wanted: string) => pages.find(({ code }) => code === wanted)?.remedy ?? ''
  const inOrder = faults.toSorted((a, b) => a.line - b.line || a.column - b.column)
  const explained = inOrder.map((fault) => ({ ...fault, remedy: remedyOf(fault.code) }))
  const count = explained.length === 1 ? 'a fault' : `${explained.length} faults`
  const says = `The file has ${count}, and no shop was added`
  if (json) {
    print(true, { added: 0, faults: explained }, () => '')
    return new UsageError(`${says}.`, 'SHOPS_INVALID')
  }
  const named = file === '-' ? 'input' : file
  const lines = inOrder.map(({ line, name, code, message }) => {
    const place = line === 0 ? named : `${named}:${line}`
    return `\n  ${place} ${name} ${code}: ${message}`
  })
  const remedies = new Set(explained.map(({ code, remedy }) => `\n  ${code}: ${remedy}`))
  return new UsageError(`${says}:${lines.join('')}\nRemedy:${[...remedies].join('')}`, 'SHOPS_INVALID')
}

type Added = readonly { shop: string; endpoint: string }[]

/** Creates a new file that only this user can read, adds the shops, then writes their endpoints into it. Each needs the other. */
export async function writeEndpoints(file: string, add: () => Promise<Added>): Promise<Added> {
  makeFile(file)
  const added = await add().catch((error: unknown) => {
    unlinkSync(file)
    throw error
  })
  const rows = added.map(({ shop, endpoint }) => `${shop},${endpoint}\n`)
  writeFileSync(file, ['shop,endpoint\n', ...rows].join(''), { flush: true })
  return added
}

function makeFile(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const [says, which] =
      code === 'EEXIST' ? ['exists already', 'a new'] : [`cannot be created (${code})`, 'another']
    throw new UsageError(`${file} ${says}, and no shop was added. Name ${which} one with --endpoints.`)
  }
}
