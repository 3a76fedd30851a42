import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { newTimeOrderedId } from '../../../kernel/store/new-id.js';
import type { RegistrationRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import { registrationContext } from '../../../security/vault/contexts.js';
import type { RowSeal } from '../../../security/vault/row-seal.js';
import type { HeldAgreement } from '../registrations/held-agreement.js';
import {
  identityOf,
  REGISTRATION_CODES,
  registrationRefusal,
  type StoredDetails,
  traceOfDetails,
} from '../registrations/registration.js';

/** What stored payment details are made and read with. */
export interface RegisteredDeps {
  readonly store: Pick<Store, 'get' | 'find'>;
  readonly registrationSeal: RowSeal;
  readonly fingerprint: Fingerprint;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** Details that are to be stored. */
export interface NewRegistration {
  readonly entityId: string;
  readonly details: StoredDetails;
  readonly brand: string | null;
  /** As answers repeat it: the customer and the billing address. */
  readonly echo: object;
  /** The merchant's number of the customer: two customers never share a registration. */
  readonly customerId: string | undefined;
  /** Absent: a fresh one. */
  readonly id?: string;
  /** The agreement that the cardholder begins with them. */
  readonly agreement?: HeldAgreement;
  /** The payment that it waits for. */
  readonly paymentId?: string;
}

/**
 * The row of new details, or the active one of the same merchant, customer and details, which is used in its place.
 * @throws StoreUnavailableError
 */
export async function registrationRow(
  deps: RegisteredDeps,
  made: NewRegistration,
): Promise<{ readonly row: RegistrationRow; readonly isNew: boolean }> {
  const { store, registrationSeal, fingerprint, clock, random } = deps;
  const { entityId, details, brand, echo, customerId, paymentId } = made;
  const merchantId = await merchantOf(store, entityId);
  const nowMs = clock.nowMs();
  const print = fingerprint('registration', identityOf(details, customerId));
  const same = await sameRegistration(store, { merchantId, fingerprint: print });
  if (same) return { row: same, isNew: false };
  const id = made.id ?? newTimeOrderedId(random, nowMs);
  const row: RegistrationRow = {
    id,
    entityId,
    merchantId,
    state: paymentId === undefined ? 'active' : 'pending',
    fingerprint: print,
    activeFingerprint: paymentId === undefined ? print : null,
    ...registrationSeal.seal(registrationContext({ id, merchantId }), details),
    brand,
    ...traceOfDetails(details),
    paymentId: paymentId ?? null,
    echo: JSON.stringify(echo),
    updatedAtMs: nowMs,
    createdAtMs: nowMs,
    version: 1,
  };
  return { row, isNew: true };
}

/** The active registration of a merchant with the same customer and details; undefined where there is none. @throws StoreUnavailableError */
export async function sameRegistration(
  store: Pick<Store, 'find'>,
  { merchantId, fingerprint }: Pick<RegistrationRow, 'merchantId' | 'fingerprint'>,
): Promise<RegistrationRow | undefined> {
  const [row] = await store.find('registrations', 'active', [merchantId, fingerprint]);
  return row;
}

/**
 * The details of a registration, for a payment of an entity of its merchant.
 * @returns the result code of the refusal where it cannot be used
 * @throws VaultError, StoreUnavailableError
 */
export async function openRegistration(
  { store, registrationSeal }: Pick<RegisteredDeps, 'store' | 'registrationSeal'>,
  id: string,
  entityId: string,
): Promise<{ readonly row: RegistrationRow; readonly details: StoredDetails } | string> {
  const row = await store.get('registrations', [id]);
  const refusal = registrationRefusal(row, await merchantOf(store, entityId));
  if (!row || refusal !== undefined) return refusal ?? REGISTRATION_CODES.unknown;
  const { sealed, keyId } = row;
  if (sealed === null || keyId === null) return REGISTRATION_CODES.removed;
  return {
    row,
    details: await registrationSeal.open<StoredDetails>(registrationContext(row), { sealed, keyId }),
  };
}

/** The merchant of an entity: itself, or that of a channel. @throws StoreUnavailableError */
export async function merchantOf(store: Pick<Store, 'get'>, entityId: string): Promise<string> {
  return (await store.get('entities', [entityId]))?.parentId ?? entityId;
}
