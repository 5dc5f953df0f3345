/** The floors of `src`, lowest first. A file imports from its own floor or below. */
export const floors: RegExp[] = [
  /^(contract|money)\/|^(errors|codes|refusals)\.ts$/,
  /^(rates|payments|brand|shops|privacy|store)\/|^(audit|caches|code-place|store|world|printable)\.ts$/,
  /^queue\//,
  /^stores\/sql\/|^store-port\.ts$/,
  /^use-cases\//,
  /^(http|stores|network|adapters|platform|observability)\/|^(tracing|version|file-fault)\.ts$/,
  /^(messages|sandbox|conformance|testing)\//,
  /^(provider|cli)\//,
]

export const floorOf = (file: string): number => floors.findIndex((floor) => floor.test(file))
