import type { NodeRuns } from '../../src/store-port.ts'

/** A process of a provider on some machine. */
export const processOf = (host: string, since: number): NodeRuns => ({
  ...{ host, pid: 71, mainPid: 70, version: '0.1.0', build: '', since },
})
