import type { SeededBug } from '../seeded-bugs.ts'
import type { Attempt } from './main.ts'

/** A bug that lets strangers in, and the attempt of `main.ts` that must find it. */
export type StrangerBug = SeededBug & { by: Attempt }

export const strangerBugs: readonly StrangerBug[] = [
  {
    name: 'a public address is development where NODE_ENV is not set',
    by: 'development',
    file: 'provider/mode.ts',
    edits: [['  if (reached)\n', '  if (reached && nodeEnv !== undefined)\n']],
  },
  {
    name: 'development: true stands beside a public address',
    by: 'development',
    file: 'provider/mode.ts',
    edits: [
      ['      ...(development === true &&', "      ...(development === true && nodeEnv === 'production' &&"],
    ],
  },
  {
    name: 'any tunnel keeps the adapters of development',
    by: 'development',
    file: 'provider/mode.ts',
    edits: [['reached && publicUrl === tunnelUrl', 'reached && tunnelUrl !== undefined']],
  },
  {
    name: 'an adapter that is developmentOnly is offered in production',
    by: 'development',
    file: 'provider/check-adapters.ts',
    edits: [
      ['developmentAdapters || !developmentOnly', 'developmentAdapters || developmentOnly !== undefined'],
    ],
  },
  {
    name: 'a mounted provider starts in production with what serve refuses',
    by: 'development',
    file: 'provider/lifecycle.ts',
    edits: [['    checkProduction(configuration)\n', '']],
  },
  {
    name: 'a secret of one letter is taken in production',
    by: 'development',
    file: 'provider/production-rules.ts',
    edits: [['new Set(secret).size < 8', 'secret.length < 8']],
  },
  {
    name: 'a push that nobody verifies is taken',
    by: 'development',
    file: 'provider/check-adapters.ts',
    edits: [['    if (reader === undefined) continue\n', '    continue\n']],
  },
  {
    name: 'a call that a proxy forwards is served in development',
    by: 'development',
    file: 'http/own-machine.ts',
    edits: [['Object.keys(headers).some((name) => ofProxy.test(name))', 'false']],
  },
  {
    name: 'any host name is served in development',
    by: 'development',
    file: 'http/own-machine.ts',
    edits: [["  if (hosts.length === 0 || !hosts.every(isLoopbackAuthority)) return 'host'\n", '']],
  },
  {
    name: 'a mounted router serves everybody in development',
    by: 'development',
    file: 'http/router.ts',
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
    file: 'provider/lifecycle.ts',
    edits: [["    if (development && !isLoopbackHost(address ?? '')) throw hostRefused(address)\n", '']],
  },
  {
    name: 'an order is looked up without its shop',
    by: 'tenants',
    file: 'stores/sql/load-payments.ts',
    edits: [
      [
        'selectAll().select(deliveredBefore).where(ofOrder(value))',
        "selectAll().select(deliveredBefore).where('order_id', '=', value('orderId'))",
      ],
    ],
  },
  {
    name: 'another shop of the platform may call an endpoint',
    by: 'tenants',
    file: 'http/endpoints.ts',
    edits: [["      throw new Problem('NOT_FOUND')\n    }\n", '    }\n']],
  },
  {
    name: 'a GET binds an endpoint',
    by: 'tenants',
    file: 'http/endpoints.ts',
    edits: [['    if (!binds) return current\n', '']],
  },
  {
    name: 'serve prints the endpoint where there is no terminal',
    by: 'tenants',
    file: 'cli/serve/serve.ts',
    edits: [['options.showEndpoint === true || process.stdout.isTTY === true', 'true']],
  },
  {
    name: 'any text in X-Shop-Id binds an endpoint',
    by: 'tenants',
    file: 'shops/shop.ts',
    edits: [['  /^(0|[1-9]\\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))', "  text !== ''"]],
  },
  {
    name: 'a disabled shop is found',
    by: 'tenants',
    file: 'stores/sql/addresses.ts',
    edits: [["      .where('disabled_at', 'is', null)\n", '']],
  },
  {
    name: 'other users can read the endpoints of imported shops',
    by: 'rest',
    file: 'cli/shop/endpoints-file.ts',
    edits: [["'wx', 0o600", "'wx', 0o644"]],
  },
  {
    name: 'an imported endpoint is sealed for any shop',
    by: 'rest',
    file: 'use-cases/shops/add-shops.ts',
    edits: [['newEndpoint(workings, id)', "newEndpoint(workings, '')"]],
  },
  {
    name: 'an endpoint goes on after another one has taken its place',
    by: 'tenants',
    file: 'use-cases/shops/shops.ts',
    edits: [['const oldEndsAt = endpoint.now + overlap', 'const oldEndsAt = endpoint.now + overlap + day']],
  },
  {
    name: 'an unknown token is answered otherwise than an unknown order',
    by: 'tenants',
    file: 'http/endpoints.ts',
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
    file: 'http/access-log.ts',
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
    file: 'http/access-log.ts',
    edits: [['(path && contractRouteOf(path)) ??', "(path && '/e/'.concat(path.token)) ??"]],
  },
  {
    name: 'a push that nobody has signed is believed',
    by: 'tenants',
    file: 'use-cases/payments/take-push.ts',
    edits: [["  throw new Problem('PUSH_NOT_VERIFIED')\n", '']],
  },
  {
    name: 'the token of a page stands in its row',
    by: 'rest',
    file: 'payments/page-tokens.ts',
    edits: [['token.slice(0, -secretLength) + hashToken(token)', 'token']],
  },
  {
    name: 'a repeat gets another page',
    by: 'rest',
    file: 'payments/page-tokens.ts',
    edits: [['Buffer.from(name)', 'Buffer.from(name + Math.random())']],
  },
  {
    name: 'sealed texts of one kind can be swapped',
    by: 'rest',
    file: 'stores/seal.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source as it is written
    edits: [['base64url(`${kind}:${key}`)', "base64url(key === '' ? kind : `${kind}:`)"]],
  },
  {
    name: 'a store that has lost its key gets another one',
    by: 'rest',
    file: 'use-cases/shops/unlock-store.ts',
    edits: [['    throw new StoreUnavailable(\n', '    if (made) throw new StoreUnavailable(\n']],
  },
  {
    name: 'the file of the store is open to others',
    by: 'rest',
    file: 'stores/own-file.ts',
    edits: [
      ["openSync(file, 'a', 0o600)", "openSync(file, 'a')"],
      ['if ((mode & 0o077) === 0) return', 'if (mode >= 0) return'],
    ],
  },
  {
    name: 'settings take the credentials of a shop away',
    by: 'rest',
    file: 'use-cases/shops/change-settings.ts',
    edits: [
      ['(credentials ? { ...settings, credentials } : settings)', '(credentials && settings) || settings'],
    ],
  },
  {
    name: 'of two changes of settings at once one is lost',
    by: 'rest',
    file: 'stores/sql/shops.ts',
    edits: [["      .where('settings_version', '=', value('version'))\n", '']],
  },
  {
    name: 'a database elsewhere is talked to in the clear',
    by: 'rest',
    file: 'stores/postgres-tls.ts',
    edits: [["if (ssl || host.startsWith('/')", "if (ssl || host.startsWith('1')"]],
  },
  {
    name: 'this machine may be called',
    by: 'addresses',
    file: 'network/public-addresses.ts',
    edits: [["  if (range === 'loopback') return loopback\n", "  if (range === 'loopback') return true\n"]],
  },
  {
    name: 'an address of IPv6 that carries one of IPv4 counts as public',
    by: 'addresses',
    file: 'network/public-addresses.ts',
    edits: [["  return address.kind() === 'ipv4' || address.match(globalUnicast)", '  return true']],
  },
  {
    name: 'only the first address of a name is looked at',
    by: 'addresses',
    file: 'network/connections.ts',
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
    file: 'use-cases/payments/check-hosts.ts',
    edits: [['!development && !mayUsePort(', 'development && !mayUsePort(']],
  },
  {
    name: "a name of one's own network counts as public",
    by: 'addresses',
    file: 'network/public-addresses.ts',
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
    file: 'network/outgoing.ts',
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
    file: 'network/outgoing.ts',
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
    file: 'network/outgoing.ts',
    edits: [
      ["    const key = [kind, maxAnswer, ...allow].join(' ')", "    const key = ['', maxAnswer].join(' ')"],
    ],
  },
  {
    name: 'a host that an adapter names may lead to a metadata service',
    by: 'addresses',
    file: 'network/private-network.ts',
    edits: [['    return isPrivate(address) || (place', '    return address.length > 0 || (place']],
  },
  {
    name: 'a webhook is signed over another body',
    by: 'signatures',
    file: 'use-cases/webhooks/deliver-webhooks.ts',
    edits: [['signer.headersOf(owed, sent)', 'signer.headersOf(owed, owed.orderId)']],
  },
  {
    name: 'webhooks of two orders have one id',
    by: 'signatures',
    file: 'shops/webhook-signature.ts',
    edits: [['[sender, shopId, orderId, version]', '[sender, shopId, version]']],
  },
  {
    name: 'a try of a webhook is another message than the one before',
    by: 'signatures',
    file: 'use-cases/webhooks/webhook-signer.ts',
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
    file: 'use-cases/webhooks/webhook-signer.ts',
    edits: [
      ['this.#remembered.get(shopId)', "this.#remembered.get('')"],
      ['this.#remembered.set(shopId,', "this.#remembered.set('',"],
    ],
  },
  {
    name: 'a changed webhook secret signs alone at once',
    by: 'signatures',
    file: 'stores/sql/webhook-keys.ts',
    edits: [['keys.replace(shopId, newest?.id, oldEndsAt)', 'keys.replace(shopId, newest?.id, key.now)']],
  },
  {
    name: 'decoded bytes are not counted',
    by: 'bombs',
    file: 'network/limited-answer.ts',
    edits: [['        left -= value.byteLength\n', '']],
  },
  {
    name: 'codings one in the other are decoded',
    by: 'bombs',
    file: 'network/limited-answer.ts',
    edits: [['  if (codings.length > 1) {', '  if (codings.length > 5) {']],
  },
  {
    name: 'a host beside the list is taken',
    by: 'addresses',
    file: 'use-cases/payments/check-hosts.ts',
    edits: [['hosts.confirmed && unlisted(hosts, [url]).length > 0', 'false']],
  },
  {
    name: 'the host of redirect_url is not looked at',
    by: 'addresses',
    file: 'use-cases/payments/check-hosts.ts',
    edits: [['Object.entries({ webhook_url, redirect_url })', 'Object.entries({ webhook_url })']],
  },
  {
    name: 'a repeat moves the host of webhook_url',
    by: 'addresses',
    file: 'payments/open.ts',
    edits: [['    webhookUrl: onFirstHost(payment.webhookUrl, webhookUrl),\n', '    webhookUrl,\n']],
  },
  {
    name: 'a repeat takes the customer to another host',
    by: 'addresses',
    file: 'payments/open.ts',
    edits: [['    redirectUrl: onFirstHost(payment.redirectUrl, redirectUrl),\n', '    redirectUrl,\n']],
  },
  {
    name: 'a host that ends like one on the list is on it',
    by: 'addresses',
    file: 'shops/hosts.ts',
    edits: [['!hosts.includes(host)', '!hosts.some((name) => host.endsWith(name))']],
  },
  {
    name: 'a form that another site posts is taken',
    by: 'pages',
    file: 'http/pages/visits.ts',
    edits: [["  if (site !== undefined && site !== 'same-origin') return false\n", '']],
  },
  {
    name: 'a form without an origin of its own is taken',
    by: 'pages',
    file: 'http/pages/visits.ts',
    edits: [['  return origin === undefined ||', "  return origin === undefined || origin === 'null' ||"]],
  },
  {
    name: 'a click in two tabs has two effects',
    by: 'pages',
    file: 'use-cases/payments/submit-page.ts',
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
    file: 'http/pages/routes.ts',
    edits: [["req.method === 'HEAD' ? new Problem('METHOD_NOT_ALLOWED') : undefined", 'undefined']],
  },
  {
    name: 'forms that came to nothing make no page pause',
    by: 'pages',
    file: 'payments/form-limits.ts',
    edits: [
      ['fruitless: fruitless + 1, nextAt: now + pause }', 'fruitless: fruitless + 1, nextAt: now - pause }'],
    ],
  },
  {
    name: 'a page takes any number of forms',
    by: 'pages',
    file: 'payments/form-limits.ts',
    edits: [['  own.forms >= most ||', '  own.forms >= 1e9 ||']],
  },
  {
    name: 'an attempt ends after too many forms without an anomaly',
    by: 'pages',
    file: 'use-cases/payments/submit-page.ts',
    edits: [["  await openAnomaly(workings, attempt, { kind: 'too_many_forms', event: '' })\n", '']],
  },
  {
    name: 'each reload asks the payment service',
    by: 'pages',
    file: 'use-cases/payments/read-status.ts',
    edits: [['Math.abs(began - last.began) < askEvery', 'Math.abs(began - last.began) < 0']],
  },
  {
    name: 'an entry of any length reaches an adapter',
    by: 'pages',
    file: 'http/read-body.ts',
    edits: [['const maxForm = 32 * 1024', 'const maxForm = 1e9']],
  },
  {
    name: 'a text of others is not isolated on a page',
    by: 'pages',
    file: 'http/pages/texts.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source as it is written
    edits: [['html`<bdi>${text}</bdi>`', 'html`${text}`']],
  },
  {
    name: 'a page lets inline scripts in',
    by: 'page content',
    file: 'http/pages/policy.ts',
    edits: [["['script-src', scripts]", "['script-src', [\"'unsafe-inline'\", ...scripts]]"]],
  },
  {
    name: 'an origin of scripts is let in for calls as well',
    by: 'page content',
    file: 'http/pages/policy.ts',
    edits: [['allow.connect ?? []', 'allow.connect ?? allow.script ?? []']],
  },
  {
    name: 'a page lets pictures of foreign origins in',
    by: 'page content',
    file: 'http/pages/policy.ts',
    edits: [['...(allow.img ?? [])', "...(allow.img ?? ['https:'])"]],
  },
  {
    name: 'a page may be framed',
    by: 'page content',
    file: 'http/pages/policy.ts',
    edits: [["    ['frame-ancestors', [\"'none'\"]],\n", '']],
  },
  {
    name: 'the pages of states have the policy of the adapter',
    by: 'page content',
    file: 'http/pages/routes.ts',
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
    file: 'http/pages/allow-faults.ts',
    edits: [['/[*;,\'"\\s]/', '/[;,\'"\\s]/']],
  },
  {
    name: 'an origin of this machine is taken in production',
    by: 'page content',
    file: 'http/pages/allow-faults.ts',
    edits: [["(development && url.protocol === 'http:' &&", "(url.protocol === 'http:' &&"]],
  },
  {
    name: 'an origin is taken with a path',
    by: 'page content',
    file: 'http/pages/allow-faults.ts',
    edits: [['url.origin !== text', '!text.startsWith(url.origin)']],
  },
  {
    name: 'a drawing with scripts is served as a logo',
    by: 'page content',
    file: 'brand/image.ts',
    edits: [
      [
        'readImageHeader(bytes)\n',
        "readImageHeader(bytes) ?? (bytes.includes('<svg') ? { type: 'image/svg+xml' as 'image/gif', width: 64, height: 64 } : undefined)\n",
      ],
    ],
  },
  {
    name: 'an accent that nobody can read is taken',
    by: 'page content',
    file: 'brand/brand.ts',
    edits: [['accent !== undefined && !isAccent(accent)', 'accent !== undefined && accent === surface']],
  },
  {
    name: 'a surface that nobody can read on is taken',
    by: 'page content',
    file: 'brand/brand.ts',
    edits: [
      ['standsOut(textContrast, [colour, groundOf(colour)])', 'standsOut(1, [colour, groundOf(colour)])'],
    ],
  },
  {
    name: 'a colour is any text',
    by: 'page content',
    file: 'brand/brand.ts',
    edits: [['if (value !== undefined && colour === undefined)', "if (value === '')"]],
  },
  {
    name: 'a return counts although its check says no',
    by: 'returns',
    file: 'use-cases/payments/read-return.ts',
    edits: [
      [
        "ask('returned', verified, asIs)) !== true",
        "ask('returned', verified, asIs)) === undefined",
      ],
    ],
  },
  {
    name: 'a return counts where the service was to be asked',
    by: 'returns',
    file: 'use-cases/payments/read-return.ts',
    edits: [
      ['      return verify ? readReports(answer) : []', '      return readReports(answer)'],
      ['    if (verify) await learnOf(', '    await learnOf('],
    ],
  },
  {
    name: 'the secret of a page token is not checked',
    by: 'returns',
    file: 'payments/page-tokens.ts',
    edits: [['hashToken(token)', 'hashToken(token.slice(0, -secretLength))']],
  },
  {
    name: 'the page of a paid order shows its form',
    by: 'returns',
    file: 'http/pages/visits.ts',
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
    file: 'payments/page-standing.ts',
    edits: [['!takesMoney(payment, attempt)', '!takesMoney({ ...payment, attempts: [attempt] }, attempt)']],
  },
  {
    name: 'a page offers its form while the service works on what a form began',
    by: 'returns',
    file: 'payments/page-standing.ts',
    edits: [["  if (attempt.lastWord?.is === 'working') return { shows: 'status' }\n", '']],
  },
  {
    name: 'a customer who comes back while the service does not answer may pay again',
    by: 'returns',
    file: 'use-cases/payments/read-return.ts',
    edits: [["{ is: 'unsure', quiet: 0, count }", "{ is: 'open', count }"]],
  },
  {
    name: 'a customer at the bank gets the form again without a question to the service',
    by: 'returns',
    file: 'use-cases/payments/look-again.ts',
    edits: [["standing === 'open' && mayOffer", 'mayOffer']],
  },
  {
    name: 'another site may cancel a payment',
    by: 'returns',
    file: 'http/pages/routes.ts',
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
    file: 'observability/loggable-error.ts',
    edits: [
      ['hasOwnWords(error) || error instanceof DeadlinePassed ? error.message : undefined', 'error.message'],
    ],
  },
  {
    name: 'the lines of an error stand in the log as they are',
    by: 'canaries',
    file: 'observability/loggable-error.ts',
    edits: [['    stack: framesOf(error),', '    stack: error.stack,']],
  },
  {
    name: 'the words of an adapter stand in a span',
    by: 'canaries',
    file: 'tracing.ts',
    edits: [
      ["span.setAttribute('error.type', kindOf(error))", "span.setAttribute('error.type', String(error))"],
    ],
  },
  {
    name: 'the words of an adapter about a push that it cannot read are kept',
    by: 'canaries',
    file: 'use-cases/payments/process-pushes.ts',
    edits: [["return aboutPush ? '", "return error.message === undefined ? '"]],
  },
  {
    name: 'a push about a payment of another shop is listed as processed',
    by: 'tenants',
    file: 'use-cases/payments/learn-push.ts',
    edits: [["missing.length > 0 ? 'unmatched'", "missing.length > 1 ? 'unmatched'"]],
  },
  {
    name: 'what was asked for stands in a number',
    by: 'canaries',
    file: 'observability/observer.ts',
    edits: [['    this.route = route\n', '    this.route = String(req.url)\n']],
  },
  {
    name: 'everybody gets the metrics',
    by: 'canaries',
    file: 'http/metrics.ts',
    edits: [['    const allowed = isToken(shown(req))\n', '    const allowed = true\n']],
  },
  {
    name: 'the value of a setting stands in the audit trail',
    by: 'audit',
    file: 'use-cases/shops/audit.ts',
    edits: [['? changed.map(', "? [sorted(after) ?? ''].concat(changed).map("]],
  },
  {
    name: 'the note of an anomaly stands in the audit trail',
    by: 'audit',
    file: 'stores/sql/anomalies.ts',
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
    file: 'stores/sql/addresses.ts',
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
    file: 'stores/sql/erasure.ts',
    edits: [['if (!(yield* first(load.lock, { id: shopId }))) return undefined', '']],
  },
  {
    name: 'a change stays although its entry could not be written',
    by: 'audit',
    file: 'stores/sqlite-group.ts',
    edits: [['      if (wrote || damaged) {\n', '      if ((wrote || damaged) && !one.refused) {\n']],
  },
  {
    name: 'websites may call the API of the sandbox',
    by: 'developer',
    file: 'sandbox/guard.ts',
    edits: [
      ['  if (why === undefined) next()\n', "  if (why === undefined || isUnder('api', req)) next()\n"],
    ],
  },
  {
    name: 'a name of a stranger that leads to this machine opens the sandbox',
    by: 'developer',
    file: 'sandbox/guard.ts',
    edits: [['  if (moreHosts.length > 0 || !isLoopbackAuthority(host))', '  if (moreHosts.length > 0)']],
  },
  {
    name: 'a browser without fetch metadata may call the sandbox from anywhere',
    by: 'developer',
    file: 'sandbox/guard.ts',
    edits: [
      ['  if (origin !== undefined && ', "  if (origin !== undefined && req.get('sec-fetch-site') && "],
    ],
  },
  {
    name: 'every sandbox has the same credentials',
    by: 'developer',
    file: 'sandbox/index.ts',
    edits: [["randomBytes(16).toString('hex')", "'sandbox'.padEnd(32, '0')"]],
  },
  {
    name: 'check prints what steers a terminal',
    by: 'developer',
    file: 'cli/terminal/print.ts',
    edits: [['write(shown(mark) + printable(line))', 'write(shown(mark) + line)']],
  },
  {
    name: 'C1 controls and direction marks are printed',
    by: 'developer',
    file: 'printable.ts',
    edits: [
      ['/[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\p{Cs}]/gu', '/[\\u0000-\\u001f]/gu'],
    ],
  },
  {
    name: 'a mounted router speaks for all hosts of its app',
    by: 'developer',
    file: 'http/security-headers.ts',
    edits: [['    strictTransportSecurity: false,\n', '']],
  },
  {
    name: 'the password reaches an adapter',
    by: 'canaries',
    file: 'contract/customer.ts',
    edits: [
      ["  email: textField('email'),\n", "  email: textField('email'),\n  password: textField('name'),\n"],
      ['only(fields, names)', '{ ...only(fields, names), password: fields.password }'],
    ],
  },
  {
    name: 'no limit on unanswered requests',
    by: 'unread',
    file: 'http/connections.ts',
    edits: [['waiting.length >= this.#limits.pipelined', 'waiting.length >= 1e9']],
  },
  {
    name: 'all requests of a connection are answered at once',
    by: 'unread',
    file: 'http/connections.ts',
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
    file: 'http/server.ts',
    edits: [['    IncomingMessage: StoppableRequest,\n', '']],
  },
  {
    name: 'an endpoint can be moved to another shop',
    by: 'rest',
    file: 'shops/seal.ts',
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
    file: 'http/stoppable-request.ts',
    edits: [['    this.push = push\n    this._dump = dump\n', '    void [push, dump]\n']],
  },
  {
    name: 'CONNECT keeps its connection for good',
    by: 'unread',
    file: 'http/unread-requests.ts',
    edits: [['      socket.destroy(),\n', '      socket.resume(),\n']],
  },
  {
    name: 'idle connections lock out new callers',
    by: 'idle',
    file: 'http/connections.ts',
    edits: [
      ['      if (!waitsForPeer(connection)) continue\n', '      if (waitsForPeer(connection)) continue\n'],
    ],
  },
  {
    name: 'a stream that nobody reads keeps its connection',
    by: 'unread',
    file: 'http/connections.ts',
    edits: [[' || answer.writableNeedDrain', '']],
  },
  {
    name: 'unknown tokens use the wide lane',
    by: 'guesses',
    file: 'http/places.ts',
    edits: [['    if (this.#taken < atOnce && this.#waiting.size === 0) {\n', '    if (atOnce > 0) {\n']],
  },
  {
    name: 'a visit of a known page waits for no place',
    by: 'visitors',
    file: 'http/rest-handler.ts',
    edits: [['lane.visitors.enter(req, res).then(route', 'Promise.resolve().then(route']],
  },
  {
    name: 'a page may be opened as often as one likes',
    by: 'visitors',
    file: 'http/rest-handler.ts',
    edits: [['      visits.enter(pageHash)\n', '']],
  },
  {
    name: 'a health check waits for no place',
    by: 'visitors',
    file: 'http/rest-handler.ts',
    edits: [['      checks.enter(req, res).then(', '      Promise.resolve().then(']],
  },
  {
    name: 'a large cart counts as one call',
    by: 'visitors',
    file: 'http/contract-routes.ts',
    edits: [['(size, counted) => limits.spend(shop.id, size, counted)', '() => {}']],
  },
  {
    name: 'the form of a guess is read before its token is looked up',
    by: 'guesses',
    file: 'http/pages/visits.ts',
    edits: [
      [
        '    // Before the body is read, so that a stranger who sends it slowly holds no place in the lane.\n',
        '    Object.assign(req, { body: await readForm(req) })\n',
      ],
      [
        "import type { StrangersLane } from '../strangers-lane.ts'\n",
        "import { readForm } from '../read-body.ts'\nimport type { StrangersLane } from '../strangers-lane.ts'\n",
      ],
    ],
  },
  {
    name: 'guesses stand in the log',
    by: 'guesses',
    file: 'http/access-log.ts',
    edits: [["new Set(['NOT_FOUND', ", 'new Set([']],
  },
  {
    name: 'keys that reach into prototypes stay',
    by: 'inputs',
    file: 'contract/read.ts',
    edits: [
      ["const hostileKeys = ['__proto__', 'constructor', 'prototype']", 'const hostileKeys: string[] = []'],
    ],
  },
  {
    name: 'a body is read however long it is',
    by: 'inputs',
    file: 'http/read-body.ts',
    edits: [
      ['      if (size > most) return\n', ''],
      ['        if (size > most) throw', '        if (size > 1e9) throw'],
    ],
  },
  {
    name: 'text that is not UTF-8 is read as what it is not',
    by: 'inputs',
    file: 'http/read-body.ts',
    edits: [["  if (!isUtf8(bytes)) throw new Problem('BODY_UNREADABLE')\n", '']],
  },
  {
    name: 'a long description costs the rates',
    by: 'inputs',
    file: 'contract/lengths.ts',
    edits: [['  description: { most: 2_000, cut: true },', '  description: { most: 2_000, cut: false },']],
  },
  {
    name: 'a zipcode is read however long it is',
    by: 'inputs',
    file: 'contract/lengths.ts',
    edits: [['  zipcode: { most: 32,', '  zipcode: { most: 1e9,']],
  },
  {
    name: 'a text is cut inside a character',
    by: 'inputs',
    file: 'contract/lengths.ts',
    edits: [["[...text.slice(0, 2 * most)].slice(0, most).join('')", 'text.slice(0, most)']],
  },
  {
    name: 'a zipcode is normalised once for every pickup point',
    by: 'inputs',
    file: 'adapters/pickup-points/nearest.ts',
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
    file: 'payments/open.ts',
    edits: [['\nconst mostAttempts = 100\n', '\nconst mostAttempts = 1e9\n']],
  },
  {
    name: 'a payment page that hangs is waited for',
    by: 'pages',
    file: 'http/pages/adapter-pages.ts',
    edits: [['workings.deadlines.page)', '1e9)']],
  },
  {
    name: 'an access line holds what was sent for the order',
    by: 'canaries',
    file: 'http/contract-routes.ts',
    edits: [['call.seen.order = request.order.id', 'call.seen.order = JSON.stringify(call.body)']],
  },
]
