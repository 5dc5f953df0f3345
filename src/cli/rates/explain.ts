import { Problem } from '../../contract/index.ts'
import { checkoutMessage } from '../../messages/exact.ts'
import { counted } from '../../printable.ts'
import { inspect } from '../../provider/inspection.ts'
import type { AdapterExplanation, RatesExplanation } from '../../rates/explanation.ts'
import type { Parcels } from '../../rates/parcels/packing.ts'
import { loneShop, providerOf } from '../provider/with-provider.ts'
import { type Line, print, time } from '../terminal/print.ts'
import { readJsonFile } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'
import type { Asked } from './options.ts'

/** Without a file it asks with the checkout that `doctor` asks with. */
export async function explain({ provider: named, file, shop: asked, json }: Asked): Promise<void> {
  const body =
    file === undefined ? checkoutMessage() : readJsonFile(file, 'the body of a POST shipment_methods')
  const provider = await providerOf(named)
  const shop = asked ?? (await loneShop(() => inspect(provider)))
  const explained = provider.rates.explain(body, { shop }).finally(() => provider.stop())
  const explanation = await explained.catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    const faults = error.faults.map(({ path, message }) => `\n  ${path === '$' ? 'it' : path} ${message}`)
    const what = `${file === '-' ? 'The input' : file} is not a valid body of POST shipment_methods`
    throw new UsageError(`${what}:${faults.join('') || ` ${error.message}`}`)
  })
  const { asked: what, ms, methods, adapters, fallback, lost = [] } = explanation
  const of = shop === undefined ? '' : ` of shop ${shop}`
  const { quote, shipping_address: to } = checkoutMessage()
  const madeUp = `Asked with a made-up cart: ${quote.weight} g for ${quote.price_incl.toFixed(2)} EUR, to ${to.country} ${to.zipcode}. With --file it asks with the body of a real call, such as one from /log of the sandbox.`
  print(json, { ...explanation, shop }, () => [
    file === undefined && madeUp,
    `${what}${of}: ${counted(methods.length, 'method')} in ${ms} ms${fallback ? ', the fallback rates' : ''}`,
    ...lost.map((path) => `  lost    ${path}  cannot be read, so it counts as missing`),
    ...adapters.flatMap(explainedAdapter),
  ])
  const hasFailed = ({ result, failed }: AdapterExplanation) =>
    result === 'failed' || (result === 'none' && failed !== undefined)
  if (adapters.some(hasFailed)) process.exitCode = 1
}

function explainedAdapter(one: AdapterExplanation): Line[] {
  const fault = placeOfFault(one)
  const { adapter, ms, cache, methods, leftOut, notes, parcels, calls, goodUntil } = one
  const at = one.place === undefined ? '' : ` at ${one.place}`
  return [
    '',
    `${adapter}: ${outcomeOf(one)} (${ms} ms${cache === 'off' ? '' : `, cache ${cache}`})`,
    fault !== undefined && `  remedy  Correct ${fault}. Without a method, answer none('why').`,
    ...calls.map(({ method, to, ms, status, failure, answer }) => {
      const said = answer === undefined ? '' : `  ${answer}`
      return `  call    ${method} ${to}  ${status ?? failure ?? 'no answer'}  ${ms} ms${said}`
    }),
    ...parcels.map((counted) => `  weighs  ${weighed(counted)}`),
    ...methods.map((method) => `  in      ${methodText(method)}`),
    ...leftOut.map(({ place, id, reason: why }) => `  out     ${id ?? `method ${place}`}  ${why}${at}`),
    ...notes.map((note) => `  note    ${note}`),
    methods.length === 0 && goodUntil !== undefined && `  until   ${time(goodUntil)}`,
  ]
}

/** A method as a customer sees it, with a promised delivery and the address of a point, and until when it is true. */
const methodText = (method: AdapterExplanation['methods'][number]): string => {
  const { id, title, price_incl, description, address, goodUntil } = method
  const cost = Number(price_incl) === 0 ? 'free' : price_incl
  const until = goodUntil && `until ${time(goodUntil)}`
  return [String(id), title, cost, description, address, until].filter(Boolean).join('  ')
}

/** The result with its reason, the adapter's own words, and their place in its code. */
function outcomeOf({ result, reason, words, place, fallback }: AdapterExplanation): string {
  const why = [reason, words].filter((text) => text !== undefined).join(': ')
  const by = fallback === undefined ? '' : ` of its fallback ${fallback}`
  const at = place === undefined || result !== 'failed' ? '' : ` at ${place}`
  return `${result}${by}${why && `, ${why}`}${at}`
}

/** Why prices may be missing: adapters that failed, and methods that were left out. */
export const faultsIn = ({ adapters }: RatesExplanation): string[] =>
  adapters.flatMap((one) => {
    const { adapter, result, leftOut, fallback, failed = [] } = one
    return [
      ...(result === 'failed' || result === 'skipped' || fallback ? [`${adapter}: ${outcomeOf(one)}`] : []),
      ...failed.filter((inner) => inner !== adapter).map((inner) => `${inner}: failed inside ${adapter}`),
      ...leftOut.map((of) => `${adapter}: ${of.id ?? `method ${of.place}`} is left out, ${of.reason}`),
    ]
  })

function weighed({ unit, actual, volumetric, list, unknown }: Parcels): string {
  const volume = volumetric === undefined ? '' : `, by volume ${volumetric} ${unit}`
  const sizes = [...Map.groupBy(list, ({ chargeable }) => chargeable)]
  const parcels = sizes.map(([weight, { length }]) => `${counted(length, 'parcel')} of ${weight} ${unit}`)
  const missing = unknown.length > 0 ? ` (unknown: ${unknown.join(', ')})` : ''
  return `${actual} ${unit}${volume}: ${parcels.join(', ')}${missing}`
}

/** Where the adapter's own code threw, such as `rates.ts:16`. `undefined` for other answers, and for one that called its carrier: the call says more. */
export const placeOfFault = ({ result, place, calls }: AdapterExplanation): string | undefined =>
  result === 'failed' && calls.length === 0 ? place : undefined
