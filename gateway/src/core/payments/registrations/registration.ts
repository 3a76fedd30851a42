import { present } from '@tillbridge/wire/present.js';
import type { RegistrationRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import type { AcquirerBankAccount, AcquirerInstrument } from '../../acquirers/acquirer.js';
import { type HeldAgreement, withAgreement } from './held-agreement.js';

/** Payment details as they are stored, sealed. Never a card verification value, a track or the proof of a wallet. */
export type StoredDetails =
  | {
      readonly kind: 'card';
      readonly pan: string;
      /** Four digits. */
      readonly expiryYear: string;
      readonly expiryMonth: string;
      readonly holder?: string;
      readonly numberType?: 'PAN' | 'DPAN';
    }
  | ({ readonly kind: 'bank-account' } & Pick<
      AcquirerBankAccount,
      'brand' | 'holder' | 'iban' | 'number' | 'bankCode' | 'bic' | 'country' | 'mandate'
    >);

/** Codes of registrations that cannot be used (docs/result-codes.md). */
export const REGISTRATION_CODES = {
  unknown: '100.150.200',
  removed: '100.150.202',
  /** The payment that made it has not been approved. */
  invalid: '100.150.203',
} as const;

/** Why a merchant cannot use a registration; undefined when it can. Another merchant's is one that is not there. Pure. */
export function registrationRefusal(
  row: RegistrationRow | undefined,
  merchantId: string,
): string | undefined {
  if (row?.merchantId !== merchantId) return REGISTRATION_CODES.unknown;
  if (row.state === 'removed') return REGISTRATION_CODES.removed;
  return row.state === 'pending' ? REGISTRATION_CODES.invalid : undefined;
}

/** What of a means of payment is stored for later; undefined for what cannot be. Pure. */
export function detailsOf(
  instrument: AcquirerInstrument,
  holder: string | undefined,
): StoredDetails | undefined {
  switch (instrument.kind) {
    case 'card': {
      const { pan, expiryYear, expiryMonth, numberType } = instrument;
      return { kind: 'card', pan, expiryYear, expiryMonth, ...present({ holder, numberType }) };
    }
    case 'bank-account': {
      if (instrument.by !== 'direct-debit') return undefined;
      const { brand, holder: named, iban, number, bankCode, bic, country, mandate } = instrument;
      const about = present({ holder: named, iban, number, bankCode, bic, country, mandate });
      return { kind: 'bank-account', brand, ...about };
    }
    default:
      return undefined;
  }
}

/** The text by which the same details of the same customer are recognised; to be hashed under a key. Pure. */
export function identityOf(details: StoredDetails, customerId: string | undefined): string {
  const account =
    details.kind === 'card'
      ? [details.pan, details.expiryYear, details.expiryMonth, details.holder ?? '']
      : [
          details.brand,
          details.iban ?? '',
          details.number ?? '',
          details.bankCode ?? '',
          details.holder ?? '',
        ];
  return JSON.stringify([details.kind, ...account, customerId ?? '']);
}

/** What may be shown of details (PCI DSS 3.4.1): of a bank account its last four digits. Pure. */
export function traceOfDetails(
  details: StoredDetails,
): Pick<RegistrationRow, 'kind' | 'bin' | 'last4Digits' | 'holder' | 'expiryMonth' | 'expiryYear'> {
  const { kind, holder = null } = details;
  if (kind === 'bank-account') {
    const last4Digits = (details.iban ?? details.number ?? '').slice(-4);
    return { kind, holder, bin: null, last4Digits: last4Digits || null, expiryMonth: null, expiryYear: null };
  }
  const { pan, expiryMonth, expiryYear } = details;
  const long = pan.length >= 12;
  const [bin, last4Digits] = long ? [pan.slice(0, 6), pan.slice(-4)] : [null, null];
  return { kind, holder, bin, last4Digits, expiryMonth, expiryYear };
}

/** A removed registration: that it was is all that stays. Pure. */
export function removedRow(row: RegistrationRow, nowMs: number): RegistrationRow {
  const nothing = {
    activeFingerprint: null,
    sealed: null,
    keyId: null,
    bin: null,
    last4Digits: null,
    holder: null,
  };
  return { ...row, state: 'removed', ...nothing, echo: '{}', updatedAtMs: nowMs };
}

/**
 * What the outcome of a payment makes of the registration that waits for it, or that it was paid with: an approved first payment of an agreement
 * has the registration hold it. Its commit conflicts where another request has stored the same details. Pure.
 */
export function registrationChanges(
  row: RegistrationRow | undefined,
  {
    paymentId,
    isApproved,
    agreement,
    same,
    nowMs,
  }: {
    readonly paymentId: string;
    readonly isApproved: boolean;
    readonly agreement?: HeldAgreement | undefined;
    /** The active one of the same details, where another request was faster. */
    readonly same?: RegistrationRow | undefined;
    readonly nowMs: number;
  },
): readonly Change[] {
  const isOwn = row?.state === 'pending' && row.paymentId === paymentId;
  if (!row || !(isOwn || row.state === 'active')) return [];
  const { id, version } = row;
  const gone = { op: 'delete', table: 'registrations', key: [id], version } as const;
  // One that was there before is not the payment's to take away.
  if (!isApproved) return isOwn ? [gone] : [];
  const kept = isOwn && same ? same : row;
  const holding = agreement ? withAgreement(kept, agreement) : kept;
  const activated = {
    ...holding,
    state: 'active',
    activeFingerprint: row.fingerprint,
    updatedAtMs: nowMs,
  } as const;
  if (isOwn && !same) return [{ op: 'update', table: 'registrations', row: activated }];
  const held = holding === kept ? [] : [{ op: 'update', table: 'registrations', row: holding } as const];
  return isOwn ? [gone, ...held] : held;
}
