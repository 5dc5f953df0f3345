import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { Connection, Sessions } from '../../../src/store/postgres/connection.ts'

/** A client that writes each query to its stream at once, and a list of what arrives together. */
function client() {
  const packets: string[] = []
  const stream = new Writable({
    writev(chunks, written) {
      packets.push(chunks.map(({ chunk }) => String(chunk)).join(' '))
      written()
    },
  })
  const query = (text: string) => {
    stream.write(text)
    return Promise.resolve({ rows: [] })
  }
  return {
    packets,
    connection: new Connection({ connection: { stream }, query } as unknown as PoolClient, new Sessions({})),
  }
}

test('queries of one turn go in one packet, and those of the next in another', async () => {
  const { packets, connection } = client()
  const first = ['begin', 'select 1', 'select 2'].map((text) => connection.query(text))
  await Promise.all(first)
  await turn()
  await connection.query('commit')
  await turn()
  expect(packets).toEqual(['begin select 1 select 2', 'commit'])
})
