import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createProvider, paymentAdapter } from '../../../src/index.ts'
import { payment, shopUrls } from '../../http/messages.ts'
import { paymentUrl } from '../../http/post.ts'
import { nowhere, serveDriver } from '../http/child.ts'

const folder = mkdtempSync(join(tmpdir(), 'purveyor-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const banks = ['Marigold Bank', 'Harbour Savings', 'Juniper & Sons', 'Bank of the North', 'Volksbank']
const choices = banks.map((label) => ({ value: label, label }))

/** A list of banks, as in examples/payment-bank-choice, without a service behind it. */
const bankPage = paymentAdapter({
  name: 'bank',
  mode: 'live',
  methods: () => [{ id: 'bank', title: 'Bank' }],
  start: () => ({ page: true }),
  page: {
    render: ({ form }) => {
      const fields = form()
      const radios = fields.radios({ name: 'bank', label: 'Bank', choices })
      return fields.whole({ button: 'Pay', parts: [radios] })
    },
    submit: () => ({ status: 'pending' }),
  },
})

const provider = createProvider({
  payments: {
    adapters: bankPage,
    brand: { name: 'Bikes & More', support: 'help@shop.example', privacy: 'https://shop.example/privacy' },
  },
  development: false,
  publicUrl: 'https://provider.example',
  secret: 'a secret for a benchmark, 32 characters',
  logger: pino({ level: 'info' }, pino.destination({ dest: nowhere(), sync: true })),
  http: { limits: { perSecond: 1e9, burst: 1e9 } },
  store: `sqlite:${join(folder, 'bench.db')}`,
})
const { endpoint, port } = await provider.listen({ port: 0, host: '127.0.0.1' })
const payment_url = await paymentUrl(`http://127.0.0.1:${port}${new URL(endpoint).pathname}`, {
  ...payment({ id: 1, method: 'bank:bank' }),
  ...shopUrls,
})
serveDriver(`http://127.0.0.1:${port}${new URL(payment_url).pathname}`)
