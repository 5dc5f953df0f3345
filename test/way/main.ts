import { followWay, type Way, ways } from './ways.ts'

const way = process.argv[2] as Way
const { files, frames } = await followWay(way)
for (const [file, functions] of files) console.log(file, functions)
for (const frame of frames) console.log(frame)
console.log(
  files.size,
  'files',
  [...files.values()].reduce((a, b) => a + b, 0),
  'functions',
)
