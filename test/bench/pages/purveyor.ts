import { paymentAdapter } from '../../../src/index.ts'
import { payment, shopUrls } from '../../http/messages.ts'
import { paymentUrl } from '../../http/post.ts'
import { serveDriver } from '../http/child.ts'
import { openProvider } from '../http/open-provider.ts'

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

const endpoint = await openProvider({
  payments: {
    adapters: bankPage,
    brand: { name: 'Bikes & More', support: 'help@shop.example', privacy: 'https://shop.example/privacy' },
  },
})
const order = (id: number) => ({ ...payment({ id, method: 'bank:bank' }), ...shopUrls })
// A page takes 20 visits a second, so many are visited in turn.
const urls = await Promise.all(Array.from({ length: 500 }, (_, at) => paymentUrl(endpoint, order(at + 1))))
serveDriver(...urls.map((url) => `${new URL(endpoint).origin}${new URL(url).pathname}`))
