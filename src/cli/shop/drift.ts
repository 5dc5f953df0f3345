import type { DriftRecord } from '../../store.ts'
import { type Listing, withShop } from '../shop-choice.ts'
import { print, table, time } from '../terminal/print.ts'

/** Lists what the platforms of shops send beside the contract, the latest first. */
export function drift(shop: string | undefined, { limit, json }: Omit<Listing, 'shop'>): Promise<void> {
  return withShop(shop, async (store) => {
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
  })
}

const kindWords: Record<string, string> = { true: 'true or false' }

const becameWords: Record<DriftRecord['became'], string> = {
  ignored: 'ignored: no field of the contract',
  read: 'read, in another form',
  cut: 'cut: only a part was read',
  rounded: 'rounded: finer than its currency',
  lost: 'lost: not in a form that can be read',
  refused: 'the message was refused for it',
}
