// One batch of hostile inputs in a process of its own: `node attack.ts <inputs> <seed> <points>` prints one JSON object.
import { attackWithInputs } from './hostile-inputs.ts'

const [inputs = 1000, seed = 1, points] = process.argv.slice(2).map(Number)
console.log(JSON.stringify(await attackWithInputs(inputs, seed, points)))
process.exit()
