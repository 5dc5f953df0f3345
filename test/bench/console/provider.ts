import { serveDriver } from '../http/child.ts'
import { openProvider } from '../http/open-provider.ts'

serveDriver(
  await openProvider({
    store: process.env.BENCH_DATABASE!,
    payments: {
      name: 'bench',
      methods: () => [{ id: 'card', title: 'Card' }],
      start: ({ id }) => ({ redirect: 'https://psp.example/pay', reference: id }),
    },
  }),
)
