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
const order = { ...payment({ id: 1, method: 'bank:bank' }), ...shopUrls }
const { pathname } = new URL(await paymentUrl(endpoint, order))
serveDriver(`${new URL(endpoint).origin}${pathname}`)
