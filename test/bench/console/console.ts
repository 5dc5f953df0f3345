import { storeOf } from '../../../src/stores/open.ts'
import { servedConsole } from '../../console/served.ts'
import { serveDriver } from '../http/child.ts'

const { url } = await servedConsole(storeOf(process.env.BENCH_DATABASE!), Number(process.env.BENCH_NOW))
serveDriver(url)
