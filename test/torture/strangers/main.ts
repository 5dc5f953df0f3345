// What strangers may try, in a process of its own: `node main.ts <inputs> <seed> <tokens> <tabs>` prints one JSON object.
import { tryAddresses } from './addresses.ts'
import { plantCanaries } from './canaries.ts'
import { attackWithInputs } from './hostile-inputs.ts'
import { tryPages } from './pages.ts'
import { tryTenants } from './tenants.ts'

const [inputs = 2000, seed = 1, tokens = 200, tabs = 5] = process.argv.slice(2).map(Number)

export interface StrangersReport {
  violations: string[]
}

const violations: string[] = []
for (const attempt of [
  () => tryTenants(tokens),
  () => tryPages(tabs),
  () => tryAddresses(),
  () => plantCanaries(),
  () => attackWithInputs(inputs, seed),
]) {
  violations.push(
    ...(await attempt().then(
      (report) => report.violations,
      (error: unknown) => [`it broke: ${error}`],
    )),
  )
  if (violations.length > 0) break
}
console.log(JSON.stringify({ violations: violations.slice(0, 20) } satisfies StrangersReport))
process.exit()
