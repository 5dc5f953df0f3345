// Shoppers of a carrier in trouble, in a process of its own: `node main.ts [short|long]` prints one JSON object.
import { simulateCarriers } from './simulation.ts'

const [sessions, shops] = process.argv[2] === 'long' ? [10_000, 200] : [1_500, 30]
console.log(JSON.stringify(await simulateCarriers(1, sessions, shops)))
process.exit()
