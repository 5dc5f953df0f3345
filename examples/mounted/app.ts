// How do I mount a provider in an Express app that I already have?
import express from 'express'
import { createProvider, price } from 'purveyor'

const port = Number(process.env.PORT ?? 3000)

const provider = createProvider({
  // The mount path is part of the address that the shop platform calls.
  publicUrl: process.env.PURVEYOR_PUBLIC_URL ?? `http://127.0.0.1:${port}/checkout`,
  rates: {
    name: 'letterbox',
    quote: ({ shop }) => [
      { title: 'Letterbox parcel', ...price({ incl: '3.95', taxRate: '0.21', currency: shop.currency }) },
    ],
  },
})

const app = express()
app.use('/checkout', provider.router) // before express.json(): the router reads bodies itself, within its own limits
app.use(express.json())
app.get('/', (_req, res) => void res.send('The app that was here before'))

const server = provider.server(app) // Node's own, with limits for the open internet
const { endpoint } = await provider.start()
server.listen(port, '127.0.0.1', () => console.log(`urlEndpoint: ${endpoint}`))

process.once('SIGTERM', () => server.close(() => provider.stop()))
