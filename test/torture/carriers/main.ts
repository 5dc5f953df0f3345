// Customers of a carrier in trouble, or one rule, in a process of its own: `node main.ts [short|long|parcels|tariffs]` prints one JSON object.
import { type CarrierRule, carrierRules } from './rules.ts'
import { simulateCarriers } from './simulation.ts'

const [, , asked = 'short'] = process.argv
const [sessions, shops] = asked === 'long' ? [10_000, 200] : [1_500, 30]
const rule = Object.hasOwn(carrierRules, asked) ? carrierRules[asked as CarrierRule] : undefined
console.log(JSON.stringify(await (rule ? rule() : simulateCarriers(1, sessions, shops))))
process.exit()
