import { toHex } from '@tillbridge/wire/bytes.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import { isReversal } from './follow-up-rows.js';
import type { BridgeOrigin, FollowUpRequest, PaymentRequest } from './requests.js';

/** Result code of a message id that arrived again with other content. */
export const CONTENT_CHANGED_CODE = '800.130.100';

/**
 * The content of a message as a keyed hash: the same id with another hash is not a repeat.
 * It leaves out what may differ in a true repeat: session, stream position, the device's names, and the PIN block, which the
 * agent has wiped by then.
 */
export function contentHash(
  fingerprint: Fingerprint,
  origin: BridgeOrigin,
  request: PaymentRequest | FollowUpRequest,
): string {
  const essentials = [origin.terminalId, request.type, request.reference ?? null];
  const more = 'target' in request ? followUpContent(request) : paymentContent(request);
  return fingerprint('message', JSON.stringify([...essentials, ...more]));
}

/** The amount of a till's reversal does not count: it reverses what is left. */
function followUpContent({ type, target, final, amount, cancelIfUnseen }: FollowUpRequest): unknown[] {
  const words = [target, final ?? false, isReversal(type) ? null : (amount ?? null)];
  return cancelIfUnseen ? [...words, 'cancel if unseen'] : words;
}

function paymentContent(request: PaymentRequest): unknown[] {
  const { amount, tip, cashBack, pos, card, offline, voice, partialAllowed } = request;
  return [
    amount,
    offline?.kind ?? null,
    pos ? [pos.entryMode, hex(pos.iccData), hex(pos.sred?.ksn), hex(pos.sred?.data)] : null,
    card ? [card.number, card.expiryYear, card.expiryMonth] : null,
    voice ? [voice.originalMessageId, voice.approvalCode] : null,
    partialAllowed ?? false,
    // Without them the content is that of messages of older agents.
    ...(tip || cashBack ? [tip ?? null, cashBack ?? null] : []),
  ];
}

function hex(bytes: Uint8Array | undefined): string | null {
  return bytes ? toHex(bytes) : null;
}
