import type { Request, Response, Router } from 'express'
import { html } from 'hono/html'
import { isAuthor } from '../audit.ts'
import { hasCode } from '../errors/errors.ts'
import { loadExpress, queryOf } from '../http/access-log.ts'
import { readForm } from '../http/read-body.ts'
import { hashToken, isToken } from '../shops/seal.ts'
import type { World } from '../world.ts'
import type { OpenIdOptions } from './options.ts'
import { type ConsoleRole, roles } from './roles.ts'
import { foreignSite, type Sessions } from './session.ts'
import { type ConsoleParts, plainPage } from './view.ts'

/** Kept with the browser while its user is at the OpenID provider. */
interface Leaving {
  state: string
  nonce: string
  verifier: string
  /** Where the user goes afterwards, below the console. */
  to: string
}

/** How long somebody may take to sign in, in milliseconds. */
const patience = 600_000

const load = () => import('openid-client')

/** Only a path of the console: an address of another site would take the user away. */
export const pathWithin = (to: unknown): string =>
  typeof to === 'string' && /^\/(?![/\\])[\w./?=&%+@:,~-]*$/.test(to) ? to : '/'

/** Signs people in: by OpenID Connect, or by a link that a command made and that opens once. */
export function signInRoutes(parts: ConsoleParts, sessions: Sessions): Router {
  const router = loadExpress().Router()
  const { openId } = parts.options
  const provider = openId && openIdProvider(parts, openId)

  router.get('/sign-in', async (req, res) => {
    if (!provider) return plainPage(res, 401, 'Sign in', noOpenId)
    const to = pathWithin(new URLSearchParams(queryOf(req.originalUrl)).get('to'))
    const leaving = await provider.leave(to)
    if (!leaving) return plainPage(res, 503, 'Sign in', openIdDown)
    sessions.keep('signIn', res, leaving.kept, patience)
    res.redirect(303, leaving.url)
  })

  router.get('/signed-in', async (req, res) => {
    const kept = sessions.open<Leaving>('signIn', req)
    sessions.drop('signIn', res)
    const found = kept && provider ? await provider.returned(req, kept) : 'It is over. Sign in again.'
    if (!found) return plainPage(res, 503, 'You are not signed in', openIdDown)
    if (typeof found === 'string') return plainPage(res, 401, 'You are not signed in', html`<p>${found}</p>`)
    await begin(req, res, found, kept!.to)
  })

  // Programs that preview a link open nothing: a person presses the button.
  router.get('/link/:token', (req, res) =>
    plainPage(
      res,
      200,
      'Sign in',
      html`<p>This link opens the console once.</p><form method="post" action="${req.baseUrl}${req.path}"><button>Open the console</button></form>`,
    ),
  )
  router.post('/link/:token', async (req, res) => {
    await readForm(req)
    // Otherwise another site could sign a visitor in under a name that is not theirs.
    const refused = foreignSite(req)
    if (refused !== undefined) return plainPage(res, 403, 'You are not signed in', html`<p>${refused}</p>`)
    const { token } = req.params
    const link = isToken(token)
      ? await parts.workings.store.spendConsoleLink(hashToken(token), parts.workings.world.now())
      : undefined
    if (!link) return plainPage(res, 404, 'This link is over', linkOver)
    await begin(req, res, { name: link.name, role: link.role as ConsoleRole }, '/')
  })

  async function begin(req: Request, res: Response, who: { name: string; role: ConsoleRole }, to: string) {
    const { store, world } = parts.workings
    sessions.begin(res, who)
    const action = { action: 'console.signed_in', role: who.role } as const
    await store.noteAudit('', { at: world.now(), by: who.name }, action)
    res.redirect(303, `${req.baseUrl}${to}`)
  }
  return router
}

const noOpenId = html`<p>Ask somebody with access to the servers for a link: <code>purveyor console link --name mila --role support</code>. It opens once, within ten minutes.</p>`
const openIdDown = html`<p>The OpenID provider does not answer. Try again in a minute.</p><p>Somebody with access to the servers can make a link meanwhile: <code>purveyor console link</code>.</p>`
const linkOver = html`<p>A link opens once, within ten minutes. Ask for a new one.</p>`

/** The OpenID provider gave no answer, or failed itself. */
class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

/** The addresses and keys of the OpenID provider, read once, and again after a failure. */
function configurationOf({ outgoing }: World, { issuer, clientId, clientSecret }: OpenIdOptions) {
  const { hostname, port, protocol } = new URL(issuer)
  const isPlain = protocol === 'http:'
  // It may lie in a private network.
  const allow = [`${isPlain ? 'http://' : ''}${hostname}:${port || (isPlain ? 80 : 443)}`]

  const call: typeof fetch = async (input, init) => {
    const answer = await outgoing
      .fetch(input, init, { name: 'console.openId', network: { allow } })
      .catch((cause: unknown) => {
        throw hasCode(cause, 'OUTGOING_REFUSED') ? cause : new Unanswered('no answer', { cause })
      })
    if (answer.status >= 500) throw new Unanswered(`it answered ${answer.status}`)
    return answer
  }

  async function discover() {
    const client = await load()
    const authentication = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret)
    const execute = [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])]
    const how = { [client.customFetch]: call, timeout: 5, execute }
    return client.discovery(new URL(issuer), clientId, undefined, authentication, how)
  }

  let found: ReturnType<typeof discover> | undefined
  return () => {
    found ??= discover().catch((error: unknown) => {
      found = undefined
      throw error
    })
    return found
  }
}

/** The person with these claims, or why they may not come in. */
function personOf(
  claims: Readonly<Record<string, unknown>>,
  { claim = 'groups', groups }: OpenIdOptions,
  log: World['log'],
): { name: string; role: ConsoleRole } | string {
  const held = [claims[claim] ?? []].flat().map(String)
  const role = roles.findLast((one) =>
    held.some((group) => Object.hasOwn(groups, group) && groups[group] === one),
  )
  const name = [claims.preferred_username, claims.email, claims.sub].find(isAuthor)
  if (name === undefined) return 'Your account has no name that the audit trail can show.'
  if (role) return { name, role }
  log.warn({ name }, 'console: somebody without a group that has a role tried to sign in')
  return `Your account (${name}) is in no group that has a role here. Ask for one of: ${Object.keys(groups).join(', ')}.`
}

function openIdProvider({ workings: { world }, url }: ConsoleParts, options: OpenIdOptions) {
  const { log } = world
  const configuration = configurationOf(world, options)
  const returnTo = () => `${url()}/signed-in`
  const isDown = (err: unknown) => log.warn({ err }, 'console: the OpenID provider cannot be read')
  const wasUnanswered = (error: unknown) =>
    error instanceof Unanswered || (error as Error).cause instanceof Unanswered
  /** An answer about the user that is refused decides nothing: the ID token does. */
  const ofNobody = (err: unknown) => {
    if (wasUnanswered(err)) throw err
    log.warn({ err }, 'console: the answer about the user was refused')
    return {}
  }

  return {
    /** Where a browser goes, and what it keeps; `undefined` while the OpenID provider does not answer. */
    async leave(to: string): Promise<{ url: string; kept: Leaving } | undefined> {
      const client = await load()
      const config = await configuration().catch(isDown)
      if (!config) return undefined
      const [state, nonce] = [client.randomState(), client.randomNonce()]
      const verifier = client.randomPKCECodeVerifier()
      const { href } = client.buildAuthorizationUrl(config, {
        redirect_uri: returnTo(),
        scope: options.scope ?? 'openid profile email',
        state,
        nonce,
        code_challenge_method: 'S256',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
      })
      return { url: href, kept: { state, nonce, verifier, to } }
    },

    /**
     * The person who has come back, or why nobody is signed in; `undefined` while the OpenID provider does not answer. The library checks
     * issuer, audience, nonce, key and algorithm.
     */
    async returned(req: Request, { state, nonce, verifier }: Leaving) {
      const client = await load()
      try {
        const config = await configuration()
        const returned = new URL(returnTo())
        returned.search = new URL(req.originalUrl, returned).search
        const tokens = await client.authorizationCodeGrant(config, returned, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()!
        // Many providers keep all but the id of a person for this answer (OpenID Connect Core 5.4).
        const lacks = claims[options.claim ?? 'groups'] === undefined
        const asks = lacks && config.serverMetadata().userinfo_endpoint !== undefined
        const more =
          asks && (await client.fetchUserInfo(config, tokens.access_token, claims.sub).catch(ofNobody))
        return personOf({ ...more, ...claims }, options, log)
      } catch (error) {
        if (wasUnanswered(error)) return isDown(error)
        log.warn({ err: error }, 'console: a sign-in was refused')
        return 'The answer of the OpenID provider was refused. Sign in again; the log of the provider says why.'
      }
    },
  }
}
