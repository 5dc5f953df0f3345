/** The floors of `src`, lowest first. A file imports from its own floor or below. */
export const floors: RegExp[] = [
  /^(contract|money|errors)\//,
  /^(adapters|brand|network|queue|store)\/|^(checked-options|code-place|file-fault|printable|tracing|version|world)\.ts$/,
  /^(shops|rates|payments|webhooks)\/|^(any-adapter|audit|parts|store|store-commands|store-port)\.ts$/,
  /^(console|http|observability|platform|stores)\//,
  /^(messages|sandbox|conformance|testing)\//,
  /^(provider|cli)\//,
]

export const floorOf = (file: string): number => floors.findIndex((floor) => floor.test(file))

/** The ideas of the product. They know each other, though their files never import in a circle. */
export const ideas = ['shops', 'rates', 'payments', 'webhooks']
