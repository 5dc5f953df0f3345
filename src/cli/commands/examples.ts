/** Calls of commands as somebody types them, by the words of the command. `--help` ends with them, and a test parses each. */
const examples: Readonly<Record<string, readonly string[]>> = {
  init: ['purveyor init my-provider --template rates', 'purveyor init my-provider --yes --no-install'],
  dev: ['purveyor dev', 'purveyor dev --provider rates.ts --port 4000'],
  sandbox: ['purveyor sandbox http://127.0.0.1:8080/checkout --for rates', 'purveyor sandbox --file shop.db'],
  'sandbox switches': ['purveyor sandbox switches', 'purveyor sandbox switches webhook=refused'],
  'sandbox clock': ['purveyor sandbox clock 2h'],
  'simulate list': ['purveyor simulate list'],
  'simulate run': ['purveyor simulate run --all', 'purveyor simulate run paid --record calls'],
  'simulate order': ['purveyor simulate order --status pending --then paid --after 2h'],
  'simulate replay': ['purveyor simulate replay calls'],
  'rates lint': ['purveyor rates lint tariff.csv'],
  'rates preview': [
    'purveyor rates preview tariff.csv',
    'purveyor rates preview --to nl,be:1000 --weights 0.5,2,10',
  ],
  'rates diff': ['purveyor rates diff tariff.csv tariff-2027.csv --fail-on lost,dearer'],
  'rates explain': ['purveyor rates explain', 'purveyor rates explain --file request.json'],
  check: [
    'purveyor check https://provider.example.org/e/token',
    'purveyor check https://provider.example.org/e/token --only rates --read-only --junit report.xml',
  ],
  serve: ['purveyor serve', 'purveyor serve --provider rates.ts --port 8080 --workers 4'],
  doctor: ['purveyor doctor', 'purveyor doctor --production --shop bikes'],
  'nodes list': ['purveyor nodes list'],
  'clock show': ['purveyor clock show'],
  'clock take': ['purveyor clock take'],
  'db migrate': ['purveyor db migrate'],
  'db backup': ['purveyor db backup copy.db'],
  'db copy': [
    'purveyor db copy --from sqlite:./data/purveyor.db --to NEW_DATABASE_URL --dry-run',
    'purveyor db copy --from sqlite:./data/purveyor.db --to NEW_DATABASE_URL',
  ],
  'db release': ['purveyor db release --from sqlite:./data/purveyor.db --to NEW_DATABASE_URL'],
  'db prune': ['purveyor db prune --older-than 730 --dry-run'],
  'shop add': [
    'purveyor shop add bikes --host shop.bikes.example',
    'purveyor shop add bikes --settings bikes.json',
  ],
  'shop import': ['purveyor shop import shops.csv --dry-run'],
  'shop list': ['purveyor shop list'],
  'shop show': ['purveyor shop show bikes --endpoint'],
  'shop rotate': ['purveyor shop rotate bikes --overlap 24'],
  'shop log': ['purveyor shop log bikes --since 7d'],
  'shop drift': ['purveyor shop drift bikes'],
  'shop bind': ['purveyor shop bind bikes --platform-id 4711', 'purveyor shop bind bikes --none'],
  'shop settings': [
    'purveyor shop settings bikes --file bikes.json',
    'purveyor shop settings bikes --set psp.key=@key.txt',
  ],
  'shop disable': ['purveyor shop disable bikes'],
  'shop enable': ['purveyor shop enable bikes'],
  'shop remove': ['purveyor shop remove bikes'],
  'shop privacy': ['purveyor shop privacy bikes --markdown'],
  'shop erase': ['purveyor shop erase bikes --order 1043'],
  'shop connect': ['purveyor shop connect bikes'],
  'shop hosts list': ['purveyor shop hosts list bikes'],
  'shop hosts confirm': ['purveyor shop hosts confirm bikes shop.bikes.example'],
  'shop hosts add': ['purveyor shop hosts add bikes pay.bikes.example'],
  'shop hosts remove': ['purveyor shop hosts remove bikes pay.bikes.example'],
  'services list': ['purveyor services list bikes'],
  'services register': ['purveyor services register bikes --name Courier --dry-run'],
  'services update': ['purveyor services update bikes 17 --name "Courier by bike"'],
  'services disable': ['purveyor services disable bikes 17'],
  'services remove': ['purveyor services remove bikes 17'],
  'charges list': ['purveyor charges list bikes'],
  'charges create': [
    'purveyor charges create bikes --type recurring --title Plus --price 9.95 --callback-url https://provider.example.org/charged',
  ],
  'charges show': ['purveyor charges show bikes 5'],
  'charges remove': ['purveyor charges remove bikes 5'],
  'payments list': ['purveyor payments list --status pending --shop bikes'],
  'payments find': ['purveyor payments find ORD1042'],
  'payments show': ['purveyor payments show 1042'],
  'payments ask': ['purveyor payments ask 1042'],
  'payments explain': ['purveyor payments explain --shop bikes'],
  'payments changes': ['purveyor payments changes --follow --json'],
  'payments export': ['purveyor payments export --since 30d --format csv'],
  'payments pushes': ['purveyor payments pushes --outcome unmatched'],
  'payments refund': ['purveyor payments refund 1042 --amount 29.34'],
  'payments capture': ['purveyor payments capture 1042'],
  'payments report': [
    'purveyor payments report 1042 paid --amount 29.34 --currency eur --note "seen on the bank statement"',
  ],
  'payments anomalies': ['purveyor payments anomalies', 'purveyor payments anomalies --each --shop bikes'],
  'payments close-anomalies': [
    'purveyor payments close-anomalies --kind start_unknown --before 2h --note "the service has no such payment"',
  ],
  'payments close-anomaly': ['purveyor payments close-anomaly 0a1b2c3d4e --note "refunded by hand"'],
  'webhooks list': ['purveyor webhooks list', 'purveyor webhooks list --since 2h --shop bikes'],
  'webhooks show': ['purveyor webhooks show 1042'],
  'webhooks replay': ['purveyor webhooks replay 1042', 'purveyor webhooks replay --since 2h --dry-run'],
  'pushes list': ['purveyor pushes list --outcome failed'],
  'pushes refused': ['purveyor pushes refused'],
  'pushes show': ['purveyor pushes show 3f2a1c9b'],
  'lanes list': ['purveyor lanes list', 'purveyor lanes list --kind rates --since 30d'],
  'lanes show': ['purveyor lanes show webhook bikes hooks.bikes.example'],
  'lanes open': ['purveyor lanes open webhook bikes hooks.bikes.example'],
  docs: ['purveyor docs', 'purveyor docs which line wins'],
  explain: ['purveyor explain', 'purveyor explain HOST_NOT_ALLOWED'],
  openapi: ['purveyor openapi --url https://provider.example.org'],
  completion: ['source <(purveyor completion bash)', 'purveyor completion fish | source'],
}

/** So many examples stand below the help of a group. */
const mostOfGroup = 3

/** The examples of a command. Those of a group are the first of each command in it, those of no command the first steps. */
export function examplesOf(path: readonly string[]): readonly string[] {
  const name = path.join(' ')
  if (name === '') return ['init', 'dev', 'check'].map((one) => examples[one]![0]!)
  const below = Object.keys(examples).filter((one) => one.startsWith(`${name} `))
  return examples[name] ?? below.slice(0, mostOfGroup).map((one) => examples[one]![0]!)
}
