import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import type { AdmitStranger } from '@tillbridge/platform/net/admit-strangers.js';
import type { Static } from '@tillbridge/platform/schema/type.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, callerOf, displayCaller, STORE } from '../access/rights.js';
import type { CodeHolder, SignInCodes } from '../access/sign-in-codes.js';
import type { TillRegistry } from '../access/till-registry.js';
import { SESSION_LIMITS, type TillSessions } from '../access/till-sessions.js';
import type { Credentials } from '../access/token.js';
import type { AgentLog } from '../log/log.js';
import { responses, SESSION_ANSWER } from './answers.js';
import { NO_BODY, PIN_BODY, SIGN_IN_BODY } from './bodies.js';
import { TillError } from './till-error.js';

/**
 * A header that the agent's own page sends with its cookie. A page of another origin, and of another port of this host, cannot: it would need a
 * preflight, which is not granted for this header.
 */
const PAGE_HEADER = 'x-tillbridge-page';
/** What the header has where the page sends a request by itself, with no person at it. */
const UNATTENDED = 'unattended';

/** What the header has on a customer display. Its cookie is another one: the same browser may be signed in as a till. */
const DISPLAY = 'display';

/** What sessions stand on. */
export interface SessionDeps {
  readonly sessions: TillSessions;
  readonly codes: SignInCodes;
  readonly tills: TillRegistry | undefined;
  /** Whose token it is. */
  readonly check: (authorization: string | undefined) => Credentials;
  readonly admitStranger: AdmitStranger;
  /** The server speaks TLS. */
  readonly isSecure: boolean;
  readonly log: AgentLog;
}

/** Whose request it is: by its token, else by the cookie of the agent's own page. */
export function credentialsOf(
  { check, sessions, tills, isSecure }: Pick<SessionDeps, 'check' | 'sessions' | 'tills' | 'isSecure'>,
  request: FastifyRequest,
): Credentials {
  const { authorization } = request.headers;
  if (authorization !== undefined || request.headers[PAGE_HEADER] === undefined) return check(authorization);
  const value = cookieOf(request, isSecure);
  if (value === undefined) return 'missing';
  const session = sessions.find(value, request.headers[PAGE_HEADER] !== UNATTENDED);
  if (!session || (session.display !== undefined) !== isDisplay(request)) return 'wrong';
  if (session.locked) return 'locked';
  request.isSignedIn = session.isOpen;
  return callerIn(tills, session) ?? 'wrong';
}

function isDisplay({ headers }: FastifyRequest): boolean {
  return headers[PAGE_HEADER] === DISPLAY;
}

/** Undefined where the till has no token any more. */
function callerIn(tills: TillRegistry | undefined, { till, display }: CodeHolder): Caller | undefined {
  const found = till === undefined ? undefined : tills?.get(till);
  if (till !== undefined && !found) return undefined;
  if (display !== undefined) return displayCaller(display, till);
  return found ? callerOf(found) : STORE;
}

/** Routes by which a browser signs in with a code or a token, unlocks, locks and signs out. They need no token. */
export function sessionRoutes(server: FastifyInstance, deps: SessionDeps): void {
  const { sessions, codes, check, admitStranger, isSecure, log } = deps;
  server.addHook('onRequest', async (request, reply) => {
    if (!(await admitStranger(request, reply))) return reply;
    if (request.headers[PAGE_HEADER] === undefined)
      throw new TillError(
        'wrong-origin',
        `send the header ${PAGE_HEADER}: sessions are for the agent’s own page`,
      );
  });
  const cookie = (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number) =>
    reply
      .header('set-cookie', cookieText(cookieName(request, isSecure), value, seconds, isSecure))
      .header('cache-control', 'no-store');
  // A till's program has a token: the reference leaves these out.
  const about: object = { hide: true };

  server.post<{ Body: Static<typeof SIGN_IN_BODY> }>(
    '/v1/sign-in',
    {
      schema: {
        ...about,
        summary: 'Sign the browser of a till in, by a one-time code or a token. For the agent’s own page.',
        body: SIGN_IN_BODY,
        response: responses(SESSION_ANSWER),
      },
    },
    async (request, reply) => {
      const { code, token } = request.body;
      const holder = code === undefined ? holderOfToken(check, token) : codes.redeem(code);
      if (holder === undefined)
        throw new TillError('not-authorized', 'this code or token is not known here, or was used');
      if ((holder.display !== undefined) !== isDisplay(request)) throw otherPage(holder);
      const caller = callerIn(deps.tills, holder);
      if (!caller) throw new TillError('not-authorized', 'the till has no token any more');
      const value = sessions.open(holder, cookieOf(request, isSecure));
      const { till, display } = caller;
      log.warn({ ...securityEvent('till-signed-in'), till, display }, 'a browser was signed in');
      cookie(request, reply, value, SESSION_LIMITS.lifetimeMs / 1_000);
      return { ...caller, locked: sessions.find(value)?.locked ?? true };
    },
  );

  server.post<{ Body: Static<typeof PIN_BODY> }>(
    '/v1/sign-in/pin',
    {
      schema: {
        ...about,
        summary: 'Unlock the page of a till by the PIN of its cashier.',
        body: PIN_BODY,
        response: responses(SESSION_ANSWER),
      },
    },
    async (request) => {
      const value = cookieOf(request, isSecure);
      const done = value === undefined ? 'ended' : sessions.unlock(value, request.body.pin);
      if (done === 'wrong') throw new TillError('pin-needed', 'the PIN is another one');
      const session = value === undefined ? undefined : sessions.find(value);
      const caller = session && callerIn(deps.tills, session);
      if (done === 'ended' || !caller)
        throw new TillError('not-authorized', 'sign in again: the session has ended');
      return { ...caller, locked: false };
    },
  );

  for (const [path, summary, ends] of [
    ['/v1/sign-in/lock', 'Lock the page of a till that has a PIN.', false],
    ['/v1/sign-out', 'Sign the browser out.', true],
  ] as const)
    server.post(
      path,
      {
        schema: {
          ...about,
          summary,
          body: NO_BODY,
          response: { 204: { type: 'null', description: 'Done.' } },
        },
      },
      async (request, reply) => {
        const value = cookieOf(request, isSecure);
        if (value !== undefined) {
          if (ends) sessions.end(value);
          else sessions.lock(value);
        }
        if (ends) cookie(request, reply, '', 0);
        return reply.code(204).send();
      },
    );
}

/** A code works on the page that it was made for, and on no other. */
function otherPage({ display }: CodeHolder): TillError {
  const text =
    display === undefined
      ? 'code: this one is of a till; a customer display needs the code that its till makes'
      : 'code: this one is of a customer display; open its address, and not the page of a till';
  return new TillError('not-authorized', text);
}

/** Whose token it is; undefined: it is not known. */
function holderOfToken(check: SessionDeps['check'], token: string | undefined): CodeHolder | undefined {
  const caller = check(`Bearer ${token ?? ''}`);
  if (typeof caller !== 'object') return undefined;
  return caller.till === undefined ? {} : { till: caller.till };
}

/** Over TLS the name binds it to this very host (RFC 6265bis, cookie prefixes). */
function cookieName(request: FastifyRequest, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}tillbridge-${isDisplay(request) ? 'display' : 'till'}`;
}

function cookieText(name: string, value: string, seconds: number, isSecure: boolean): string {
  const scope = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.floor(seconds)}`;
  return `${name}=${value}; ${scope}${isSecure ? '; Secure' : ''}`;
}

function cookieOf(request: FastifyRequest, isSecure: boolean): string | undefined {
  const name = cookieName(request, isSecure);
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = part.trim().split('=');
    if (key === name && value !== '') return value;
  }
  return undefined;
}
