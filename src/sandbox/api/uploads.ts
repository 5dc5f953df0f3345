import type { Request, Response } from 'express'
import type { State } from '../state.ts'
import type { Table } from '../table.ts'
import { idOf } from './answers.ts'
import type { ResourceRow } from './resources/row.ts'
import type { Source } from './surface.ts'

interface Upload {
  id: number
  /** Such as `image/png`. */
  type: string
  /** Base64. */
  content: string
}

type Fields = Record<string, unknown>

/** The folder of uploaded contents at the host of the shop. */
const folder = '/uploads'

/** `data:image/png;base64,...`, or base64 alone. */
const shapeOfData = /^(?:data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.-]+)*;base64,)?([A-Za-z0-9+/\s]*={0,2}\s*)$/

/** Whether text is an upload: base64, also as a `data:` address, or the address of a picture elsewhere. */
export const isUpload = (text: string): boolean => isAddress(text) || shapeOfData.test(text)

const isAddress = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text)

const types: Record<string, string> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
}

/** Contents that clients have uploaded to files and images. */
export class Uploads {
  readonly #state: State
  #table: Table<Upload> | undefined

  constructor(state: State) {
    this.#state = state
  }

  get #uploads(): Table<Upload> {
    this.#table ??= this.#state.table<Upload>('upload')
    return this.#table
  }

  /** A source whose records are uploaded with a field of the kind `upload`. Other sources stay as they are. */
  of(row: ResourceRow, source: Source): Source {
    const [field] = Object.entries(row.fields).find(([, { kind }]) => kind === 'upload') ?? []
    if (field === undefined) return source
    const kept = (given: Fields, before?: Fields): Fields => {
      const { [field]: attachment, ...fields } = given
      if (typeof attachment !== 'string' || attachment === '') return fields
      this.#remove(before)
      return { ...fields, ...known(row, this.#keep(attachment, { ...before, ...fields })) }
    }
    return {
      ...source,
      create: (fields, asking) => {
        if (row.single) this.#remove(source.single!(asking))
        return source.create!(kept(fields), asking)
      },
      update: (record, fields, asking) => source.update!(record, kept(fields, record), asking),
      remove: (id) => {
        this.#remove(source.get(id))
        source.remove!(id)
      },
    }
  }

  /** Serves the content of an address such as `/uploads/3/mug.png`. */
  readonly serve = (req: Request, res: Response, next: () => void): void => {
    const upload = this.#uploads.get(idOf(req.params.id))
    if (!upload) return void next()
    // A file of somebody must not act in the name of the shop.
    res.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    res.type(upload.type).send(Buffer.from(upload.content, 'base64'))
  }

  #remove(record: Fields | undefined): void {
    if (typeof record?._upload === 'number') this.#uploads.delete(record._upload)
  }

  /** The fields that follow from an upload. Another host's address is not read. */
  #keep(attachment: string, { filename }: Fields): Fields {
    const name = typeof filename === 'string' ? filename : ''
    const extension = /\.(\w{1,10})$/.exec(name)?.[1]?.toLowerCase()
    if (isAddress(attachment))
      return { src: attachment, thumb: attachment, size: 0, ...(extension && { extension }) }
    const [, typed, text = ''] = shapeOfData.exec(attachment) ?? []
    const bytes = Buffer.from(text, 'base64')
    const mimetype = typed ?? types[extension ?? ''] ?? 'application/octet-stream'
    const id = this.#uploads.nextId()
    this.#uploads.set({ id, type: mimetype, content: bytes.toString('base64') })
    const src = `${folder}/${id}/${encodeURIComponent(name || String(id))}`
    return { _upload: id, src, thumb: src, size: bytes.length, mimetype, ...(extension && { extension }) }
  }
}

const known = ({ fields }: ResourceRow, given: Fields): Fields =>
  Object.fromEntries(
    Object.entries(given).filter(([name]) => name.startsWith('_') || Object.hasOwn(fields, name)),
  )
