import type { AuditEntry } from '../../audit.ts'
import { hasCode } from '../../errors/errors.ts'
import { printable } from '../../printable.ts'
import { auditWords } from '../../shops/audit-words.ts'
import type { DriftRecord } from '../../store-port.ts'
import { expectShop, storeTime } from '../provider/store.ts'
import { limit, moment, ofShop, onStore, parsed } from '../table.ts'
import { print, printTable } from '../terminal/print.ts'
import { checkFailed } from '../terminal/usage.ts'

/** The audit trail. Ends with exit code 1 for a shop that never existed. */
export const log = ofShop({
  description: 'list who changed what and when, newest last',
  examples: ['purveyor shop log bikes --since 7d'],
  options: { '--since <time>': parsed('only changes since then: 2h, 7d or a date', moment), ...limit },
  async run({ shop: id, since, limit, json }, { shops }, inspection) {
    const from = since?.(storeTime(await inspection().openStore()))
    const entries = await shops.log(id, { since: from, limit }).catch((error: unknown) => {
      if (!hasCode(error, 'UNKNOWN_SHOP')) throw error
      const says = `There is no shop ${id}, and the audit trail has no entry for it.`
      throw checkFailed(`${says} See: purveyor shop list`)
    })
    const none = `Nothing of shop ${id} was changed${since === undefined ? '' : ' since then'}.`
    print(json, entries, () => (entries.length === 0 ? none : entries.map(lineOf)))
  },
})

export const lineOf = (entry: AuditEntry): string =>
  printable(`${new Date(entry.at).toISOString()}  ${entry.by}  ${auditWords(entry)}`)

export const drift = onStore({
  description: "list where the messages of the shops' platforms differ from the contract",
  examples: ['purveyor shop drift bikes'],
  arguments: { '[shop]': 'the id of the shop; default: all' },
  options: limit,
  async run({ shop, limit, json }, store) {
    await expectShop(store, shop)
    const found = await store.drifts({ shopId: shop, limit })
    printTable(json, found, 'No message differed from the contract.', {
      ...{ shop: 'shopId', message: 'message', field: 'path' },
      kind: ({ kind }) => (kind === 'true' ? 'true or false' : kind),
      became: (one) => becameWords[one.became] ?? one.became,
      ...{ messages: 'count', last: 'lastAt' },
    })
  },
})

const becameWords: Record<DriftRecord['became'], string> = {
  ignored: 'ignored: the contract has no such field',
  read: 'read, though in another form',
  cut: 'cut: only a part was read',
  rounded: 'rounded to the decimals of its currency',
  lost: 'lost: its form cannot be read',
  refused: 'the message was refused for it',
}
