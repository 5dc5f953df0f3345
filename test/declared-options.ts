import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { API, type Checker, type Symbol as Named, type Signature, type Type } from 'typescript/unstable/sync'

const SymbolFlag = { optional: 1 << 24, alias: 1 << 21, variable: 0b11, function: 1 << 4, class: 1 << 5 }
const calls = 0
const deepest = 10

/** A member of an object that users hand to Purveyor, as an editor shows it. */
export interface DeclaredOption {
  /** The way to it from an export, such as `createProvider(0).http.stopDelay`, with the places of arguments. */
  path: string
  /** The file that declares it, below the folder of declarations. */
  file: string
  doc: string
  isOptional: boolean
  /** Whether it can be a number. */
  isFigure: boolean
  /** Whether it stands in the arguments of a call, and not in what a function of the user returns. */
  isArgument: boolean
}

/** The side that makes a value: Purveyor takes what the user hands in, and the other way round. */
type Side = 'user' | 'purveyor'
const other = (side: Side): Side => (side === 'user' ? 'purveyor' : 'user')

/**
 * All options that can be reached from the exports of these declaration files: the arguments of functions and of the methods of what those
 * return, with all that is in them, and what functions of the user return. `folder` is for files that are written, below the repository.
 */
export function declaredOptions(types: string, entries: readonly string[], folder: string): DeclaredOption[] {
  mkdirSync(folder, { recursive: true })
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
    strict: true,
    noEmit: true,
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['doors.ts'] }))
  const doors = entries.map((entry, at) => `export * as door${at} from '${join(types, entry)}'\n`)
  writeFileSync(join(folder, 'doors.ts'), doors.join(''))
  const api = new API()
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(folder, 'tsconfig.json')] })
    const [project] = snapshot.getProjects()
    const file = project!.program.getSourceFile(join(folder, 'doors.ts'))!
    const walk = new Walk(project!.checker, types)
    const { checker } = project!
    for (const door of checker.getExportsOfModule(checker.getSymbolAtLocation(file)!))
      for (const one of checker.getExportsOfModule(checker.getAliasedSymbol(door))) walk.export(one)
    return [...walk.found.values()]
  } finally {
    api.close()
  }
}

class Walk {
  readonly found = new Map<number, DeclaredOption>()
  readonly #checker: Checker
  readonly #types: string
  readonly #seen = new Set<string>()

  constructor(checker: Checker, types: string) {
    this.#checker = checker
    this.#types = types
  }

  /** The options of a function or a class; types by themselves are found where a function takes them. */
  export(named: Named): void {
    const symbol = named.flags & SymbolFlag.alias ? this.#checker.getAliasedSymbol(named) : named
    if (!(symbol.flags & (SymbolFlag.variable | SymbolFlag.function | SymbolFlag.class))) return
    const type = this.#checker.getTypeOfSymbol(symbol)
    if (type) this.#value(type, 'purveyor', named.name, { depth: 0, isArgument: false })
  }

  #value(type: Type | undefined, side: Side, path: string, at: { depth: number; isArgument: boolean }): void {
    const key = `${type?.id} ${side} ${at.isArgument}`
    if (!type || at.depth > deepest || this.#seen.has(key)) return
    this.#seen.add(key)
    if (type.isUnionType()) {
      for (const one of type.getTypes()) this.#value(one, side, path, at)
      return
    }
    const signatures = this.#checker.getSignaturesOfType(type, calls)
    for (const signature of signatures) this.#call(signature, side, path, at)
    const isHolder = this.#checker.isArrayLikeType(type) || type.getSymbol()?.name === 'Promise'
    if (isHolder && type.isTypeReference()) {
      for (const one of this.#checker.getTypeArguments(type)) this.#value(one, side, path, deeper(at))
      return
    }
    for (const member of this.#checker.getPropertiesOfType(type)) {
      const declared = member.declarations.find((one) => one.path.startsWith(this.#types))
      const of = declared && this.#checker.getTypeOfSymbol(member)
      if (!of || /^__[#@]/.test(member.name) || this.#checker.typeToString(of) === 'undefined') continue
      const whole = `${path}.${member.name}`
      if (side === 'user') this.#add(member, of, whole, declared.path, at.isArgument)
      this.#value(of, side, whole, deeper(at))
    }
  }

  /** Who calls a function hands in its arguments; whoever wrote it makes the result. */
  #call(signature: Signature, side: Side, path: string, { depth }: { depth: number }): void {
    const caller = other(side)
    for (const place of signature.parameters.keys())
      this.#value(this.#checker.getParameterType(signature, place), caller, `${path}(${place})`, {
        depth: depth + 1,
        isArgument: caller === 'user',
      })
    this.#value(this.#checker.getReturnTypeOfSignature(signature), side, `${path}()`, {
      depth: depth + 1,
      isArgument: false,
    })
  }

  #add(member: Named, type: Type, path: string, file: string, isArgument: boolean): void {
    const before = this.found.get(member.id)
    if (before && (before.isArgument || !isArgument)) return
    this.found.set(member.id, {
      path,
      file: relative(this.#types, file),
      doc: member.getDocumentationComment(this.#checker),
      isOptional: (member.flags & SymbolFlag.optional) !== 0,
      isFigure: this.#partsOf(type).includes('number'),
      isArgument,
    })
  }

  #partsOf(type: Type): string[] {
    return type.isUnionType()
      ? type.getTypes().flatMap((one) => this.#partsOf(one))
      : [this.#checker.typeToString(type)]
  }
}

const deeper = ({ depth, isArgument }: { depth: number; isArgument: boolean }) => ({
  depth: depth + 1,
  isArgument,
})
