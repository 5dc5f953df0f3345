import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Collects all garbage now, regardless of the flags of the process. */
export const collectGarbage = runInNewContext('gc') as () => void
