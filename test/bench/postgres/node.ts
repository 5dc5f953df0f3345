import { starter } from '../payments/starter.ts'
import { rawStarter } from './raw.ts'

// One node, a process of its own: starts payments whenever it is asked to, and says when it is done.
const [kind, databaseUrl = '', first = '0'] = process.argv.slice(2)
const { start, close } = await (kind === 'raw' ? rawStarter : starter)(databaseUrl, Number(first))

process.on('message', async ({ starts, callers }: { starts: number; callers: number }) => {
  await start(starts, callers)
  process.send!('done')
})
process.once('disconnect', () => void close())
process.send!('ready')
