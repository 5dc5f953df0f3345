import { type Command, commandsOf } from './command.ts'
import { ofShop } from './shared-options.ts'

const names = { '<host...>': 'such as shop.example.com, or shop.example.com:8443' }

export const hosts: Command = {
  description: 'manage the hosts allowed in webhook_url and redirect_url',
  commands: commandsOf(() => import('../shop/hosts.ts'), {
    list: ofShop('list the hosts'),
    confirm: ofShop('close the list; every other host is refused', {
      arguments: { '[host...]': 'the whole list; default: the hosts seen so far' },
    }),
    add: ofShop('add hosts', { arguments: names }),
    remove: ofShop('remove hosts', { arguments: names }),
  }),
}
