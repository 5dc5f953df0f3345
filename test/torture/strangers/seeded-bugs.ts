import { bugsBy } from '../seed-bug.ts'
import type { StrangersAttempt } from './all.ts'

/** Bugs that let strangers in, by the attempt that must find them. */
export const strangerBugs = bugsBy<StrangersAttempt>({
  development: `
    a public address is development where NODE_ENV is not set
      modeOf: if (reached) ==> if (reached && nodeEnv !== undefined)
    development: true stands beside a public address
      production: ...(development === true && ==> ...(development === true && nodeEnv === 'production' &&
    any tunnel keeps the adapters of development
      developmentAdapters: reached && publicUrl === tunnelUrl ==> reached && tunnelUrl !== undefined
    an adapter that is developmentOnly is offered in production
      isUsed: developmentAdapters || !developmentOnly ==> developmentAdapters || developmentOnly !== undefined
    a mounted provider starts in production with what serve refuses
      Lifecycle.#open: checkProduction(configuration) ==>
    a secret of one letter is taken in production
      applies: new Set(secret).size < 8 ==> secret.length < 8
    a push that nobody verifies is taken
      readerOf: verify !== undefined || confirm !== undefined ==> true
    a call that a proxy forwards is served in development
      isForwarded: Object.keys(headers).some((name) => ofProxy.test(name)) ==> false
    any host name is served in development
      foreignPart: if (hosts.length === 0 || !hosts.every(isLoopbackAuthority)) return 'host' ==>
    a mounted router serves everybody in development
      providerRoutes: if (!refused(req, res) && !contract(req, res, answerHeaders)) next()
        ==> if (!contract(req, res, answerHeaders)) next()
    development listens on any address
      Lifecycle.listen: if (development && !isLoopbackHost(address ?? '')) ==> if (false)
  `,
  tenants: `
    an order is looked up without its shop
      payment: ofOrder ==> sql.join([sql.ref('order_id'), value('orderId')], sql\` = \`)
    another shop of the platform may call an endpoint
      Endpoints.#refuse: throw new Problem('NOT_FOUND') } ==> }
    a GET binds an endpoint
      Endpoints.#bind: if (!binds) return shop ==>
    serve prints the endpoint where there is no terminal
      shown: options.showEndpoint === true || process.stdout.isTTY === true ==> true
    any text in X-Shop-Id binds an endpoint
      isPlatformId: /^(0|[1-9]\\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ==> text !== ''
    a disabled shop is found
      byEndpoint: disabled_at is null and ==>
    an endpoint goes on after another one has taken its place
      oldEndsAt: const oldEndsAt = endpoint.now + overlap ==> const oldEndsAt = endpoint.now + overlap + day
    an unknown token is answered otherwise than an unknown order
      Endpoints.lookUp: if (!shop) throw new Problem('NOT_FOUND')
        ==> if (!shop) throw new Problem('NOT_FOUND', { faults: [{ path: '$', message: 'no shop' }] })
    a token stands in the log
      routeOf: if (/^\\/(health\\/(live|ready(\\/rates)?)|metrics|openapi\\.json)$/.test(path)) return path
        ==> if (path) return path
    the token of a usual call stands in the log
      begin: (path && contractRouteOf(path)) ?? ==> (path && '/e/'.concat(path.token)) ??
    a push that nobody has signed is believed
      expectGenuine: throw new Problem('PUSH_NOT_VERIFIED') ==>
    a push about a payment of another shop is listed as processed
      outcome: missing.length > 0 ? 'unmatched' ==> missing.length > 1 ? 'unmatched'
  `,
  rest: `
    other users can read the endpoints of imported shops
      makeFile: flag: 'wx', mode: 0o600 ==> flag: 'wx', mode: 0o644
    an imported endpoint is sealed for any shop
      added: newEndpoint(workings, id) ==> newEndpoint(workings, '')
    the token of a page stands in its row
      hashPageToken: token.slice(0, -secretLength) + hashToken(token) ==> token
    a repeat gets another page
      PageTokens.#secretOf: .update(name) ==> .update(name + Math.random())
    sealed texts of one kind can be swapped
      additional: base64url(\`\${kind}:\${key}\`) ==> base64url(key === '' ? kind : \`\${kind}:\`)
    a store that has lost its key gets another one
      makeKey: throw new StoreUnavailable( ==> if (made) throw new StoreUnavailable(
    the file of the store is open to others
      makeOwnFile: openSync(file, 'a', 0o600) ==> openSync(file, 'a')
      takeRights: if ((mode & 0o077) === 0) return ==> if (mode >= 0) return
    settings take the credentials of a shop away
      replaceSettings: (credentials ? { ...settings, credentials } : settings)
        ==> (credentials && settings) || settings
    of two changes of settings at once one is lost
      saveSettings: , 'settings_version' ==>
    a database elsewhere is talked to in the clear
      checkEncryption: if (ssl || host.startsWith('/') ==> if (ssl || host.startsWith('1')
    an endpoint can be moved to another shop
      endpointRow: endpointRow = (shopId: string, tokenHash: string): SealedRow
        ==> endpointRow = (_: string, tokenHash: string, shopId = ''): SealedRow
  `,
  addresses: `
    this machine may be called
      isPublic: if (range === 'loopback') return loopback ==> if (range === 'loopback') return true
    an address of IPv6 that carries one of IPv4 counts as public
      isPublic: return address.kind() === 'ipv4' || address.match(globalUnicast) ==> return true
    only the first address of a name is looked at
      Way.#lookup: addresses.some(({ address }) => !this.#allows(address, place))
        ==> !this.#allows(addresses[0]!.address, place)
    a webhook_url may name any port
      checkHosts: !payments.development && !mayUsePort( ==> payments.development && !mayUsePort(
    a name of one's own network counts as public
      isPublicName: host.includes('.') && !/\\.(localhost|local|localdomain|internal|home\\.arpa)$/.test(host)
        ==> host.includes('.')
    the provider calls itself
      Guard.#faultOf: ?? (this.#isOwn(url) ? 'it is the address of this provider itself' : undefined) ==>
    network.allow of one adapter opens webhook_url
      to: const to = this.#allowed(call.url, everybody)
        ==> const [way = this.#wayOf()] = this.#ways.values(); const to = this.#allowed(call.url, way.network)
      found: const found = this.#toReceivers.dispatcher() ==> const found = way.dispatcher()
    what one adapter has opened is open to the connections of all
      key: const key = [kind, maxAnswer, ...allow].join(' ') ==> const key = ['', maxAnswer].join(' ')
    a host that an adapter names may lead to a metadata service
      PrivateNetwork.allows: return isPrivate(address) || (place ==> return address.length > 0 || (place
    a host beside the list is taken
      faults: hosts.confirmed && unlisted(hosts, [url]).length > 0 ==> false
    the host of redirect_url is not looked at
      faults: Object.entries({ webhook_url, redirect_url }) ==> Object.entries({ webhook_url })
    a repeat moves the host of webhook_url
      webhookUrl: webhookUrl: onFirstHost(payment.webhookUrl, webhookUrl), ==> webhookUrl,
    a repeat takes the customer to another host
      redirectUrl: redirectUrl: onFirstHost(payment.redirectUrl, redirectUrl), ==> redirectUrl,
    a host that ends like one on the list is on it
      unlisted: !hosts.includes(host) ==> !hosts.some((name) => host.endsWith(name))
  `,
  signatures: `
    a webhook is signed over another body
      callReceiver: signatureOf(workings, shopId, message, sent) ==> signatureOf(workings, shopId, message, orderId)
    webhooks of two orders have one id
      named: [sender, shopId, orderId, version] ==> [sender, shopId, version]
    a try of a webhook is another message than the one before
      callReceiver: webhookId(addresses.publicUrl, shopId, orderId, version)
        ==> webhookId(addresses.publicUrl, shopId, orderId, Math.floor(at / 1_000))
    the webhooks of all shops are signed with one secret
      signatureOf: await webhookSecretsOf(workings, shopId) ==> await webhookSecretsOf(workings, 'one')
    a changed webhook secret signs alone at once
      rotateWebhookKey: keys.replace(shopId, newest?.id, oldEndsAt)
        ==> keys.replace(shopId, newest?.id, key.now)
  `,
  pages: `
    a form that another site posts is taken
      fromOwnPage: if (site !== undefined && site !== 'same-origin') return false ==>
    a form without an origin of its own is taken
      fromOwnPage: return origin === undefined || ==> return origin === undefined || origin === 'null' ||
    a click in two tabs has two effects
      take: if (!(await store.leasePage(shopId, id, { now, until, seen, state }))) return 'page'
        ==> await store.leasePage(shopId, id, { now, until, seen, state })
      submitPage: if (open) return answered(workings, open) ==>
    a look at a link reaches the page
      pageRoutes: req.method === 'HEAD' ? new Problem('METHOD_NOT_ALLOWED') : undefined ==> undefined
    forms that came to nothing make no page pause
      withForm: fruitless: fruitless + 1, nextAt: now + pause }
        ==> fruitless: fruitless + 1, nextAt: now - pause }
    a page takes any number of forms
      hadTooMany: own.forms >= most || ==> own.forms >= 1e9 ||
    an attempt ends after too many forms without an anomaly
      take: await openAnomaly(workings, attempt, { kind: 'too_many_forms', event: '' }) ==>
    each reload asks the payment service
      askAtMost: Math.abs(began - last.began) < askEvery ==> Math.abs(began - last.began) < 0
    an entry of any length reaches an adapter
      maxForm: const maxForm = 32 * 1024 ==> const maxForm = 1e9
    a text of others is not isolated on a page
      isolated: html\`<bdi>\${text}</bdi>\` ==> html\`\${text}\`
    a payment page that hangs is waited for
      called: workings.payments.deadlines.page) ==> 1e9)
  `,
  page_content: `
    a page lets inline scripts in
      directives: ['script-src', scripts] ==> ['script-src', ["'unsafe-inline'", ...scripts]]
    an origin of scripts is let in for calls as well
      directives: allow.connect ?? [] ==> allow.connect ?? allow.script ?? []
    a page lets pictures of foreign origins in
      directives: ...(allow.img ?? []) ==> ...(allow.img ?? ['https:'])
    a page may be framed
      directives: ['frame-ancestors', ["'none'"]], ==>
    the pages of states have the policy of the adapter
      pageRoutes: sendPage(res, 200, isOpen ? leftPage(visited) : standingPage(visited, at, { goOn: true }))
        ==> sendPage(res, 200, leftPage(visited), pages.policyOf(visited.adapter!))
    a wildcard is an origin
      isOrigin: /[*;,'"\\s]/ ==> /[;,'"\\s]/
    an origin of this machine is taken in production
      isOrigin: (development && url.protocol === 'http:' && ==> (url.protocol === 'http:' &&
    an origin is taken with a path
      isOrigin: url.origin !== text ==> !text.startsWith(url.origin)
    a drawing with scripts is served as a logo
      imageTypes: gif: 'image/gif', ==> gif: 'image/gif', svg: 'image/svg+xml',
    an accent that nobody can read is taken
      colourFaults: accent !== undefined && !isAccent(accent) ==> accent !== undefined && accent === surface
    a surface that nobody can read on is taken
      isSurface: standsOut(textContrast, [colour, groundOf(colour)])
        ==> standsOut(1, [colour, groundOf(colour)])
    a colour is any text
      colourFaults: if (value !== undefined && colour === undefined) ==> if (value === '')
  `,
  returns: `
    a return counts although its check says no
      readSent: returned.verify!(request, ctx))) !== true ==> returned.verify!(request, ctx))) === undefined
    a return counts where the service was to be asked
      readSent: if (verify) await learnOf( ==> await learnOf(
    the secret of a page token is not checked
      hashPageToken: hashToken(token) ==> hashToken(token.slice(0, -secretLength))
    the page of a paid order shows its form
      visitsOf: adapter?.page ? standingOf(workings, payment, attempt) :
        ==> adapter?.page ? { shows: payment.status === 'paid' ? 'form' : standingOf(workings, payment,
        attempt).shows } as never :
    a replaced attempt takes a form
      isOver: !takesMoney(payment, attempt) ==> !takesMoney({ ...payment, attempts: [attempt] }, attempt)
    a page offers its form while the service works on what a form began
      pageStanding: if (attempt.lastWord?.is === 'working') return { shows: 'status' } ==>
    a customer who comes back while the service does not answer may pay again
      readReturn: { is: 'unsure', quiet: 0, count } ==> { is: 'open', count }
    a customer at the bank gets the form again without a question to the service
      lookAgain: standing === 'open' && mayOffer ==> mayOffer
    another site may cancel a payment
      addForms: await visits.posted(req, res) await cancelPage ==> await visits.of(req, res); await cancelPage
  `,
  canaries: `
    the words of an adapter stand in the log
      message: hasOwnWords(error) || error instanceof DeadlinePassed ? error.message : undefined
        ==> error.message
    the lines of an error stand in the log as they are
      stack: stack: framesOf(error), ==> stack: error.stack,
    the words of an adapter stand in a span
      OpenSpan.end: this.#span.setAttribute('error.type', kindOf(failure.error))
        ==> this.#span.setAttribute('error.type', String(failure.error))
    the words of an adapter about a push that it cannot read are kept
      failedPush: failure: ofService ? ==> failure: error instanceof Error ?
    what was asked for stands in a number
      SeenRequest.constructor: this.route = route ==> this.route = String(req.url)
    everybody gets the metrics
      allowed: const allowed = isToken(shown(req)) ==> const allowed = true
    the password reaches an adapter
      email: email: textField('email'), ==> email: textField('email'), password: textField('name'),
      customerReader: only(fields, names) ==> { ...only(fields, names), password: fields.password }
    an access line holds what was sent for the order
      payment: call.seen.order = request.order.id ==> call.seen.order = JSON.stringify(call.body)
  `,
  audit: `
    the value of a setting stands in the audit trail
      differing: ? changed.map( ==> ? [sorted(after) ?? ''].concat(changed).map(
    the note of an anomaly stands in the audit trail
      afterClosing: action: 'anomaly.closed', order, attempt, kind, anomaly }
        ==> action: 'anomaly.closed', order, attempt, kind, anomaly: row.note ?? '' }
    an endpoint is rotated without an entry in the audit trail
      rotateEndpoint: yield* audit.logChange(shopId, { at: endpoint.now, by }, { action: 'endpoint.rotated',
        oldEndsAt })
        ==>
    the audit trail lists the removal of a shop that is not there
      removeShop: if (!(yield* first(load.lock, { id: shopId }))) return undefined ==>
    a change stays although its entry could not be written
      tryGroup: if (wrote || damaged) { ==> if ((wrote || damaged) && !one.refused) {
  `,
  developer: `
    websites may call the API of the sandbox
      ownCallersOnly: if (why === undefined) next() ==> if (why === undefined || isUnder('api', req)) next()
    a name of a stranger that leads to this machine opens the sandbox
      whyRefused: if (moreHosts.length > 0 || !isLoopbackAuthority(host)) ==> if (moreHosts.length > 0)
    a browser without fetch metadata may call the sandbox from anywhere
      whyRefused: if (origin !== undefined && ==> if (origin !== undefined && req.get('sec-fetch-site') &&
    every sandbox has the same credentials
      random: randomBytes(16).toString('hex') ==> 'sandbox'.padEnd(32, '0')
    check prints what steers a terminal
      say: write(shown(mark) + printable(line)) ==> write(shown(mark) + line)
    C1 controls and direction marks are printed
      unprintable: /[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\p{Cs}]/gu
        ==> /[\\u0000-\\u001f]/gu
    a mounted router speaks for all hosts of its app
      documentHeaders: strictTransportSecurity: false, ==>
  `,
  unread: `
    no limit on unanswered requests
      Connections.#arrived: waiting.length >= this.#limits.pipelined ==> waiting.length >= 1e9
    all requests of a connection are answered at once
      Connections.#arrived: if (waiting.length === 0 && (answer === undefined || answer.writableFinished)) {
        ==> if (true) {
    requests behind the cut are parsed all the same
      IncomingMessage: IncomingMessage: StoppableRequest, ==>
    a body in pieces of one byte goes on behind its answer
      StoppableRequest.constructor: this.push = push this._dump = dump ==> void [push, dump]
    CONNECT keeps its connection for good
      countUnread: socket.destroy(), ==> socket.resume(),
    a stream that nobody reads keeps its connection
      isUnread: || answer.writableNeedDrain ==>
  `,
  idle: `
    idle connections lock out new callers
      Connections.#makeRoom: if (!waitsForPeer(connection)) continue
        ==> if (waitsForPeer(connection)) continue
  `,
  guesses: `
    unknown tokens use the wide lane
      Places.enter: if (this.#taken < atOnce && this.#waiting.size === 0) { ==> if (atOnce > 0) {
    the form of a guess is read before its token is looked up
      visitsOf: // Before the body is read, so that a stranger who sends it slowly holds no place in
        the gate.
        ==> Object.assign(req, { body: await (await import('../read-body.ts')).readForm(req) })
    guesses stand in the log
      ofStrangers: new Set(['NOT_FOUND', ==> new Set([
  `,
  visitors: `
    a visit of a known page waits for no place
      restHandler: gate.visitors.enter(req, res).then(route ==> Promise.resolve().then(route
    a page may be opened as often as one likes
      enterPage: visits.enter(pageHash) ==>
    a health check waits for no place
      restHandler: checks.enter(req, res).then( ==> Promise.resolve().then(
    a large cart counts as one call
      sized: (size, counted) => limits.spend(shop.id, size, counted) ==> () => {}
  `,
  inputs: `
    keys that reach into prototypes stay
      Walk.through: delete node[name as never] ==> this.#look(name, node[name as never])
    a body is read however long it is
      readBytes: if (size > most) return ==>
      readBytes: if (size > most) throw ==> if (size > 1e9) throw
    text that is not UTF-8 is read as what it is not
      readJson: if (!isUtf8(bytes)) throw new Problem('BODY_UNREADABLE') ==>
    a long description costs the rates
      description: description: { most: 2_000, cut: true }, ==> description: { most: 2_000, cut: false },
    a zipcode is read however long it is
      zipcode: zipcode: { most: 32, ==> zipcode: { most: 1e9,
    a text is cut inside a character
      cutTo: [...text.slice(0, 2 * most)].slice(0, most).join('') ==> text.slice(0, most)
    a zipcode is normalised once for every pickup point
      PointIndex.nearest: ?.nearest(count, zipcodeKey(country, zipcode), place, wanted)
        ==> ?.nearest(count, zipcode, place, wanted)
      CountryPoints.nearest: alike(its, zipcode)
        ==> alike(its, zipcodeKey("nl", zipcode))
    an order is started as often as one likes
      mostAttempts: const mostAttempts = 100 ==> const mostAttempts = 1e9
  `,
})
