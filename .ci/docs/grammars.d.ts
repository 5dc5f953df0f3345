export type Grammar = (hljs: unknown) => { keywords?: unknown }

export const grammars: Readonly<Record<string, Grammar>>

export const hljs: {
  highlight(code: string, options: { language: string }): { value: string }
  registerLanguage(name: string, language: Grammar): void
}
