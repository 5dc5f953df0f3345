import { fork } from 'node:child_process'
import { once } from 'node:events'
import { deliverer } from './webhooks/deliverer.ts'
const receiver = fork(new URL('./webhooks/receiver.ts', import.meta.url), { execArgv: [] })
const [{ url }] = (await once(receiver, 'message')) as [{ url: string }]
for (let i = 0; i < 2; i++) {
const d = await deliverer({ url, calls: 20000, lanes: 100, hanging: 0 })
const s = performance.now()
console.log("T", process.hrtime.bigint() / 1000n)
await d.until(20000)
console.log("E", process.hrtime.bigint() / 1000n); console.log(20000 / (performance.now() - s) * 1000)
await d.close()
}
receiver.disconnect()
