import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { USER_PARAMETERS } from '../../../kernel/api/catalogue/administration/users.js';
import { auditOf } from '../../../kernel/audit/audit.js';
import { peerOf } from '../../../kernel/http/limits/peer.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { done, invalidParameters, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { overloaded, tooManyRequests } from '../../../kernel/http/request/errors.js';
import { formOf } from '../../../kernel/http/request/form.js';
import { demandedValues } from '../../../kernel/http/request/valid-values.js';
import type { Transport } from '../../../kernel/http/transport/redirect.js';
import { decideAgain } from '../../../kernel/store/decide-again.js';
import type { Change } from '../../../kernel/store/store.js';
import { base32, codeAddress } from '../rules/one-time-code.js';
import { cookieOf, setCookie } from '../sessions/cookie.js';
import { userSessionOf } from '../sessions/know-sessions.js';
import { requireOwnPage } from '../sessions/own-origin.js';
import type { Sessions } from '../sessions/sessions.js';
import type { Peer, SignIn, SignInResult } from '../sessions/sign-in.js';
import { HashQueueFullError } from '../users/password-hashes.js';
import { sessionView } from '../users/user-view.js';
import { endedSessions } from '../users/users.js';

/** What the routes of sessions work with. */
export interface SessionRouteDeps extends HttpDeps {
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly transport: Transport;
}

const PUBLIC = { config: { right: 'public' } } as const;
const SESSION = { config: { right: 'session' } } as const;

/** Additions of ours: signing in and out, and accepting an invitation. Each is for our own pages alone. */
export function sessionRoutes(server: FastifyInstance, deps: SessionRouteDeps): void {
  const { signIn, sessions, store } = deps;
  const values = (request: FastifyRequest, rows: keyof typeof USER_PARAMETERS, names: readonly string[]) => {
    requireOwnPage(deps.transport, request);
    const { values: sent } = demandedValues(formOf(request), USER_PARAMETERS[rows], names);
    return (name: string) => sent.get(name) ?? '';
  };
  server.post('/v1/sessions', PUBLIC, async (request, reply) => {
    const sent = values(request, 'signIn', ['email', 'password']);
    const attempt = { email: sent('email'), password: sent('password'), code: sent('code') };
    return answer(deps, request, reply, () => signIn.signIn(attempt, peer(deps, request)));
  });
  server.post('/v1/invitations', PUBLIC, async (request) => {
    const open = await signIn.openInvitation(values(request, 'invitation', ['invitation'])('invitation'));
    if (!open) throw new RequestRefused('invitation-unknown');
    const { user, secret } = open;
    const address = codeAddress(secret, user.email);
    const shown = { email: user.email, name: user.name, secret: base32(secret), address };
    return done(deps, { ...shown, qrCode: await qrCode(address) });
  });
  server.post('/v1/invitations/acceptance', PUBLIC, async (request, reply) => {
    const sent = values(request, 'acceptance', ['invitation', 'password', 'code']);
    const accepted = { invitation: sent('invitation'), password: sent('password'), code: sent('code') };
    return answer(deps, request, reply, () => signIn.accept(accepted, peer(deps, request)));
  });
  server.get('/v1/sessions/current', SESSION, async (request) =>
    done(deps, await sessionView(store, userSessionOf(request))),
  );
  /** Signs out: what ends sessions is committed with a record, and the cookie goes. */
  const signOut = (path: string, ending: (request: FastifyRequest) => Promise<readonly Change[]>): void => {
    server.post(path, SESSION, async (request, reply) => {
      const { id } = userSessionOf(request).user;
      const record = auditOf(deps, { actor: `user ${id}`, action: 'sign-out', subject: id, detail: {} });
      await decideAgain(deps, async () => store.commit([...(await ending(request)), record]));
      setCookie(deps, request, reply, undefined);
      return done(deps, {});
    });
  };
  signOut('/v1/sessions/current/removal', (request) => sessions.ending(cookieOf(deps, request) ?? ''));
  signOut('/v1/sessions/removal', (request) => endedSessions(store, userSessionOf(request).user.id));
}

function peer(deps: SessionRouteDeps, request: FastifyRequest): Peer {
  return { address: peerOf(request.raw, deps.transport.proxies), cookie: cookieOf(deps, request) };
}

/** Answers an attempt to sign in. @throws RequestRefused */
async function answer(
  deps: SessionRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  attempt: () => Promise<SignInResult>,
): Promise<object> {
  const result = await attempt().catch((error: unknown) => {
    throw error instanceof HashQueueFullError ? overloaded(reply) : error;
  });
  switch (result.kind) {
    case 'in': {
      setCookie(deps, request, reply, result.value);
      const { found, recoveryCodes } = result;
      return done(deps, {
        ...(await sessionView(deps.store, found)),
        ...(recoveryCodes && { recoveryCodes }),
      });
    }
    case 'wait':
      throw tooManyRequests(reply, result.waitMs);
    case 'unknown-invitation':
      throw new RequestRefused('invitation-unknown');
    case 'bad-password':
      throw invalidParameters([{ name: 'password', value: null, message: result.fault }]);
    case 'wrong':
      throw new RequestRefused('sign-in-refused');
  }
}

/** A picture of an address as a data URL; loaded when the first one is drawn. */
async function qrCode(address: string): Promise<string> {
  const { toString: draw } = await import('qrcode');
  const svg = await draw(address, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
