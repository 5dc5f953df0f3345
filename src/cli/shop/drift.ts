import type { DriftRecord } from '../../store.ts'
import { onStore } from '../kinds.ts'
import { limit } from '../options.ts'
import { expectShop } from '../store.ts'
import { print, table, time } from '../terminal/print.ts'

/** The latest first. */
export const drift = onStore({
  description: "list what the shops' platforms send beside the contract",
  examples: ['purveyor shop drift bikes'],
  arguments: { '[shop]': 'the id of the shop; default: all' },
  options: limit,
  async run({ shop, limit, json }, store) {
    await expectShop(store, shop)
    const found = await store.drifts({ shopId: shop, limit })
    print(json, found, () =>
      table(found, 'No message had a field that the contract does not know.', {
        shop: ({ shopId }) => shopId,
        message: ({ message }) => message,
        field: ({ path }) => path,
        kind: ({ kind }) => kindWords[kind] ?? kind,
        became: (one) => becameWords[one.became] ?? one.became,
        messages: ({ count }) => String(count),
        last: ({ lastAt }) => time(lastAt),
      }),
    )
  },
})

const kindWords: Record<string, string> = { true: 'true or false' }

const becameWords: Record<DriftRecord['became'], string> = {
  ignored: 'ignored: no field of the contract',
  read: 'read, in another form',
  cut: 'cut: only a part was read',
  rounded: 'rounded: finer than its currency',
  lost: 'lost: not in a form that can be read',
  refused: 'the message was refused for it',
}
