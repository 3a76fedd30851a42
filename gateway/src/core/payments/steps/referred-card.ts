import { UNSUITABLE } from '@tillbridge/wire/payment/lifecycle.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { intentOfMessage } from '../lookup/find-intent.js';
import { cardOf, NO_CARD } from '../rules/drafts.js';
import type { PreparedCard, RefusedCard } from '../rules/prepared-card.js';
import type { PaymentRequest, VoiceApproval } from '../rules/requests.js';
import type { PaymentContext } from './payment-context.js';

/** Response codes by which an issuer refers a request to a call (ISO 8583 field 39). */
const REFERRALS: ReadonlySet<string> = new Set(['01', '02']);

/**
 * Reads the card of a request that the issuer referred to a call from the vault: the terminal no longer has it.
 * @throws TryLaterError while that request has no outcome
 */
export async function referredCard(
  context: PaymentContext,
  request: PaymentRequest,
  voice: VoiceApproval,
): Promise<PreparedCard | RefusedCard> {
  const { origin } = request;
  if (origin.kind !== 'bridge') return refused();
  const key = [origin.agentId, voice.originalMessageId] as const;
  const intent = await intentOfMessage(context.store, ...key);
  if (intent?.state === 'open') throw new TryLaterError('the outcome of the original is not known yet');
  const [original] = await context.store.find('payments', 'message', key, { limit: 1 });
  if (!original || !fits(original, request) || original.vaultId === null) return refused();
  const account = await context.vault.open(original.vaultId, origin.entityId);
  return { ok: true, instrument: { kind: 'card', ...account }, toSeal: account, trace: cardOf(original) };
}

/** Whether the request is the sale that the issuer referred, and so the one it approved on the phone. */
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
