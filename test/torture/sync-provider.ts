// A provider whose system calls are watched. It ends with its standard input.
import { pino } from 'pino'
import { createProvider } from '../../src/index.ts'

const provider = createProvider({
  development: true,
  logger: pino({ level: 'silent' }),
  payments: {
    name: 'psp',
    methods: () => [],
    start: ({ orderId }) => ({ redirect: `https://psp.example/${orderId}`, reference: orderId }),
  },
  store: `sqlite:${process.argv[2]}`,
})
const { endpoint } = await provider.listen({ port: 0 })
console.log(endpoint)
process.stdin.on('end', () => process.exit()).resume()
