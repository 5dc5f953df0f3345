import { openSide } from '../../stores/copy.ts'
import { releaseStore } from '../../stores/release.ts'
import { confirmed } from '../terminal/confirm.ts'
import { print } from '../terminal/print.ts'
import { UsageError } from '../terminal/usage.ts'
import { readStoreAddress } from './db-copy.ts'

interface ReleaseOptions {
  from: string
  to?: string
  copyIsGone?: boolean
  yes?: boolean
  json?: boolean
}

/** Lets providers start again on a store that was copied, and on its copy no longer. */
export async function release({ from: source, to: given, copyIsGone, yes, json }: ReleaseOptions) {
  if ((given === undefined) === !copyIsGone)
    throw new UsageError(
      'Name the copy with --to, so that no provider starts on it any more, or add --copy-is-gone if it was deleted.',
    )
  const from = await openSide('--from', readStoreAddress('--from', source))
  const to = given === undefined ? undefined : await openSide('--to', readStoreAddress('--to', given))
  try {
    const of = to ? `${to.shown} will not be served any more.` : 'No provider may run on its copy.'
    const released = await confirmed(`Serve ${from.shown} again? ${of}`, yes)
    if (released) await releaseStore(from, to)
    print(json, { released, ...(released && { from: from.shown, to: to?.shown }) }, () =>
      released
        ? [
            `Providers start on ${from.shown} again.`,
            ...(to ? [`${to.shown} is given up: empty it before the next copy.`] : []),
          ]
        : 'Nothing was changed.',
    )
  } finally {
    await Promise.all([from.close(), to?.close()])
  }
}
