import type { Request, Response } from 'express'
import type { State } from '../state.ts'
import type { Table } from '../table.ts'
import { isAddress, shapeOfUpload } from './fields.ts'
import { idOf } from './records.ts'
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

/** Contents that clients have uploaded to files. */
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

  /** The source of the files, whose `attachment` is kept and served at their address. */
  of(source: Source): Source {
    const kept = ({ attachment, ...fields }: Fields, before?: Fields): Fields => {
      if (typeof attachment !== 'string' || attachment === '') return fields
      this.#remove(before)
      return { ...fields, ...this.#keep(attachment, { ...before, ...fields }) }
    }
    return {
      ...source,
      create: (fields, asking) => source.create!(kept(fields), asking),
      update: (record, fields, asking) => source.update!(record, kept(fields, record), asking),
      remove: (id) => {
        this.#remove(source.get(id))
        source.remove!(id)
      },
    }
  }

  /** Serves the content of an address such as `/uploads/3/manual.pdf`. */
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
    if (isAddress(attachment)) return { src: attachment, size: 0, ...(extension && { extension }) }
    const [, typed, text = ''] = shapeOfUpload.exec(attachment) ?? []
    const bytes = Buffer.from(text, 'base64')
    const mimetype = typed ?? types[extension ?? ''] ?? 'application/octet-stream'
    const id = this.#uploads.nextId()
    this.#uploads.set({ id, type: mimetype, content: bytes.toString('base64') })
    const src = `${folder}/${id}/${encodeURIComponent(name || String(id))}`
    return { _upload: id, src, size: bytes.length, mimetype, ...(extension && { extension }) }
  }
}
