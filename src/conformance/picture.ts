import { imageSize } from 'image-size'
import { answeredStatus } from '../printable.ts'
import type { Outgoing } from '../world.ts'

/** The size of an icon in pixels (spec 8). */
export const iconSize = { width: 50, height: 32 } as const

/** The size of a picture, or why it has none. `reached` is false where nothing answered. */
export type Picture = { width: number; height: number } | { fault: string; reached: boolean }

/** Reads the picture at an address. Never rejects. `timeout` is in milliseconds. */
export async function readPicture(
  address: string,
  { fetch }: Pick<Outgoing, 'fetch'>,
  { caller, timeout }: { caller: string; timeout: number },
): Promise<Picture> {
  let reached = false
  try {
    const signal = AbortSignal.timeout(timeout)
    const answer = await fetch(address, { signal }, { name: caller, network: { maxAnswer: 1024 * 1024 } })
    reached = true
    if (!answer.ok) return { fault: `answers ${answeredStatus(answer.status)}`, reached }
    const { width, height } = imageSize(new Uint8Array(await answer.arrayBuffer()))
    return { width, height }
  } catch {
    return { fault: reached ? 'is not a readable image' : 'cannot be read', reached }
  }
}
