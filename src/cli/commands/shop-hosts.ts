import type { Command, Run } from './command.ts'
import { ofShop } from './shared-options.ts'

const change = (what: 'add' | 'remove' | 'confirm') => async (): Promise<Run> => {
  const { hosts } = await import('../shop.ts')
  return (id: string, names: string[], options: object) => hosts(what, id, names, options)
}

/** The commands below `purveyor shop hosts`. */
export const hosts: Command = {
  description: 'manage the hosts allowed in webhook_url and redirect_url',
  commands: {
    list: ofShop({
      description: 'list the hosts',
      load: async () => {
        const shop = await import('../shop.ts')
        return (id: string, options: object) => shop.hosts('list', id, [], options)
      },
    }),
    confirm: ofShop({
      description: 'close the list; every other host is refused',
      arguments: { '[host...]': 'the whole list; default: the hosts seen so far' },
      load: change('confirm'),
    }),
    add: ofShop({
      description: 'add hosts',
      arguments: { '<host...>': 'such as shop.example.com' },
      load: change('add'),
    }),
    remove: ofShop({
      description: 'remove hosts',
      arguments: { '<host...>': 'such as shop.example.com' },
      load: change('remove'),
    }),
  },
}
