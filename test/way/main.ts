// `npm run -s way -- quote`: the files of `src` that one warm call runs, each with the number of its functions that run.
import { counted } from '../../src/printable.ts'
import { followWay, ways } from './ways.ts'

const way = ways.find((one) => one === process.argv[2])
if (!way) {
  console.error(`Name a call: ${ways.join(', ')}.`)
  process.exitCode = 2
} else {
  const { files, frames } = await followWay(way)
  const width = Math.max(...[...files.keys()].map(({ length }) => length))
  for (const [file, functions] of files) console.log(`${file.padEnd(width)}  ${functions}`)
  const functions = [...files.values()].reduce((sum, count) => sum + count, 0)
  console.log(`\n${counted(files.size, 'file')}, ${counted(functions, 'function')}`)
  if (frames.length > 0) console.log(`Down to the adapter:\n${frames.map((one) => `  ${one}`).join('\n')}`)
}
