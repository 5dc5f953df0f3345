// A set-up file of Vitest, which runs for each file of tests.
import { afterAll } from 'vitest'
import { closeAll } from './at-end.ts'
import { startFile } from './file-start.ts'

startFile()

afterAll(closeAll)
