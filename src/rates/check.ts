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
    const method = result.data
    method.id ??= derivedId(adapter, method)
    return { method: method as WireShipmentMethod & { id: string } }
  } catch {
    // A getter of the adapter's own may throw while it is read.
    return { id: undefined, faults: [{ path: '$', message: 'threw while it was read' }] }
  }
}

/** The same offer gives the same id, whatever it costs today. */
function derivedId(adapter: string, method: WireShipmentMethod): string {
  const parts = [adapter, method.title, method.is_pickup, method.is_servicepoint, method.address ?? '']
  return `${adapter}-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)}`
}
