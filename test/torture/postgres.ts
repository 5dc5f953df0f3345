import { startPostgres } from '../postgres.ts'
import { runKills } from './kills.ts'
import { runRaces } from './races.ts'
import { runLostCommits, runRestarts } from './restarts.ts'

export interface PostgresTargets {
  races: number
  kills: number
  payments: number
  commits: number
  /** How long the server is up between two stops, in milliseconds. */
  up: readonly [number, number]
}

/** What must survive on a PostgreSQL server: races, kills, a server that stops and starts, lost answers to COMMIT. */
export async function torturePostgres({ races, kills, payments, commits, up }: PostgresTargets) {
  const server = await startPostgres()
  try {
    const raced = await runRaces(races, await server.database())
    console.log(`${raced.races} races of two processes, ${raced.split} split`)
    const lost = await runLostCommits(commits, server)
    console.log(`${lost.lost} answers to COMMIT lost, ${lost.repeated} carried out twice or not at all`)
    const killed = await runKills(kills, 1, await server.database())
    console.log(`${killed.kills} kills by SIGKILL, ${killed.lost} lost, ${killed.invented} invented`)
    const restarted = await runRestarts(payments, server, 1, up)
    console.log(
      `${restarted.payments} payments while the server stopped ${restarted.stops} times, ${restarted.wrong} wrong`,
    )
    const failed =
      raced.split + lost.repeated + killed.lost + killed.invented + killed.double_sessions + restarted.wrong
    return { races: raced, lost_commits: lost, kills: killed, restarts: restarted, failed }
  } finally {
    await server.remove()
  }
}
