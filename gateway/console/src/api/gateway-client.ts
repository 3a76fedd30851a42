import { RefusedError } from '@tillbridge/panel-kit/refused-error.js';
import { t } from '../texts/texts.js';
import type { AuditPage, Invitation, InvitedUser, Session, User, UserRole } from './answers.js';

/** How long a call may take, in milliseconds. */
const CALL_TIMEOUT_MS = 30_000;

/** The gateway refused a call. */
export class CallRefusedError extends RefusedError {
  readonly status: number;
  /** When to try again, in seconds; absent: at once. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, detail?: string, retryAfter?: number) {
    super(String(status), message, detail);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The gateway was not reached, or its answer was lost. */
export class NotReachedError extends Error {
  override readonly name = 'NotReachedError';

  constructor() {
    super(t('notReached'));
  }
}

/** Names and values of a request. */
export type Form = Readonly<Record<string, string>>;

/** What a call differs in. */
interface CallOptions {
  /** The page calls by itself: the session does not count as used. */
  readonly isUnattended?: boolean;
  /** A second request with the same key does nothing more. */
  readonly idempotencyKey?: string;
}

/** The body of an answer of the API, as far as a refusal is read. */
interface Envelope {
  readonly result?: {
    readonly description?: string;
    readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[];
  };
}

/** The gateway's routes, called with the session of this browser. Every method may throw {@link CallRefusedError} and {@link NotReachedError}. */
export class GatewayClient {
  /** The merchant or channel that calls act for; undefined: an operator, for all merchants. */
  entityId: string | undefined;
  /** Called when the session has ended. */
  onSignedOut: () => void = () => undefined;

  signIn(email: string, password: string, code: string): Promise<Session> {
    return this.post('/v1/sessions', { email, password, code });
  }

  session(): Promise<Session> {
    return this.get('/v1/sessions/current');
  }

  async signOut(everywhere: boolean): Promise<void> {
    await this.post(everywhere ? '/v1/sessions/removal' : '/v1/sessions/current/removal', {});
  }

  invitation(invitation: string): Promise<Invitation> {
    return this.post('/v1/invitations', { invitation });
  }

  accept(invitation: string, password: string, code: string): Promise<Session> {
    return this.post('/v1/invitations/acceptance', { invitation, password, code });
  }

  async users(): Promise<readonly User[]> {
    return (await this.get<{ readonly users: readonly User[] }>('/v1/users')).users;
  }

  invite(about: {
    readonly email: string;
    readonly name: string;
    readonly role: UserRole;
  }): Promise<InvitedUser> {
    return this.post('/v1/users', about);
  }

  async setRole(userId: string, role: UserRole | 'none'): Promise<User> {
    return (await this.post<{ readonly user: User }>(`/v1/users/${userId}/role`, { role })).user;
  }

  reset(userId: string): Promise<InvitedUser> {
    return this.post(`/v1/users/${userId}/reset`, {});
  }

  async remove(userId: string): Promise<void> {
    await this.post(`/v1/users/${userId}/removal`, {});
  }

  audit(before?: number): Promise<AuditPage> {
    const query = new URLSearchParams({
      limit: '50',
      ...(before !== undefined && { before: String(before) }),
    });
    return this.get(`/v1/audit?${query}`);
  }

  async get<T>(path: string, options?: CallOptions): Promise<T> {
    return json(await this.#send('GET', path, options));
  }

  async post<T>(path: string, form: Form, options?: CallOptions): Promise<T> {
    return json(await this.#send('POST', path, options, form));
  }

  /** A file, and where the next part of it begins. */
  async file(path: string): Promise<{ readonly text: string; readonly next: string | undefined }> {
    const response = await this.#send('GET', path);
    return { text: await response.text(), next: response.headers.get('x-next-cursor') ?? undefined };
  }

  async #send(
    method: string,
    path: string,
    { isUnattended = false, idempotencyKey }: CallOptions = {},
    form?: Form,
  ): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        headers: {
          ...(this.entityId !== undefined && { 'x-tillbridge-entity': this.entityId }),
          ...(isUnattended && { 'x-tillbridge-page': 'unattended' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        // Its type follows from the form.
        ...(form && { body: new URLSearchParams(form) }),
        cache: 'no-store',
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
    } catch {
      throw new NotReachedError();
    }
    if (response.ok) return response;
    if (response.status === 401) this.onSignedOut();
    throw refusal(response, await json(response));
  }
}

function json<T>(response: Response): Promise<T> {
  return response.json().catch(() => {
    throw new NotReachedError();
  });
}

function refusal({ status, headers }: Response, { result }: Envelope): CallRefusedError {
  const errors = (result?.parameterErrors ?? []).map(({ name, message }) => `${name} ${message}`);
  const retryAfter = headers.get('retry-after');
  return new CallRefusedError(
    status,
    errors[0] ?? result?.description ?? t('notReached'),
    result?.description,
    retryAfter === null ? undefined : Number(retryAfter),
  );
}
