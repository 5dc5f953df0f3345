import { createRequire } from 'node:module'
import type express from 'express'
import type helmet from 'helmet'
import type { imageSize } from 'image-size'
import type { IntlMessageFormat } from 'intl-messageformat'
import type { pinoHttp } from 'pino-http'

// Packages that only a router or a page needs, loaded for the first one: loading their 100 files takes longer than running a command that
// reads the store.

const require = createRequire(import.meta.url)

export const loadExpress = (): typeof express => require('express')
export const loadHelmet = (): typeof helmet => require('helmet')
export const loadPinoHttp = (): { pinoHttp: typeof pinoHttp } => require('pino-http')
export const loadMessageFormat = (): { IntlMessageFormat: typeof IntlMessageFormat } =>
  require('intl-messageformat')
export const loadImageSize = (): typeof imageSize => require('image-size').imageSize
