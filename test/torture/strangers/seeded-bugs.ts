import type { SeededBug } from '../seeded-bugs.ts'
import type { Attempt } from './main.ts'

/** A bug that lets strangers in, and the attempt of `main.ts` that must find it. */
export type StrangerBug = SeededBug & { by: Attempt }

export const strangerBugs: readonly StrangerBug[] = [
  {
    name: 'a public address is development where NODE_ENV is not set',
    by: 'development',
    of: 'modeOf',
    edits: [['  if (reached)\n', '  if (reached && nodeEnv !== undefined)\n']],
  },
  {
    name: 'development: true stands beside a public address',
    by: 'development',
    of: 'production',
    edits: [
      ['      ...(development === true &&', "      ...(development === true && nodeEnv === 'production' &&"],
    ],
  },
  {
    name: 'any tunnel keeps the adapters of development',
    by: 'development',
    of: 'developmentAdapters',
    edits: [['reached && publicUrl === tunnelUrl', 'reached && tunnelUrl !== undefined']],
  },
  {
    name: 'an adapter that is developmentOnly is offered in production',
    by: 'development',
    of: 'isUsed',
    edits: [
      ['developmentAdapters || !developmentOnly', 'developmentAdapters || developmentOnly !== undefined'],
    ],
  },
  {
    name: 'a mounted provider starts in production with what serve refuses',
    by: 'development',
    of: 'Lifecycle.#open',
    edits: [['    checkProduction(configuration)\n', '']],
  },
  {
    name: 'a secret of one letter is taken in production',
    by: 'development',
    of: 'applies',
    edits: [['new Set(secret).size < 8', 'secret.length < 8']],
  },
  {
    name: 'a push that nobody verifies is taken',
    by: 'development',
    of: 'readerFaults',
    edits: [['    if (reader === undefined) continue\n', '    continue\n']],
  },
  {
    name: 'a call that a proxy forwards is served in development',
    by: 'development',
    of: 'isForwarded',
    edits: [['Object.keys(headers).some((name) => ofProxy.test(name))', 'false']],
  },
  {
    name: 'any host name is served in development',
    by: 'development',
    of: 'foreignPart',
    edits: [["  if (hosts.length === 0 || !hosts.every(isLoopbackAuthority)) return 'host'\n", '']],
  },
  {
    name: 'a mounted router serves everybody in development',
    by: 'development',
    of: 'providerRoutes',
    edits: [
      [
        'if (!refused(req, res) && !contract(req, res, answerHeaders)) next()',
        'if (!contract(req, res, answerHeaders)) next()',
      ],
    ],
  },
  {
    name: 'development listens on any address',
    by: 'development',
    of: 'Lifecycle.listen',
    edits: [["    if (development && !isLoopbackHost(address ?? '')) throw hostRefused(address)\n", '']],
  },
  {
    name: 'an order is looked up without its shop',
    by: 'tenants',
    of: 'payments',
    edits: [['ofOrder(value)', "sql.join([sql.ref('order_id'), value('orderId')], sql` = `)"]],
  },
  {
    name: 'another shop of the platform may call an endpoint',
    by: 'tenants',
    of: 'Endpoints.#refuse',
    edits: [["      throw new Problem('NOT_FOUND')\n    }\n", '    }\n']],
  },
  {
    name: 'a GET binds an endpoint',
    by: 'tenants',
    of: 'Endpoints.#bind',
    edits: [['    if (!binds) return current\n', '']],
  },
  {
    name: 'serve prints the endpoint where there is no terminal',
    by: 'tenants',
    of: 'shown',
    edits: [['options.showEndpoint === true || process.stdout.isTTY === true', 'true']],
  },
  {
    name: 'any text in X-Shop-Id binds an endpoint',
    by: 'tenants',
    of: 'isPlatformId',
    edits: [['  /^(0|[1-9]\\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))', "  text !== ''"]],
  },
  {
    name: 'a disabled shop is found',
    by: 'tenants',
    of: 'byEndpoint',
    edits: [['disabled_at is null and ', '']],
  },
  {
    name: 'other users can read the endpoints of imported shops',
    by: 'rest',
    of: 'newFile',
    edits: [["'wx', 0o600", "'wx', 0o644"]],
  },
  {
    name: 'an imported endpoint is sealed for any shop',
    by: 'rest',
    of: 'added',
    edits: [['newEndpoint(workings, id)', "newEndpoint(workings, '')"]],
  },
  {
    name: 'an endpoint goes on after another one has taken its place',
    by: 'tenants',
    of: 'oldEndsAt',
    edits: [['const oldEndsAt = endpoint.now + overlap', 'const oldEndsAt = endpoint.now + overlap + day']],
  },
  {
    name: 'an unknown token is answered otherwise than an unknown order',
    by: 'tenants',
    of: 'Endpoints.lookUp',
    edits: [
      [
        "    if (!shop) throw new Problem('NOT_FOUND')",
        "    if (!shop) throw new Problem('NOT_FOUND', { faults: [{ path: '$', message: 'no shop' }] })",
      ],
    ],
  },
  {
    name: 'a token stands in the log',
    by: 'tenants',
    of: 'routeOf',
    edits: [
      [
        '  if (/^\\/(health\\/(live|ready(\\/rates)?)|metrics|openapi\\.json)$/.test(path)) return path',
        '  if (path) return path',
      ],
    ],
  },
  {
    name: 'the token of a usual call stands in the log',
    by: 'tenants',
    of: 'begin',
    edits: [['(path && contractRouteOf(path)) ??', "(path && '/e/'.concat(path.token)) ??"]],
  },
  {
    name: 'a push that nobody has signed is believed',
    by: 'tenants',
    of: 'expectGenuine',
    edits: [["  throw new Problem('PUSH_NOT_VERIFIED')\n", '']],
  },
  {
    name: 'the token of a page stands in its row',
    by: 'rest',
    of: 'hashPageToken',
    edits: [['token.slice(0, -secretLength) + hashToken(token)', 'token']],
  },
  {
    name: 'a repeat gets another page',
    by: 'rest',
    of: 'first',
    edits: [['Buffer.from(name)', 'Buffer.from(name + Math.random())']],
  },
  {
    name: 'sealed texts of one kind can be swapped',
    by: 'rest',
    of: 'additional',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source as it is written
    edits: [['base64url(`${kind}:${key}`)', "base64url(key === '' ? kind : `${kind}:`)"]],
  },
  {
    name: 'a store that has lost its key gets another one',
    by: 'rest',
    of: 'makeKey',
    edits: [['    throw new StoreUnavailable(\n', '    if (made) throw new StoreUnavailable(\n']],
  },
  {
    name: 'the file of the store is open to others',
    by: 'rest',
    of: ['makeOwnFile', 'takeRights'],
    edits: [
      ["openSync(file, 'a', 0o600)", "openSync(file, 'a')"],
      ['if ((mode & 0o077) === 0) return', 'if (mode >= 0) return'],
    ],
  },
  {
    name: 'settings take the credentials of a shop away',
    by: 'rest',
    of: 'replaceSettings',
    edits: [
      ['(credentials ? { ...settings, credentials } : settings)', '(credentials && settings) || settings'],
    ],
  },
  {
    name: 'of two changes of settings at once one is lost',
    by: 'rest',
    of: 'saveSettings',
    edits: [[", 'settings_version'", '']],
  },
  {
    name: 'a database elsewhere is talked to in the clear',
    by: 'rest',
    of: 'checkEncryption',
    edits: [["if (ssl || host.startsWith('/')", "if (ssl || host.startsWith('1')"]],
  },
  {
    name: 'this machine may be called',
    by: 'addresses',
    of: 'isPublic',
    edits: [["  if (range === 'loopback') return loopback\n", "  if (range === 'loopback') return true\n"]],
  },
  {
    name: 'an address of IPv6 that carries one of IPv4 counts as public',
    by: 'addresses',
    of: 'isPublic',
    edits: [["  return address.kind() === 'ipv4' || address.match(globalUnicast)", '  return true']],
  },
  {
    name: 'only the first address of a name is looked at',
    by: 'addresses',
    of: 'Way.#lookup',
    edits: [
      [
        'addresses.some(({ address }) => !this.#allows(address, place))',
        '!this.#allows(addresses[0]!.address, place)',
      ],
    ],
  },
  {
    name: 'a webhook_url may name any port',
    by: 'addresses',
    of: 'checkHosts',
    edits: [['!development && !mayUsePort(', 'development && !mayUsePort(']],
  },
  {
    name: "a name of one's own network counts as public",
    by: 'addresses',
    of: 'isPublicName',
    edits: [
      [
        "  host.includes('.') && !/\\.(localhost|local|localdomain|internal|home\\.arpa)$/.test(host)",
        "  host.includes('.')",
      ],
    ],
  },
  {
    name: 'the provider calls itself',
    by: 'addresses',
    of: 'Guard.#faultOf',
    edits: [
      [
        "return why ?? (this.#isOwn(url) ? 'it is the address of this provider itself' : undefined)",
        'return why',
      ],
    ],
  },
  {
    name: 'network.allow of one adapter opens webhook_url',
    by: 'addresses',
    of: ['to', 'found'],
    edits: [
      [
        '      const to = this.#allowed(call.url, everybody)\n',
        '      const [way = this.#wayOf()] = this.#ways.values()\n      const to = this.#allowed(call.url, way.network)\n',
      ],
      ['const found = this.#toReceivers.dispatcher()', 'const found = way.dispatcher()'],
    ],
  },
  {
    name: 'what one adapter has opened is open to the connections of all',
    by: 'addresses',
    of: 'key',
    edits: [
      ["    const key = [kind, maxAnswer, ...allow].join(' ')", "    const key = ['', maxAnswer].join(' ')"],
    ],
  },
  {
    name: 'a host that an adapter names may lead to a metadata service',
    by: 'addresses',
    of: 'PrivateNetwork.allows',
    edits: [['    return isPrivate(address) || (place', '    return address.length > 0 || (place']],
  },
  {
    name: 'a webhook is signed over another body',
    by: 'signatures',
    of: 'signed',
    edits: [['signer.headersOf(owed, sent)', 'signer.headersOf(owed, owed.orderId)']],
  },
  {
    name: 'webhooks of two orders have one id',
    by: 'signatures',
    of: 'named',
    edits: [['[sender, shopId, orderId, version]', '[sender, shopId, version]']],
  },
  {
    name: 'a try of a webhook is another message than the one before',
    by: 'signatures',
    of: 'id',
    edits: [
      [
        'webhookId(publicUrl, shopId, orderId, version)',
        'webhookId(publicUrl, shopId, orderId, owed.tries * 1000 + version)',
      ],
    ],
  },
  {
    name: 'the webhooks of all shops are signed with one secret',
    by: 'signatures',
    of: ['known', 'WebhookSigner.#secrets'],
    edits: [
      ['this.#remembered.get(shopId)', "this.#remembered.get('')"],
      ['this.#remembered.set(shopId,', "this.#remembered.set('',"],
    ],
  },
  {
    name: 'a changed webhook secret signs alone at once',
    by: 'signatures',
    of: 'rotateWebhookKey',
    edits: [['keys.replace(shopId, newest?.id, oldEndsAt)', 'keys.replace(shopId, newest?.id, key.now)']],
  },
  {
    name: 'decoded bytes are not counted',
    by: 'bombs',
    of: 'pull',
    edits: [['        left -= value.byteLength\n', '']],
  },
  {
    name: 'codings one in the other are decoded',
    by: 'bombs',
    of: 'limitAnswer',
    edits: [['  if (codings.length > 1) {', '  if (codings.length > 5) {']],
  },
  {
    name: 'a host beside the list is taken',
    by: 'addresses',
    of: 'faults',
    edits: [['hosts.confirmed && unlisted(hosts, [url]).length > 0', 'false']],
  },
  {
    name: 'the host of redirect_url is not looked at',
    by: 'addresses',
    of: 'faults',
    edits: [['Object.entries({ webhook_url, redirect_url })', 'Object.entries({ webhook_url })']],
  },
  {
    name: 'a repeat moves the host of webhook_url',
    by: 'addresses',
    of: 'webhookUrl',
    edits: [['    webhookUrl: onFirstHost(payment.webhookUrl, webhookUrl),\n', '    webhookUrl,\n']],
  },
  {
    name: 'a repeat takes the customer to another host',
    by: 'addresses',
    of: 'redirectUrl',
    edits: [['    redirectUrl: onFirstHost(payment.redirectUrl, redirectUrl),\n', '    redirectUrl,\n']],
  },
  {
    name: 'a host that ends like one on the list is on it',
    by: 'addresses',
    of: 'unlisted',
    edits: [['!hosts.includes(host)', '!hosts.some((name) => host.endsWith(name))']],
  },
  {
    name: 'a form that another site posts is taken',
    by: 'pages',
    of: 'fromOwnPage',
    edits: [["  if (site !== undefined && site !== 'same-origin') return false\n", '']],
  },
  {
    name: 'a form without an origin of its own is taken',
    by: 'pages',
    of: 'fromOwnPage',
    edits: [['  return origin === undefined ||', "  return origin === undefined || origin === 'null' ||"]],
  },
  {
    name: 'a click in two tabs has two effects',
    by: 'pages',
    of: ['take', 'submitPage'],
    edits: [
      [
        "  if (!(await store.leasePage(shopId, id, { now, until, seen, state }))) return 'page'\n",
        '  await store.leasePage(shopId, id, { now, until, seen, state })\n',
      ],
      ['  if (open) return answered(workings, open)\n', ''],
    ],
  },
  {
    name: 'a look at a link reaches the page',
    by: 'pages',
    of: 'pageRoutes',
    edits: [["req.method === 'HEAD' ? new Problem('METHOD_NOT_ALLOWED') : undefined", 'undefined']],
  },
  {
    name: 'forms that came to nothing make no page pause',
    by: 'pages',
    of: 'withForm',
    edits: [
      ['fruitless: fruitless + 1, nextAt: now + pause }', 'fruitless: fruitless + 1, nextAt: now - pause }'],
    ],
  },
  {
    name: 'a page takes any number of forms',
    by: 'pages',
    of: 'hadTooMany',
    edits: [['  own.forms >= most ||', '  own.forms >= 1e9 ||']],
  },
  {
    name: 'an attempt ends after too many forms without an anomaly',
    by: 'pages',
    of: 'take',
    edits: [["  await openAnomaly(workings, attempt, { kind: 'too_many_forms', event: '' })\n", '']],
  },
  {
    name: 'each reload asks the payment service',
    by: 'pages',
    of: 'askAtMost',
    edits: [['Math.abs(began - last.began) < askEvery', 'Math.abs(began - last.began) < 0']],
  },
  {
    name: 'an entry of any length reaches an adapter',
    by: 'pages',
    of: 'maxForm',
    edits: [['const maxForm = 32 * 1024', 'const maxForm = 1e9']],
  },
  {
    name: 'a text of others is not isolated on a page',
    by: 'pages',
    of: 'isolated',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source as it is written
    edits: [['html`<bdi>${text}</bdi>`', 'html`${text}`']],
  },
  {
    name: 'a page lets inline scripts in',
    by: 'page content',
    of: 'directives',
    edits: [["['script-src', scripts]", "['script-src', [\"'unsafe-inline'\", ...scripts]]"]],
  },
  {
    name: 'an origin of scripts is let in for calls as well',
    by: 'page content',
    of: 'directives',
    edits: [['allow.connect ?? []', 'allow.connect ?? allow.script ?? []']],
  },
  {
    name: 'a page lets pictures of foreign origins in',
    by: 'page content',
    of: 'directives',
    edits: [['...(allow.img ?? [])', "...(allow.img ?? ['https:'])"]],
  },
  {
    name: 'a page may be framed',
    by: 'page content',
    of: 'directives',
    edits: [["    ['frame-ancestors', [\"'none'\"]],\n", '']],
  },
  {
    name: 'the pages of states have the policy of the adapter',
    by: 'page content',
    of: 'pageRoutes',
    edits: [
      [
        'sendPage(res, 200, leftPage(visited))',
        'sendPage(res, 200, leftPage(visited), pages.policyOf(visited.adapter!))',
      ],
    ],
  },
  {
    name: 'a wildcard is an origin',
    by: 'page content',
    of: 'isOrigin',
    edits: [['/[*;,\'"\\s]/', '/[;,\'"\\s]/']],
  },
  {
    name: 'an origin of this machine is taken in production',
    by: 'page content',
    of: 'isOrigin',
    edits: [["(development && url.protocol === 'http:' &&", "(url.protocol === 'http:' &&"]],
  },
  {
    name: 'an origin is taken with a path',
    by: 'page content',
    of: 'isOrigin',
    edits: [['url.origin !== text', '!text.startsWith(url.origin)']],
  },
  {
    name: 'a drawing with scripts is served as a logo',
    by: 'page content',
    of: 'imageTypes',
    edits: [["gif: 'image/gif',", "gif: 'image/gif', svg: 'image/svg+xml',"]],
  },
  {
    name: 'an accent that nobody can read is taken',
    by: 'page content',
    of: 'colourFaults',
    edits: [['accent !== undefined && !isAccent(accent)', 'accent !== undefined && accent === surface']],
  },
  {
    name: 'a surface that nobody can read on is taken',
    by: 'page content',
    of: 'isSurface',
    edits: [
      ['standsOut(textContrast, [colour, groundOf(colour)])', 'standsOut(1, [colour, groundOf(colour)])'],
    ],
  },
  {
    name: 'a colour is any text',
    by: 'page content',
    of: 'colourFaults',
    edits: [['if (value !== undefined && colour === undefined)', "if (value === '')"]],
  },
  {
    name: 'a return counts although its check says no',
    by: 'returns',
    of: 'readSent',
    edits: [["ask('returned', verified, asIs)) !== true", "ask('returned', verified, asIs)) === undefined"]],
  },
  {
    name: 'a return counts where the service was to be asked',
    by: 'returns',
    of: ['said', 'readSent'],
    edits: [
      ['      return verify ? readReports(answer) : []', '      return readReports(answer)'],
      ['    if (verify) await learnOf(', '    await learnOf('],
    ],
  },
  {
    name: 'the secret of a page token is not checked',
    by: 'returns',
    of: 'hashPageToken',
    edits: [['hashToken(token)', 'hashToken(token.slice(0, -secretLength))']],
  },
  {
    name: 'the page of a paid order shows its form',
    by: 'returns',
    of: 'Visits.standing',
    edits: [
      [
        'adapter?.page ? standingOf(this.#workings, payment, attempt) :',
        "adapter?.page ? { shows: payment.status === 'paid' ? 'form' : standingOf(this.#workings, payment, attempt).shows } as never :",
      ],
    ],
  },
  {
    name: 'a replaced attempt takes a form',
    by: 'returns',
    of: 'isOver',
    edits: [['!takesMoney(payment, attempt)', '!takesMoney({ ...payment, attempts: [attempt] }, attempt)']],
  },
  {
    name: 'a page offers its form while the service works on what a form began',
    by: 'returns',
    of: 'pageStanding',
    edits: [["  if (attempt.lastWord?.is === 'working') return { shows: 'status' }\n", '']],
  },
  {
    name: 'a customer who comes back while the service does not answer may pay again',
    by: 'returns',
    of: 'readReturn',
    edits: [["{ is: 'unsure', quiet: 0, count }", "{ is: 'open', count }"]],
  },
  {
    name: 'a customer at the bank gets the form again without a question to the service',
    by: 'returns',
    of: 'lookAgain',
    edits: [["standing === 'open' && mayOffer", 'mayOffer']],
  },
  {
    name: 'another site may cancel a payment',
    by: 'returns',
    of: 'addForms',
    edits: [
      [
        'await visits.posted(req, res)\n    await cancelPage',
        'await visits.of(req, res)\n    await cancelPage',
      ],
    ],
  },
  {
    name: 'the words of an adapter stand in the log',
    by: 'canaries',
    of: 'message',
    edits: [
      ['hasOwnWords(error) || error instanceof DeadlinePassed ? error.message : undefined', 'error.message'],
    ],
  },
  {
    name: 'the lines of an error stand in the log as they are',
    by: 'canaries',
    of: 'stack',
    edits: [['    stack: framesOf(error),', '    stack: error.stack,']],
  },
  {
    name: 'the words of an adapter stand in a span',
    by: 'canaries',
    of: 'failed',
    edits: [
      ["span.setAttribute('error.type', kindOf(error))", "span.setAttribute('error.type', String(error))"],
    ],
  },
  {
    name: 'the words of an adapter about a push that it cannot read are kept',
    by: 'canaries',
    of: 'wordsOf',
    edits: [["return aboutPush ? '", "return error.message === undefined ? '"]],
  },
  {
    name: 'a push about a payment of another shop is listed as processed',
    by: 'tenants',
    of: 'outcome',
    edits: [["missing.length > 0 ? 'unmatched'", "missing.length > 1 ? 'unmatched'"]],
  },
  {
    name: 'what was asked for stands in a number',
    by: 'canaries',
    of: 'SeenRequest.constructor',
    edits: [['    this.route = route\n', '    this.route = String(req.url)\n']],
  },
  {
    name: 'everybody gets the metrics',
    by: 'canaries',
    of: 'allowed',
    edits: [['    const allowed = isToken(shown(req))\n', '    const allowed = true\n']],
  },
  {
    name: 'the value of a setting stands in the audit trail',
    by: 'audit',
    of: 'differing',
    edits: [['? changed.map(', "? [sorted(after) ?? ''].concat(changed).map("]],
  },
  {
    name: 'the note of an anomaly stands in the audit trail',
    by: 'audit',
    of: 'afterClosing',
    edits: [
      [
        "action: 'anomaly.closed', order, attempt, kind, anomaly }",
        "action: 'anomaly.closed', order, attempt, kind, anomaly: row.note ?? '' }",
      ],
    ],
  },
  {
    name: 'an endpoint is rotated without an entry in the audit trail',
    by: 'audit',
    of: 'rotateEndpoint',
    edits: [
      [
        "      yield* audit.logChange(shopId, { at: endpoint.now, by }, { action: 'endpoint.rotated', oldEndsAt })\n",
        '',
      ],
    ],
  },
  {
    name: 'the audit trail lists the removal of a shop that is not there',
    by: 'audit',
    of: 'removeShop',
    edits: [['if (!(yield* first(load.lock, { id: shopId }))) return undefined', '']],
  },
  {
    name: 'a change stays although its entry could not be written',
    by: 'audit',
    of: 'tryGroup',
    edits: [['      if (wrote || damaged) {\n', '      if ((wrote || damaged) && !one.refused) {\n']],
  },
  {
    name: 'websites may call the API of the sandbox',
    by: 'developer',
    of: 'ownCallersOnly',
    edits: [
      ['  if (why === undefined) next()\n', "  if (why === undefined || isUnder('api', req)) next()\n"],
    ],
  },
  {
    name: 'a name of a stranger that leads to this machine opens the sandbox',
    by: 'developer',
    of: 'whyRefused',
    edits: [['  if (moreHosts.length > 0 || !isLoopbackAuthority(host))', '  if (moreHosts.length > 0)']],
  },
  {
    name: 'a browser without fetch metadata may call the sandbox from anywhere',
    by: 'developer',
    of: 'whyRefused',
    edits: [
      ['  if (origin !== undefined && ', "  if (origin !== undefined && req.get('sec-fetch-site') && "],
    ],
  },
  {
    name: 'every sandbox has the same credentials',
    by: 'developer',
    of: 'random',
    edits: [["randomBytes(16).toString('hex')", "'sandbox'.padEnd(32, '0')"]],
  },
  {
    name: 'check prints what steers a terminal',
    by: 'developer',
    of: 'say',
    edits: [['write(shown(mark) + printable(line))', 'write(shown(mark) + line)']],
  },
  {
    name: 'C1 controls and direction marks are printed',
    by: 'developer',
    of: 'unprintable',
    edits: [
      ['/[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\p{Cs}]/gu', '/[\\u0000-\\u001f]/gu'],
    ],
  },
  {
    name: 'a mounted router speaks for all hosts of its app',
    by: 'developer',
    of: 'documentHeaders',
    edits: [['    strictTransportSecurity: false,\n', '']],
  },
  {
    name: 'the password reaches an adapter',
    by: 'canaries',
    of: ['email', 'customerReader'],
    edits: [
      ["  email: textField('email'),\n", "  email: textField('email'),\n  password: textField('name'),\n"],
      ['only(fields, names)', '{ ...only(fields, names), password: fields.password }'],
    ],
  },
  {
    name: 'no limit on unanswered requests',
    by: 'unread',
    of: 'Connections.#arrived',
    edits: [['waiting.length >= this.#limits.pipelined', 'waiting.length >= 1e9']],
  },
  {
    name: 'all requests of a connection are answered at once',
    by: 'unread',
    of: 'Connections.#arrived',
    edits: [
      [
        '    if (waiting.length === 0 && (answer === undefined || answer.writableFinished)) {\n',
        '    if (true) {\n',
      ],
    ],
  },
  {
    name: 'requests behind the cut are parsed all the same',
    by: 'unread',
    of: 'IncomingMessage',
    edits: [['    IncomingMessage: StoppableRequest,\n', '']],
  },
  {
    name: 'an endpoint can be moved to another shop',
    by: 'rest',
    of: 'endpointRow',
    edits: [
      [
        'endpointRow = (shopId: string, tokenHash: string): SealedRow',
        "endpointRow = (_: string, tokenHash: string, shopId = ''): SealedRow",
      ],
    ],
  },
  {
    name: 'a body in pieces of one byte goes on behind its answer',
    by: 'unread',
    of: 'StoppableRequest.constructor',
    edits: [['    this.push = push\n    this._dump = dump\n', '    void [push, dump]\n']],
  },
  {
    name: 'CONNECT keeps its connection for good',
    by: 'unread',
    of: 'countUnread',
    edits: [['      socket.destroy(),\n', '      socket.resume(),\n']],
  },
  {
    name: 'idle connections lock out new callers',
    by: 'idle',
    of: 'Connections.#makeRoom',
    edits: [
      ['      if (!waitsForPeer(connection)) continue\n', '      if (waitsForPeer(connection)) continue\n'],
    ],
  },
  {
    name: 'a stream that nobody reads keeps its connection',
    by: 'unread',
    of: 'isUnread',
    edits: [[' || answer.writableNeedDrain', '']],
  },
  {
    name: 'unknown tokens use the wide lane',
    by: 'guesses',
    of: 'Places.enter',
    edits: [['    if (this.#taken < atOnce && this.#waiting.size === 0) {\n', '    if (atOnce > 0) {\n']],
  },
  {
    name: 'a visit of a known page waits for no place',
    by: 'visitors',
    of: 'restHandler',
    edits: [['lane.visitors.enter(req, res).then(route', 'Promise.resolve().then(route']],
  },
  {
    name: 'a page may be opened as often as one likes',
    by: 'visitors',
    of: 'enterPage',
    edits: [['      visits.enter(pageHash)\n', '']],
  },
  {
    name: 'a health check waits for no place',
    by: 'visitors',
    of: 'restHandler',
    edits: [['      checks.enter(req, res).then(', '      Promise.resolve().then(']],
  },
  {
    name: 'a large cart counts as one call',
    by: 'visitors',
    of: 'sized',
    edits: [['(size, counted) => limits.spend(shop.id, size, counted)', '() => {}']],
  },
  {
    name: 'the form of a guess is read before its token is looked up',
    by: 'guesses',
    of: 'Visits.posted',
    edits: [
      [
        '    // Before the body is read, so that a stranger who sends it slowly holds no place in the lane.\n',
        "    Object.assign(req, { body: await (await import('../read-body.ts')).readForm(req) })\n",
      ],
    ],
  },
  {
    name: 'guesses stand in the log',
    by: 'guesses',
    of: 'ofStrangers',
    edits: [["new Set(['NOT_FOUND', ", 'new Set([']],
  },
  {
    name: 'keys that reach into prototypes stay',
    by: 'inputs',
    of: 'hostileKeys',
    edits: [
      ["const hostileKeys = ['__proto__', 'constructor', 'prototype']", 'const hostileKeys: string[] = []'],
    ],
  },
  {
    name: 'a body is read however long it is',
    by: 'inputs',
    of: 'read',
    edits: [
      ['      if (size > most) return\n', ''],
      ['        if (size > most) throw', '        if (size > 1e9) throw'],
    ],
  },
  {
    name: 'text that is not UTF-8 is read as what it is not',
    by: 'inputs',
    of: 'readJson',
    edits: [["  if (!isUtf8(bytes)) throw new Problem('BODY_UNREADABLE')\n", '']],
  },
  {
    name: 'a long description costs the rates',
    by: 'inputs',
    of: 'description',
    edits: [['  description: { most: 2_000, cut: true },', '  description: { most: 2_000, cut: false },']],
  },
  {
    name: 'a zipcode is read however long it is',
    by: 'inputs',
    of: 'zipcode',
    edits: [['  zipcode: { most: 32,', '  zipcode: { most: 1e9,']],
  },
  {
    name: 'a text is cut inside a character',
    by: 'inputs',
    of: 'cutTo',
    edits: [["[...text.slice(0, 2 * most)].slice(0, most).join('')", 'text.slice(0, most)']],
  },
  {
    name: 'a zipcode is normalised once for every pickup point',
    by: 'inputs',
    of: ['PointIndex.nearest', 'CountryPoints.nearest'],
    edits: [
      [
        '?.nearest(count, zipcodeKey(country, zipcode), place, wanted)',
        '?.nearest(count, zipcode, place, wanted)',
      ],
      ['alike(this.#zipcodes[at]!, zipcode)', 'alike(this.#zipcodes[at]!, zipcodeKey("nl", zipcode))'],
    ],
  },
  {
    name: 'an order is started as often as one likes',
    by: 'inputs',
    of: 'mostAttempts',
    edits: [['\nconst mostAttempts = 100\n', '\nconst mostAttempts = 1e9\n']],
  },
  {
    name: 'a payment page that hangs is waited for',
    by: 'pages',
    of: 'called',
    edits: [['workings.deadlines.page)', '1e9)']],
  },
  {
    name: 'an access line holds what was sent for the order',
    by: 'canaries',
    of: 'payment',
    edits: [['call.seen.order = request.order.id', 'call.seen.order = JSON.stringify(call.body)']],
  },
]
