import type { Provider } from '../../provider/provider.ts'
import { hostNamed } from '../../shops/shop.ts'
import { complain } from '../terminal/print.ts'
import { withoutProgress } from '../terminal/progress.ts'
import { UsageError } from '../terminal/usage.ts'

export interface AskOptions {
  /** Filled in at the prompt, to be edited or accepted. */
  proposed?: string
  /** Shown but not filled in: a stranger may have named them. */
  noted?: readonly string[]
  json?: boolean | undefined
}

/** The hosts to close the list of a shop with: those of `--host`, or those typed at a terminal. `undefined` leaves the list open. */
export async function hostsToClose(
  { services }: Pick<Provider, 'services'>,
  given: readonly string[] | undefined,
  { proposed = '', noted = [], json }: AskOptions = {},
): Promise<readonly string[] | undefined> {
  const mayAsk = !json && process.stdin.isTTY === true && process.stdout.isTTY === true
  if (given || !mayAsk || !services.includes('payments')) return given
  const { text, isCancel } = await import('@clack/prompts')
  const answer = await withoutProgress(() =>
    text({
      message: `Which hosts does this shop use in webhook_url and redirect_url? Separate them with commas.${noted.length > 0 ? ` Seen so far: ${noted.join(', ')}` : ''}`,
      placeholder: 'shop.example.com; empty allows every public host',
      initialValue: proposed,
      defaultValue: '',
      validate(typed) {
        const wrong = namesIn(typed ?? '').find((name) => hostNamed(name) === undefined)
        return wrong && `${wrong} is not a host. Leave out https://.`
      },
    }),
  )
  if (isCancel(answer)) throw new UsageError('Nothing was changed.')
  const names = namesIn(answer)
  return names.length > 0 ? names : undefined
}

const namesIn = (typed: string): string[] => typed.split(/[\s,]+/).filter((name) => name !== '')

/** Warns on standard error that the list of hosts of a shop is open, and says how to close it. */
export async function warnOfOpenHosts(
  { services, shops }: Pick<Provider, 'services' | 'shops'>,
  shop: string,
): Promise<void> {
  if (!services.includes('payments') || (await shops.show(shop)).hostsConfirmed) return
  complain(
    `Shop ${shop} accepts any public host in webhook_url and redirect_url. To close its list of hosts: purveyor shop hosts confirm ${shop} <host...>`,
  )
}
