import { html, raw } from 'hono/html'
import type { Content, Html } from '../http/pages/parts/frame.ts'

/** The meaning of a mark: what can be pressed, and the looks of states. */
export type Fill = 'a' | 'g' | 'w' | 'b' | 'p' | 'l'

export const [minute, hour] = [60_000, 3_600_000]

/** Steps of time until now, the oldest first, each with the value of `of` for its rows. Default: the minutes of an hour. */
export function inSteps<Row extends { minute: number }, Found>(
  rows: readonly Row[],
  now: number,
  of: (rows: readonly Row[]) => Found,
  { step = minute, count = 60 } = {},
): Found[] {
  const byStep = Map.groupBy(rows, (row) => row.minute)
  const last = now - (now % step)
  return Array.from({ length: count }, (_, at) => of(byStep.get(last - (count - 1 - at) * step) ?? []))
}

const [width, height] = [300, 58]
const rounded = (number: number) => Number(number.toFixed(1))

/** A drawing with the sentence that says the same. */
const plot = (label: string, marks: string, w = width, h = height): Html =>
  html`<svg class="plot" viewBox="0 0 ${w} ${h}" role="img" aria-label="${label}">${raw(marks)}</svg>`

export const figure = (name: string, value: Content, drawing: Html, legend: readonly string[] = []): Html =>
  html`<figure><figcaption><span>${name}</span><b>${value as never}</b></figcaption>${drawing}${legend.length > 0 ? html`<p class="legend">${legend.map((one) => html`<span>${one}</span>`)}</p>` : ''}</figure>`

export interface Mark {
  value: number
  fill: Fill
}

/** Bars side by side, at most 60. */
export function bars(label: string, marks: readonly Mark[]): Html {
  const most = Math.max(1, ...marks.map(({ value }) => value))
  const step = width / Math.max(1, marks.length)
  const drawn = marks.map(({ value, fill }, at) => {
    const tall = (value / most) * (height - 2)
    return value > 0
      ? `<rect class="f-${fill}" x="${rounded(at * step + 0.6)}" y="${rounded(height - 2 - tall)}" width="${rounded(step - 1.2)}" height="${rounded(tall)}" rx=".8"/>`
      : ''
  })
  return plot(label, `${floor}${drawn.join('')}`)
}

const floor = `<path class="s-l" d="M0 ${height - 1.5}h${width}"/>`

/** A line over time, with a limit that it should stay below. `undefined` where nothing was measured. */
export function line(label: string, values: readonly (number | undefined)[], limit?: number): Html {
  const most = Math.max(1, limit ?? 0, ...values.map((value) => value ?? 0)) * 1.05
  const y = (value: number) => rounded(height - 2 - (value / most) * (height - 4))
  const step = width / Math.max(1, values.length - 1)
  let path = ''
  values.forEach((value, at) => {
    if (value === undefined) return
    path += `${values[at - 1] === undefined ? 'M' : 'L'}${rounded(at * step)} ${y(value)}`
  })
  const limitLine =
    limit === undefined ? '' : `<path class="s-b" d="M0 ${y(limit)}h${width}" stroke-dasharray="4 3"/>`
  return plot(label, `${floor}<path class="s-a" d="${path || 'M0 0'}"/>${limitLine}`)
}

/** Parts of a whole. */
export function share(label: string, marks: readonly Mark[]): Html {
  const all = marks.reduce((sum, { value }) => sum + value, 0)
  let x = 0
  if (all === 0)
    return plot(label, `<rect class="f-l" y="6" width="${width}" height="18" rx="3"/>`, width, 32)
  const drawn = marks.map(({ value, fill }) => {
    const wide = (value / all) * width
    const mark =
      wide > 0
        ? `<rect class="f-${fill}" x="${rounded(x)}" y="6" width="${rounded(Math.max(1, wide - 2))}" height="18" rx="3"/>`
        : ''
    x += wide
    return mark
  })
  return plot(label, drawn.join(''), width, 32)
}

/** Half hours or minutes as one row of marks. */
export const strip = (label: string, fills: readonly Fill[]): Html =>
  plot(
    label,
    fills
      .map((fill, at) => `<rect class="f-${fill}" x="${at * 6}" y="0" width="4.6" height="18" rx="1.2"/>`)
      .join(''),
    fills.length * 6,
    18,
  )

/** One event in a lane: a bar until another moment, or a point with a few words. Money lost or a failure is a diamond. */
export interface LaneMark {
  at: number
  until?: number
  fill: Fill
  words?: string
}

export interface DrawnLane {
  name: string
  marks: readonly LaneMark[]
}

const [left, right, rowHeight, top] = [88, 760, 30, 22]
/** For the words of the last event. */
const labelRoom = 96
/** A longer pause is cut, in milliseconds. */
const longest = 600_000
/** At least the width of a letter, so that no words lie upon others. */
const perLetter = 6.6
/** The width of a cut, where there are few of them. */
const widestCut = 78

/** The lanes of one payment over time. Pauses without any event are cut, so that seconds and days stand in one drawing. */
export function lanes(
  label: string,
  all: readonly DrawnLane[],
  words: (at: number, before?: number) => string,
): Html {
  const of = all.filter(({ marks }) => marks.length > 0)
  const moments = [
    ...new Set(
      of.flatMap(({ marks }) => marks.flatMap(({ at, until }) => (until === undefined ? [at] : [at, until]))),
    ),
  ].sort((one, other) => one - other)
  const pauses = moments.slice(1).map((at, index) => at - moments[index]!)
  const cuts = pauses.filter((pause) => pause > longest).length
  const whole = pauses.filter((pause) => pause <= longest).reduce((sum, pause) => sum + pause, 0)
  const cut = Math.min(widestCut, 400 / Math.max(1, cuts))
  const perMs = (right - left - labelRoom - cuts * cut) / Math.max(1, whole)
  const places = new Map<number, number>()
  let x = left + 8
  let zigzags = ''
  let ticks = ''
  /** Where the words of the last moment end, and which it was. */
  let ticked: { end: number; at: number } | undefined
  const bottom = top + of.length * rowHeight - 8
  moments.forEach((at, index) => {
    const pause = index === 0 ? 0 : pauses[index - 1]!
    if (pause > longest) zigzags += zigzag(x + cut / 2, bottom)
    x += pause > longest ? cut : pause * perMs
    places.set(at, rounded(x))
    if (ticked && x < ticked.end) return
    const said = words(at, ticked?.at)
    ticked = { end: x + said.length * perLetter, at }
    ticks += `<path class="s-l" d="M${rounded(x)} ${top}V${bottom}"/><text x="${rounded(x)}" y="14">${escapeText(said)}</text>`
  })
  const rows = of.map(({ name, marks }, index) => {
    const y = top + index * rowHeight + 14
    const drawn = marks.map((mark) => laneMark(mark, places, y))
    return `<text x="0" y="${y + 4}">${escapeText(name)}</text><path class="s-l" d="M${left} ${y}H${right}"/>${drawn.join('')}`
  })
  const drawing = plot(label, ticks + zigzags + rows.join(''), right, bottom + 8)
  return html`<div class="drawing" tabindex="0" role="group" aria-label="Drawing">${drawing}</div>`
}

function laneMark(
  { at, until, fill, words = '' }: LaneMark,
  places: ReadonlyMap<number, number>,
  y: number,
): string {
  const x = places.get(at)!
  const end = until === undefined ? x : places.get(until)!
  const text = words && `<text x="${rounded(end + 9)}" y="${y + 4}">${escapeText(words)}</text>`
  if (until !== undefined)
    return `<rect class="f-${fill}" x="${x}" y="${y - 6}" width="${rounded(Math.max(6, end - x))}" height="12" rx="4"/>${text}`
  if (fill === 'b')
    return `<rect class="f-${fill}" x="${x - 4.5}" y="${y - 4.5}" width="9" height="9" transform="rotate(45 ${x} ${y})"/>${text}`
  return `<circle class="f-${fill}" cx="${x}" cy="${y}" r="5"/>${text}`
}

const zigzag = (x: number, bottom: number): string =>
  `<path class="s-q" d="M${rounded(x)} ${top}${'l-3 5 6 10 -3 5'.repeat(Math.floor((bottom - top) / 20))}"/>`

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
