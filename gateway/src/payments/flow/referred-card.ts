import type { PaymentRow } from '../../store/rows.js';
import { NO_CARD } from '../decide/drafts.js';
import type { PreparedCard, RefusedCard } from '../decide/prepared-card.js';
import { type PaymentRequest, TryLaterError, type VoiceApproval } from '../decide/requests.js';
import type { PaymentContext } from './payment-context.js';

/** Response codes by which an issuer refers a request to a call (ISO 8583 field 39). */
const REFERRALS: ReadonlySet<string> = new Set(['01', '02']);

/** Code of an approval code for a payment that cannot take one: the reference is unsuitable. */
const UNSUITABLE = '700.300.100';

/**
 * The card of a request that the issuer referred to a call, out of the vault: a terminal that has given the card back has none.
 * @throws TryLaterError while that request has no outcome
 */
export async function referredCard(
  context: PaymentContext,
  request: PaymentRequest,
  voice: VoiceApproval,
): Promise<PreparedCard | RefusedCard> {
  const { origin } = request;
  if (origin.kind !== 'bridge') return refused();
  const key = [origin.agentId, voice.originalMessageId];
  const [intent] = await context.store.find('intents', 'message', key, { limit: 1 });
  if (intent?.state === 'open') throw new TryLaterError('the outcome of the original is not known yet');
  const [original] = await context.store.find('payments', 'message', key, { limit: 1 });
  if (!original || !fits(original, request) || original.vaultId === null) return refused();
  const account = await context.vault.open(original.vaultId, origin.entityId);
  const { brand, bin, last4Digits, holder, expiryMonth, expiryYear } = original;
  return {
    ok: true,
    account,
    toSeal: account,
    trace: { brand, bin, last4Digits, holder, expiryMonth, expiryYear },
  };
}

/** The same sale: what the issuer said yes to on the phone is what it had referred. */
function fits(original: PaymentRow, { origin, type, amount, reference }: PaymentRequest): boolean {
  const { state, responseCode } = original;
  return (
    state === 'declined' &&
    responseCode !== null &&
    REFERRALS.has(responseCode) &&
    original.entityId === origin.entityId &&
    original.type === type &&
    original.currency === amount.currency &&
    original.amountMinor === amount.minor &&
    original.reference === (reference ?? null)
  );
}

function refused(): RefusedCard {
  return { ok: false, resultCode: UNSUITABLE, responseCode: '12', trace: NO_CARD };
}
