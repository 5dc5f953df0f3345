import type { Provider } from '../../provider/provider.ts'
import { hostNamed } from '../../shops/shop.ts'
import type { HostsChange } from '../../store.ts'
import { systemUser } from '../serve/system-user.ts'
import { type Command, type Options, ofShop } from '../table.ts'
import { complain, print } from '../terminal/print.ts'
import { withoutProgress } from '../terminal/progress.ts'
import { UsageError } from '../terminal/usage.ts'

const names = { '<host...>': 'such as shop.example.com, or shop.example.com:8443' }

/** A command that changes the list of hosts of a shop, then shows it. */
const changing = (
  description: string,
  example: string,
  change: (hosts: readonly string[]) => HostsChange,
  takes: Options = names,
): Command =>
  ofShop({
    description,
    examples: [`purveyor shop hosts ${example}`],
    arguments: takes,
    async run(given, { shops }) {
      const { shop, host = [], json } = given as { shop: string; host?: string[]; json?: boolean }
      const now = await shops.changeHosts(shop, change(host), { by: systemUser() })
      print(json, { shop, ...now }, () => [
        `Shop ${shop} accepts ${now.confirmed ? 'these hosts only:' : 'any public host. Seen so far:'}`,
        ...now.hosts.map((host) => `  ${host}`),
        now.hosts.length === 0 && '  none',
        !now.confirmed && `To close the list: purveyor shop hosts confirm ${shop} <host...>`,
      ])
    },
  })

export const hosts: Command = {
  description: 'manage the hosts allowed in webhook_url and redirect_url',
  commands: {
    list: changing('list the hosts', 'list bikes', () => ({}), {}),
    confirm: changing(
      'close the list; every other host is refused',
      'confirm bikes shop.bikes.example',
      (add) => ({ add, only: add.length > 0, confirm: true }),
      { '[host...]': 'the whole list; default: the hosts seen so far' },
    ),
    add: changing('add hosts', 'add bikes pay.bikes.example', (add) => ({ add })),
    remove: changing('remove hosts', 'remove bikes pay.bikes.example', (remove) => ({ remove })),
  },
}

/**
 * The hosts to close the list of a shop with: those of `--host`, or those typed at a terminal. `undefined` leaves the list open. The prompt
 * holds those that are `proposed`. It shows those that are `noted` but does not hold them: a stranger may have named them.
 */
export async function hostsToClose(
  { services }: Provider,
  given: readonly string[] | undefined,
  json: boolean | undefined,
  { proposed = '', noted = [] }: { proposed?: string; noted?: readonly string[] } = {},
): Promise<readonly string[] | undefined> {
  const mayAsk = !json && process.stdin.isTTY === true && process.stdout.isTTY === true
  if (given || !mayAsk || !services.includes('payments')) return given
  const { text, isCancel } = await import('@clack/prompts')
  const seen = noted.length > 0 ? ` Seen so far: ${noted.join(', ')}` : ''
  const answer = await withoutProgress(() =>
    text({
      message: `Which hosts does this shop use in webhook_url and redirect_url? Separate them with commas.${seen}`,
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
export async function warnOfOpenHosts({ services, shops }: Provider, shop: string): Promise<void> {
  if (!services.includes('payments') || (await shops.show(shop)).hostsConfirmed) return
  complain(
    `Shop ${shop} accepts any public host in webhook_url and redirect_url. To close its list of hosts: purveyor shop hosts confirm ${shop} <host...>`,
  )
}
