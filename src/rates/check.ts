import { createHash } from 'node:crypto'
import {
  type FieldFault,
  faultsOf,
  shipmentMethodWriter,
  type WireShipmentMethod,
} from '../contract/index.ts'

export type CheckedMethod =
  | { method: WireShipmentMethod & { id: string } }
  | { id: string | undefined; faults: FieldFault[] }

/** Checks one offered method before it leaves (design 4) and writes it as the wire wants it. Never throws. */
export function checkShipmentMethod(adapter: string, offered: unknown): CheckedMethod {
  try {
    const result = shipmentMethodWriter.safeParse(offered)
    if (!result.success) return { id: undefined, faults: faultsOf(result.error) }
    const { id, ...method } = result.data
    return { method: { id: id ?? derivedId(adapter, method.title, method), ...method } }
  } catch {
    // A getter of the adapter's own may throw while it is read.
    return { id: undefined, faults: [{ path: '$', message: 'threw while it was read' }] }
  }
}

/** The same offer gives the same id, whatever it costs today. */
function derivedId(
  adapter: string,
  title: string,
  method: { is_pickup: boolean; is_servicepoint: boolean; address?: string },
) {
  const parts = [adapter, title, method.is_pickup, method.is_servicepoint, method.address ?? '']
  return `${adapter}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)}`
}
