import { NamedError } from '@tillbridge/wire/errors/coded-error.js';
import { present } from '@tillbridge/wire/present.js';
import { type DecideAgainDeps, decideAgain } from '../../kernel/store/decide-again.js';
import type { RegistrationRow } from '../../kernel/store/rows.js';
import type { Change, Store } from '../../kernel/store/store.js';
import { registrationContext } from '../../security/vault/contexts.js';
import { claimAgreement } from '../payments/cards/claim-agreement.js';
import {
  type NewRegistration,
  openRegistration,
  type RegisteredDeps,
  registrationRow,
  sameRegistration,
} from '../payments/cards/registered.js';
import { type RegistrationEventDeps, registrationEvent } from '../payments/events/registration-events.js';
import { type HeldAgreement, withAgreement } from '../payments/registrations/held-agreement.js';
import {
  identityOf,
  REGISTRATION_CODES,
  removedRow,
  type StoredDetails,
  traceOfDetails,
} from '../payments/registrations/registration.js';

/** Code of what went well, by mode (docs/test-mode.md). */
export const APPROVED_CODES = { test: '000.100.110', live: '000.000.000' } as const;
/** The same in test mode EXTERNAL. */
const EXTERNAL_CODE = '000.100.112';

/** What {@link Registrations} works with. */
export interface RegistrationDeps extends RegisteredDeps, RegistrationEventDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
  readonly clock: RegisteredDeps['clock'] & DecideAgainDeps['clock'];
  /** Code of what went well: of the test mode, or of the live one. */
  readonly approvedCode: string;
}

/** The agreement that payments repeat whose first one was made elsewhere (docs/card-on-file.md, recurringMigration). */
export interface Migration {
  /** What the acquirer called the first payment. */
  readonly references: readonly string[];
  readonly type: 'UNSCHEDULED' | 'INSTALLMENT' | 'RECURRING' | null;
}

/** An agreement that is migrated belongs to another card of the merchant. */
export class AgreementInUseError extends NamedError {
  /** What the acquirer called its first payment. */
  readonly reference: string;

  constructor(reference: string) {
    super('the agreement belongs to another card');
    this.reference = reference;
  }
}

/** What of a stored card changes. */
interface CardChange {
  readonly expiryMonth?: string;
  readonly expiryYear?: string;
  readonly holder?: string;
}

/** Stored payment details without a payment: made, changed and removed. */
export class Registrations {
  readonly #deps: RegistrationDeps;

  constructor(deps: RegistrationDeps) {
    this.#deps = deps;
  }

  /** Code of what went well. @param testMode of the request; absent: that in which the registration was made */
  codeOf({ echo }: Pick<RegistrationRow, 'echo'>, testMode = madeIn(echo)): string {
    return testMode === 'EXTERNAL' ? EXTERNAL_CODE : this.#deps.approvedCode;
  }

  /**
   * Stores details. The same ones of the same customer are stored once, however many requests bring them at once: their registration is the
   * answer again.
   * @param guards changes that the commit must bear, such as that a checkout still wants it
   * @throws AgreementInUseError; CommitConflict of a guard; StoreUnavailableError
   */
  create(
    made: NewRegistration,
    migration?: Migration,
    guards: readonly Change[] = [],
  ): Promise<RegistrationRow> {
    return decideAgain(this.#deps, () => this.#createOnce(made, migration, guards), {
      ends: ({ table }) => !DECIDED_AGAIN.has(table),
    });
  }

  async #createOnce(
    made: NewRegistration,
    migration: Migration | undefined,
    guards: readonly Change[],
  ): Promise<RegistrationRow> {
    const { row: found, isNew } = await registrationRow(this.#deps, made);
    const agreement = migration ? migratedAgreement(migration) : made.agreement;
    const row = agreement ? withAgreement(found, agreement) : found;
    const agreements = migration ? await this.#agreementChanges(row, made.details, migration) : [];
    const changes: Change[] = [...guards, ...agreements];
    if (!isNew && row !== found) changes.push({ op: 'update', table: 'registrations', row });
    if (isNew)
      changes.push(
        { op: 'insert', table: 'registrations', row },
        ...(await registrationEvent(this.#deps, 'registration-created', row, this.codeOf(row))),
      );
    if (changes.length > 0) await this.#deps.store.commit(changes);
    return row;
  }

  /** A registration of the id, also a removed one; undefined for one that is unknown, or not done yet. @throws StoreUnavailableError */
  async find(id: string): Promise<RegistrationRow | undefined> {
    const row = await this.#deps.store.get('registrations', [id]);
    return row?.state === 'pending' ? undefined : row;
  }

  /**
   * Changes expiry date or holder of a stored card.
   * @returns the registration as it is now, or the code of a refusal
   * @throws VaultError, StoreUnavailableError
   */
  change(row: RegistrationRow, change: CardChange): Promise<RegistrationRow | string> {
    return decideAgain(this.#deps, () => this.#changeOnce(row, change), lineOf(row));
  }

  async #changeOnce(row: RegistrationRow, change: CardChange): Promise<RegistrationRow | string> {
    const { store, registrationSeal, fingerprint, clock } = this.#deps;
    const opened = await openRegistration(this.#deps, row.id, row.entityId);
    if (typeof opened === 'string') return opened;
    // What may be changed are parts of a card.
    if (opened.details.kind !== 'card') return NO_CARD;
    const details: StoredDetails = { ...opened.details, ...present({ ...change }) };
    const { merchantCustomerId } =
      (JSON.parse(row.echo) as { customer?: { merchantCustomerId?: string } }).customer ?? {};
    const print = fingerprint('registration', identityOf(details, merchantCustomerId));
    const same = await sameRegistration(store, { merchantId: row.merchantId, fingerprint: print });
    const changed: RegistrationRow = {
      ...opened.row,
      ...registrationSeal.seal(registrationContext(row), details),
      ...traceOfDetails(details),
      fingerprint: print,
      activeFingerprint: same && same.id !== row.id ? null : print,
      updatedAtMs: clock.nowMs(),
    };
    await store.commit([
      { op: 'update', table: 'registrations', row: changed },
      ...(await registrationEvent(this.#deps, 'registration-updated', changed, this.codeOf(changed))),
    ]);
    return changed;
  }

  /**
   * Removes a registration; what was paid with it stays as it is.
   * @returns the code of a refusal, where it was removed before
   * @throws StoreUnavailableError
   */
  remove({ id }: RegistrationRow): Promise<string | undefined> {
    return decideAgain(this.#deps, () => this.#removeOnce(id), lineOf({ id }));
  }

  async #removeOnce(id: string): Promise<string | undefined> {
    const row = await this.find(id);
    if (!row || row.state === 'removed') return REGISTRATION_CODES.removed;
    const { store, clock } = this.#deps;
    await store.commit([
      { op: 'update', table: 'registrations', row: removedRow(row, clock.nowMs()) },
      ...(await registrationEvent(this.#deps, 'registration-deleted', row, this.codeOf(row))),
    ]);
    return undefined;
  }

  async #agreementChanges(
    { id, merchantId }: RegistrationRow,
    details: StoredDetails,
    { references, type }: Migration,
  ): Promise<readonly Change[]> {
    if (details.kind !== 'card') return [];
    const { store, fingerprint, clock } = this.#deps;
    const agreement = {
      merchantId,
      card: fingerprint('card', details.pan),
      numberType: details.numberType ?? null,
      type,
      expiry: null,
      standing: {},
    };
    const by = { paymentId: id, nowMs: clock.nowMs() };
    const changes: Change[] = [];
    for (const reference of new Set(references)) {
      const claim = await claimAgreement(store, agreement, [reference, 'made'], by);
      if (!claim) throw new AgreementInUseError(reference);
      changes.push(claim);
    }
    return changes;
  }
}

/** The agreement that a registration holds after a migration. */
function migratedAgreement({ references, type }: Migration): HeldAgreement {
  return present({ type: type ?? undefined, initialTransactionId: references[0] });
}

/** Tables whose lost races another round mends; those of guards are the caller's. */
const DECIDED_AGAIN: ReadonlySet<string> = new Set(['registrations', 'agreements', 'events']);

/** Those that change one registration wait for each other. */
function lineOf({ id }: Pick<RegistrationRow, 'id'>) {
  return { key: `registrations/${id}` };
}

/** Code of a change of a card where none is stored. */
const NO_CARD = '100.150.205';

/** The test mode that a registration names; undefined for INTERNAL. */
function madeIn(echo: string): string | undefined {
  return (JSON.parse(echo) as { readonly testMode?: string }).testMode;
}
