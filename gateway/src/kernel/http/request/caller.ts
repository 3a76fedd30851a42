import type { FastifyRequest } from 'fastify';
import type { TokenRight } from '../../api/token-rights.js';
import { parsedColumn } from '../../store/parsed-column.js';
import type { Store } from '../../store/store.js';
import { invalidParameters, type RequestRefused } from './envelope.js';
import { formOf } from './form.js';
import { entityOfAnother, rightMissing } from './sign-in-refusals.js';

/** By what a request is signed in: the row of an access token, or the session of a user who acts for an entity. */
export interface Credential {
  /** 32 lowercase hex: of the token, or of the user. */
  readonly id: string;
  /** The entity that it acts for, with its channels; null: an operator, for all merchants and none of its own. */
  readonly entityId: string | null;
  /** The merchant whose requests it counts among; of an operator its own id. */
  readonly merchantId: string;
  /** JSON: array of rights. */
  readonly rights: string;
  /** The session of a user; absent of a token. */
  readonly session?: UserSession;
}

/** Who is signed in, and by which row. */
export interface UserSession {
  readonly userId: string;
  /** What the row of the session has in place of its id. */
  readonly hash: string;
}

/** The rights of a token, read once for all of its requests while the store remembers the row. */
const rightsOf = parsedColumn<'rights', readonly string[]>('rights');

/** The caller: the token or session of one request, and what it may act for. Entities are looked up once a request. */
export class Caller {
  readonly credential: Credential;
  readonly #store: Store;
  readonly #rights: readonly string[];
  readonly #mayActFor = new Map<string, Promise<boolean>>();

  constructor(store: Store, credential: Credential) {
    this.#store = store;
    this.credential = credential;
    this.#rights = rightsOf(credential);
  }

  /** Who it is, for the audit: `token` or `user`, and the id. */
  get actor(): string {
    return `${this.credential.session ? 'user' : 'token'} ${this.credential.id}`;
  }

  /** Has the token, or the role of the user, the right? */
  has(right: TokenRight): boolean {
    return this.#rights.includes(right);
  }

  /** The refusal of a request that needs one of the rights. */
  lacks(...wanted: readonly TokenRight[]): RequestRefused {
    return rightMissing(wanted, this.#rights, this.credential.session ? 'role' : 'token');
  }

  /** May the token act for the entity: its own, or a channel of its merchant? */
  mayActFor(entityId: string): Promise<boolean> {
    const known = this.#mayActFor.get(entityId) ?? this.#lookUp(entityId);
    this.#mayActFor.set(entityId, known);
    return known;
  }

  /** @throws RequestRefused 403 for an entity that the token may not act for */
  async authorize(entityId: string): Promise<void> {
    if (!(await this.mayActFor(entityId))) throw entityOfAnother(this.credential.entityId);
  }

  /** The entity that a request acts as: the named one, else the token's own. @throws RequestRefused 403 as {@link authorize} */
  async actsAs(named: string | undefined): Promise<string> {
    if (named !== undefined) await this.authorize(named);
    return named ?? this.#own();
  }

  /**
   * The entities that a read looks at: the named one, else the token's own, with its channels.
   * @throws RequestRefused 403 for an entity that is not the token's
   */
  async readableEntities(named: string | undefined): Promise<readonly string[]> {
    const entityId = named ?? this.#own();
    await this.authorize(entityId);
    const channels = await this.#store.find('entities', 'parent', [entityId]);
    return [entityId, ...channels.map((channel) => channel.id)];
  }

  /** The entity that a request names or, where it names none, the token's own; undefined where the token may not act for it. */
  async entityOf(request: FastifyRequest): Promise<string | undefined> {
    const entityId = namedEntity(request) ?? this.credential.entityId;
    return entityId !== null && (await this.mayActFor(entityId)) ? entityId : undefined;
  }

  /** @throws RequestRefused for an operator, who has no entity of its own */
  #own(): string {
    const { entityId } = this.credential;
    if (entityId !== null) return entityId;
    const message = 'may not be empty: an operator names the merchant or channel that is meant';
    throw invalidParameters([{ name: 'entityId', value: null, message }]);
  }

  async #lookUp(entityId: string): Promise<boolean> {
    const own = this.credential.entityId;
    if (entityId === own) return true;
    const entity = await this.#store.get('entities', [entityId]);
    return own === null
      ? entity?.kind === 'merchant' || entity?.kind === 'channel'
      : entity?.parentId === own;
  }
}

/** Whose a request is: of the entity that it names, where the caller may act for it, else of the caller's own; undefined for an operator's. */
export function callerEntity(
  caller: Caller,
  request: FastifyRequest,
): string | undefined | Promise<string | undefined> {
  const own = caller.credential.entityId ?? undefined;
  const named = namedEntity(request);
  if (named === undefined || named === own) return own;
  return caller.mayActFor(named).then((may) => (may ? named : own));
}

/** The entity that a request names, if it does. */
export function namedEntity(request: FastifyRequest): string | undefined {
  return formOf(request).parameters.find(([name, value]) => name === 'entityId' && value !== '')?.[1];
}
