import type { SeededBug } from '../seeded-bugs.ts'
import type { NeighbourKind } from './all.ts'

/** A bug that lets a bad neighbour harm others, and the run of that neighbour which must find it. */
export type NeighbourBug = SeededBug & { by: NeighbourKind }

export const neighbourBugs: readonly NeighbourBug[] = [
  {
    name: 'names are looked up in the threads of the process',
    by: 'silent-name-server',
    file: 'network/names/names.ts',
    edits: [
      [
        'ask: askFamily ?? new NameServers(nameServers).ask,',
        "ask: askFamily ?? (async (name, family) => { void NameServers, nameServers; return (await (await import('node:dns/promises')).lookup(name, { all: true, family })).map(({ address }) => ({ address, ttl: 5 })) }),",
      ],
    ],
  },
  {
    name: 'the lookups of all shops wait in one lane',
    by: 'silent-name-server',
    file: 'network/names/resolver.ts',
    edits: [['this.#laneOf(laneName)', "this.#laneOf(laneName && '')"]],
  },
  {
    name: 'a name server that is silent is asked again for each call',
    by: 'silent-name-server',
    file: 'network/names/resolver.ts',
    edits: [['NAME_SERVER_FAILED: 20_000', 'NAME_SERVER_FAILED: 0']],
  },
]
