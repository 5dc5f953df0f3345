import { checkAttempts } from '../../background.ts'
import { day, hour, minute, paymentsWith } from '../../helpers/provider.ts'
import { type Found, joined } from '../found.ts'

const perDay = 48

/** Asks about many attempts for two days at a service that allows few calls, and at one that asks for a pause. */
export async function tryAsking(): Promise<Found> {
  return joined([await askWithLimit(), await askDuringPause()])
}

async function askWithLimit(): Promise<Found> {
  const asked: number[] = []
  const { start, move, workings, world } = paymentsWith({
    asksPerDay: perDay,
    status: () => {
      asked.push(world.now())
      return { status: 'pending' }
    },
  })
  for (let id = 1; id <= 30; id++) await start({ id })
  for (const end = world.now() + 2 * day; world.now() < end; ) {
    await move(5 * minute)
    await checkAttempts(workings)
  }
  const most = (length: number) =>
    Math.max(
      ...Object.values(Object.groupBy(asked, (at) => Math.floor(at / length))).map((calls) => calls!.length),
    )
  const violations: string[] = []
  if (most(day) > perDay) violations.push(`${most(day)} calls in a day, and the adapter allows ${perDay}`)
  if (most(hour) > perDay / 24) violations.push(`${most(hour)} calls in an hour: they are not spread`)
  if (asked.length < perDay) violations.push(`${asked.length} calls in two days: nobody is asked`)
  return { tries: asked.length, violations }
}

async function askDuringPause(): Promise<Found> {
  const asked: number[] = []
  const { start, move, status, workings, world } = paymentsWith({
    async status(_attempt, { fetch }) {
      asked.push(world.now())
      await fetch('https://psp.example/status')
      return { status: 'open' }
    },
  })
  const headers = { 'retry-after': '1200' }
  world.outgoing.fetch = async () => new Response('', { status: 429, headers })
  await start()
  for (let minutes = 0; minutes < 50; minutes++) {
    await move(minute)
    await checkAttempts(workings)
    await status()
  }
  const early = asked.filter((at, place) => place > 0 && at - asked[place - 1]! < 20 * minute)
  const violations = early.length > 0 ? [`${early.length} calls before Retry-After was over`] : []
  if (asked.length < 2) violations.push('nobody is asked again after Retry-After')
  return { tries: asked.length, violations }
}
