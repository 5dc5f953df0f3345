import { createRequire } from 'node:module'
import type express from 'express'
import type helmet from 'helmet'
import type { IntlMessageFormat } from 'intl-messageformat'
import type { pinoHttp } from 'pino-http'

// Packages that only a router needs, loaded when the first one is made: their 100 files take longer to load than a command that
// looks into the store takes to run.

const require = createRequire(import.meta.url)

export const loadExpress = (): typeof express => require('express')
export const loadHelmet = (): typeof helmet => require('helmet')
export const loadPinoHttp = (): { pinoHttp: typeof pinoHttp } => require('pino-http')
export const loadMessageFormat = (): { IntlMessageFormat: typeof IntlMessageFormat } =>
  require('intl-messageformat')
