import { type Command, commandsOf, parsed } from './command.ts'
import { moment } from './option-values.ts'
import { json, limit, onlyShop } from './shared-options.ts'

const kinds = 'webhook, push, rates or starts'
const lane = {
  '<kind>': kinds,
  '<shop>': 'the id of the shop; @all for rates or starts of all shops',
  '<to>': 'the host of the receiver, or the adapter',
}

export const command: Command = {
  description:
    'inspect lanes: webhooks of a shop to a host, pushes through an adapter, rates from an adapter, failing starts',
  commands: commandsOf(() => import('../lanes/lanes.ts'), {
    list: {
      description:
        'list lanes that are closed, fail or wait for over a minute, and payment services that fail',
      options: {
        '--kind <kind>': kinds,
        ...onlyShop,
        '--since <time>': parsed(
          'also outages that ended since then: 2h, 30d or a date; default: 24h',
          moment,
        ),
        '--all': 'also lanes in which nothing fails, with calls under way',
        ...limit,
        ...json,
      },
    },
    show: {
      description: 'show one lane: why it fails, and its outages of the last 30 days',
      arguments: lane,
      options: json,
    },
    open: { description: 'open a closed lane and try its waiting calls now', arguments: lane, options: json },
  }),
}
