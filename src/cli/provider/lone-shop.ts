import { existsSync } from 'node:fs'
import { inspect } from '../../provider/inspection.ts'
import type { Provider } from '../../provider/provider.ts'

/** The only shop in the provider's store; `undefined` if there are several, or none, or no store that answers. Creates no database. */
export async function loneShop(provider: Provider): Promise<string | undefined> {
  try {
    const inspection = inspect(provider)
    const { databaseUrl } = inspection.describe()
    if (databaseUrl.startsWith('sqlite:') && !existsSync(databaseUrl.slice('sqlite:'.length)))
      return undefined
    const shops = await (await inspection.openStore()).shops(2)
    return shops.length === 1 ? shops[0]!.id : undefined
  } catch {
    return undefined
  }
}
