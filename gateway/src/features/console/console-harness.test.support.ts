import { createSecretKey } from 'node:crypto';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import {
  type HttpHarness,
  type HttpHarnessOptions,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { entityRow } from '../../core/entities/entities.js';
import { ENTITY, type MakeStore, storeOf } from '../../core/payments/payment-harness.test.support.js';
import type { UserRole } from '../../kernel/api/catalogue/administration/user-role-names.js';
import { withAuditChain } from '../../kernel/audit/audit-chain.js';
import { CODE_RULES, codeOf } from './rules/one-time-code.js';
import { Users } from './users/users.js';

/** Key of the chain of audit records in tests. */
export const CHAIN_KEY = createSecretKey(Buffer.alloc(32, 9));
/** A merchant that is another tenant. */
export const OTHER = 'e'.repeat(32);
/** A channel of the merchant that the harness has. */
export const CHANNEL = 'c'.repeat(32);
export const PASSWORD = 'correct horse battery';

/** What an answer of these routes may hold. */
export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly code: string;
  readonly errors: readonly { readonly name: string; readonly message: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is for its test to say.
  readonly body: any;
}

/** A gateway with users, and browsers that sign in. */
export class ConsoleHarness {
  readonly http: HttpHarness;
  readonly users: Users;

  private constructor(http: HttpHarness) {
    this.http = http;
    const { fingerprint, random, registrationSeal: rowSeal } = http.context;
    this.users = new Users({ store: http.store, clock: http.clock, random, fingerprint, rowSeal });
  }

  static async open(
    makeStore: MakeStore = storeOf('memory'),
    options: HttpHarnessOptions = {},
  ): Promise<ConsoleHarness> {
    // Records of the audit are chained, as those of a home.
    const chained: MakeStore = async (home) =>
      withAuditChain(await makeStore(home), () => CHAIN_KEY, systemClock);
    const http = await openHttpHarness(chained, options);
    const rows = [entityRow(OTHER, 'Other', null, 1), entityRow(CHANNEL, 'Channel', ENTITY, 1)];
    await http.store.commit(rows.map((row) => ({ op: 'insert', table: 'entities', row })));
    return new ConsoleHarness(http);
  }

  /** Invites a person to a role, and gives what the link holds. */
  async invite(
    email: string,
    role: UserRole | 'operator',
    entityId: string = ENTITY,
  ): Promise<{ id: string; invitation: string }> {
    const manager = { actor: 'test', isOperator: true, owners: [] };
    const roles = role === 'operator' ? { isOperator: true } : { role: { entityId, role } };
    const { user, invitation = '' } = await this.users.invite(manager, {
      email,
      name: `User ${email}`,
      ...roles,
    });
    return { id: user.id, invitation };
  }

  browser(): Browser {
    return new Browser(this.http);
  }

  /** A browser in which a person with the role has accepted an invitation, and is signed in. */
  async signedIn(email: string, role: UserRole | 'operator', entityId?: string): Promise<Browser> {
    const { id, invitation } = await this.invite(email, role, entityId);
    const browser = this.browser();
    await browser.accept(invitation);
    browser.userId = id;
    return browser;
  }

  dispose(): Promise<void> {
    return this.http.dispose();
  }
}

/** What a browser keeps and adds by itself. */
export class Browser {
  readonly #http: HttpHarness;
  cookie: string | undefined;
  userId = '';
  /** The secret of the one-time codes, as an authenticator app keeps it. */
  secret: Buffer = Buffer.alloc(0);
  recoveryCodes: readonly string[] = [];

  constructor(http: HttpHarness) {
    this.#http = http;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<ConsoleAnswer> {
    return this.send('GET', path, undefined, { 'sec-fetch-site': 'same-origin', ...headers });
  }

  post(
    path: string,
    form: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ConsoleAnswer> {
    return this.send('POST', path, form, {
      origin: this.#http.url,
      'sec-fetch-site': 'same-origin',
      ...headers,
    });
  }

  /** A request with the cookie, and no other header than these. */
  async send(
    method: string,
    path: string,
    form: Readonly<Record<string, string>> | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<ConsoleAnswer> {
    const answer = await this.#http.send(method, path, {
      authorization: null,
      ...(form && { body: new URLSearchParams(form).toString() }),
      headers: { ...(this.cookie !== undefined && { cookie: this.cookie }), ...headers },
    });
    const set = answer.headers.get('set-cookie');
    if (set !== null) this.cookie = /=;/.test(set) ? undefined : set.split(';')[0];
    const { result } = answer.body ?? {};
    return {
      ...{ status: answer.status, headers: answer.headers, body: answer.body },
      ...{ code: result?.code ?? '', errors: result?.parameterErrors ?? [] },
    };
  }

  /** The code that the authenticator app shows now. */
  code(): string {
    return codeOf(this.secret, Math.floor(this.#http.clock.nowMs() / CODE_RULES.stepMs));
  }

  /** Opens an invitation and accepts it. */
  async accept(invitation: string, password = PASSWORD): Promise<ConsoleAnswer> {
    const opened = await this.post('/v1/invitations', { invitation });
    if (opened.status !== 200) return opened;
    this.secret = fromBase32(opened.body.secret);
    const accepted = await this.post('/v1/invitations/acceptance', {
      invitation,
      password,
      code: this.code(),
    });
    this.recoveryCodes = accepted.body.recoveryCodes ?? [];
    return accepted;
  }

  /** Signs in with a code that was not used yet. */
  async signIn(
    email: string,
    { password = PASSWORD, code }: { password?: string; code?: string } = {},
  ): Promise<ConsoleAnswer> {
    return this.post('/v1/sessions', { email, password, code: code ?? this.code() });
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a text in base 32, as an authenticator app reads it. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
