/** The parts of a path such as `/e/{token}/payment/{order_id}`. A missing part is an empty text. */
export interface ContractPath {
  token: string
  name: string
  last: string
  /** Whether more parts follow. */
  isLonger: boolean
}

const start = '/e/'

export const isContractPath = (path: string): boolean => path.startsWith(start)

/** Takes a contract path apart without a list of its parts: it is done for every call. */
export function contractPathOf(path: string): ContractPath {
  const afterToken = endOfPart(path, start.length)
  const afterName = endOfPart(path, afterToken + 1)
  const afterLast = endOfPart(path, afterName + 1)
  return {
    token: path.slice(start.length, afterToken),
    name: nameIn(path, afterToken + 1, afterName),
    last: path.slice(afterName + 1, afterLast),
    isLonger: afterLast < path.length,
  }
}

const names = ['shipment_methods', 'payment', 'payment_methods']

/** A usual name is one of a few texts that stay, which are compared and looked up sooner than a part of a path. */
function nameIn(path: string, from: number, to: number): string {
  const usual = names.find((name) => name.length === to - from && path.startsWith(name, from))
  return usual ?? path.slice(from, to)
}

function endOfPart(path: string, from: number): number {
  const end = path.indexOf('/', from)
  return end === -1 ? path.length : end
}
