// A name server in a process of its own, which after the message `{ bad: true }` answers 4,000 addresses for names that begin with `bad`.
import { openNameServer } from '../../network/name-server.ts'

const large = Array.from({ length: 4_000 }, () => '127.0.0.1')
let isBad = false
const { address } = await openNameServer((name) => ({
  addresses: isBad && name.startsWith('bad') ? large : ['127.0.0.1'],
  ttl: 5,
}))
process.on('message', ({ bad }: { bad: boolean }) => {
  isBad = bad
})
process.on('disconnect', () => process.exit())
process.send?.({ address })
