import type { Change } from '../../../kernel/store/store.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import type { Use } from '../../../security/use-limits/decide-use.js';
import type { AcquirerInstrument } from '../../acquirers/acquirer.js';
import { decideCardTry } from '../policy/card-tries.js';
import type { PaymentRequest } from '../rules/requests.js';
import type { PaymentContext } from './payment-context.js';

/** Refusal of a card that is tried with too many pairs of expiry and card verification value. */
const TESTED = {
  resultCode: '800.300.500',
  responseCode: null,
  detail: 'card.number: was tried with too many expiry dates and card verification values; try again later',
} as const;

/** Digits of the hash of a pair: too few to find a card verification value by, enough to distinguish most pairs. */
const PAIR_DIGITS = 2;
const MERCHANT_DIGITS = 12;

/**
 * Counts the pair of expiry and card verification value that a card is tried with, whichever address it comes from. The row of a card holds its
 * keyed hash, and eight bits of that of each pair. One that is known changes nothing, so a card that is used again costs a read.
 * @returns the changes of the payment's commit, also where it is refused
 */
export async function takeCardTry(
  { store, fingerprint, clock, cardTries }: PaymentContext,
  { origin, pos, registration, storedCard }: PaymentRequest,
  instrument: AcquirerInstrument,
): Promise<{ readonly changes: readonly Change[]; readonly refusal?: typeof TESTED }> {
  if (!cardTries || instrument.kind !== 'card' || origin.kind === 'bridge' || pos) return { changes: [] };
  const { pan, expiryYear, expiryMonth, cvv = '' } = instrument;
  // Stored details are what they were: who repeats by them tries nothing, and no stranger's tries hold it up.
  if (cvv === '' && (registration || storedCard !== undefined)) return { changes: [] };
  const subject = fingerprint('use', `card ${pan}`);
  const [row, entity] = await Promise.all([
    store.get('recentUses', [subject]),
    store.get('entities', [origin.entityId]),
  ]);
  const merchantId = entity?.parentId ?? origin.entityId;
  const tried = {
    merchant: merchantHash(fingerprint, merchantId),
    pair: fingerprint('use', `pair ${pan} ${expiryYear} ${expiryMonth} ${cvv}`).slice(0, PAIR_DIGITS),
  };
  const nowMs = clock.nowMs();
  const before = row ? (JSON.parse(row.uses) as readonly Use[]) : [];
  const { refused, uses } = decideCardTry(before, tried, nowMs, cardTries);
  const refusal = refused ? { refusal: TESTED } : {};
  if (!uses) return { changes: [], ...refusal };
  const kept = { subject, uses: JSON.stringify(uses), expiresAtMs: nowMs + cardTries.pairWindowMs };
  const table = 'recentUses';
  const change: Change = row
    ? { op: 'update', table, row: { ...row, ...kept } }
    : { op: 'insert', table, row: { ...kept, version: 1 } };
  return { changes: [change], ...refusal };
}

/** Merchants whose hash is remembered at most; beyond it all are forgotten. */
const MAX_MERCHANTS = 10_000;

/** Hashes by merchant, for each key: every payment of a merchant needs the same one. */
const MERCHANTS = new WeakMap<Fingerprint, Map<string, string>>();

function merchantHash(fingerprint: Fingerprint, merchantId: string): string {
  const known = MERCHANTS.get(fingerprint) ?? new Map<string, string>();
  const hash = known.get(merchantId);
  if (hash !== undefined) return hash;
  if (known.size >= MAX_MERCHANTS) known.clear();
  const made = fingerprint('use', `merchant ${merchantId}`).slice(0, MERCHANT_DIGITS);
  known.set(merchantId, made);
  MERCHANTS.set(fingerprint, known);
  return made;
}
