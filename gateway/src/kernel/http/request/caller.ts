import type { FastifyRequest } from 'fastify';
import type { TokenRight } from '../../api/token-rights.js';
import { parsedColumn } from '../../store/parsed-column.js';
import type { TokenRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import type { RequestRefused } from './envelope.js';
import { formOf } from './form.js';
import { entityOfAnother, rightMissing } from './sign-in-refusals.js';

/** The rights of a token, read once for all of its requests while the store remembers the row. */
const rightsOf = parsedColumn<'rights', readonly string[]>('rights');

/** The caller: the token of one request, and what it may act for. Entities are looked up once a request. */
export class Caller {
  readonly token: TokenRow;
  readonly #store: Store;
  readonly #rights: readonly string[];
  readonly #mayActFor = new Map<string, Promise<boolean>>();

  constructor(store: Store, token: TokenRow) {
    this.#store = store;
    this.token = token;
    this.#rights = rightsOf(token);
  }

  /** Has the token the right? */
  has(right: TokenRight): boolean {
    return this.#rights.includes(right);
  }

  /** The refusal of a request that needs one of the rights. */
  lacks(...wanted: readonly TokenRight[]): RequestRefused {
    return rightMissing(wanted, this.#rights);
  }

  /** May the token act for the entity: its own, or a channel of its merchant? */
  mayActFor(entityId: string): Promise<boolean> {
    const known = this.#mayActFor.get(entityId) ?? this.#lookUp(entityId);
    this.#mayActFor.set(entityId, known);
    return known;
  }

  /** @throws RequestRefused 403 for an entity that the token may not act for */
  async authorize(entityId: string): Promise<void> {
    if (!(await this.mayActFor(entityId))) throw entityOfAnother(this.token.entityId);
  }

  /** The entity that a request acts as: the named one, else the token's own. @throws RequestRefused 403 as {@link authorize} */
  async actsAs(named: string | undefined): Promise<string> {
    if (named !== undefined) await this.authorize(named);
    return named ?? this.token.entityId;
  }

  /**
   * The entities that a read looks at: the named one, else the token's own, with its channels.
   * @throws RequestRefused 403 for an entity that is not the token's
   */
  async readableEntities(named: string | undefined): Promise<readonly string[]> {
    const entityId = named ?? this.token.entityId;
    await this.authorize(entityId);
    const channels = await this.#store.find('entities', 'parent', [entityId]);
    return [entityId, ...channels.map((channel) => channel.id)];
  }

  /** The entity that a request names or, where it names none, the token's own; undefined where the token may not act for it. */
  async entityOf(request: FastifyRequest): Promise<string | undefined> {
    const entityId = namedEntity(request) ?? this.token.entityId;
    return (await this.mayActFor(entityId)) ? entityId : undefined;
  }

  async #lookUp(entityId: string): Promise<boolean> {
    if (entityId === this.token.entityId) return true;
    return (await this.#store.get('entities', [entityId]))?.parentId === this.token.entityId;
  }
}

/** The entity that a request names, if it does. */
export function namedEntity(request: FastifyRequest): string | undefined {
  return formOf(request).parameters.find(([name, value]) => name === 'entityId' && value !== '')?.[1];
}
