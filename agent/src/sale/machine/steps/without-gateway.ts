import type { CardData } from '../../../drivers/core/driver.js';
import { judgeCard, type OfflineVerdict, tcReasons } from '../../offline/offline-rules.js';
import type { Decision, Sale, StepContext } from '../state/events.js';
import { recordDeferred } from './offline-record.js';

/** Authorisation response code that ends a chip whose ARQC is kept: unable to go online, declined (EMV Book 4 Annex A6). */
const END_OF_CARD = 'Z3';

/** The verdict of the rules on a sale and its card without the gateway. */
export function offlineVerdict(sale: Sale, card: CardData, context: StepContext): OfflineVerdict {
  const { offlineReasons } = context;
  if (offlineReasons.length > 0) return { kind: 'refuse', reasons: offlineReasons };
  return judgeCard(context.offline, sale.state.request, card, context.fingerprint(card.facts));
}

/** What stands against a TC that the card gave. */
export function whyNotByCard(sale: Sale, card: CardData, context: StepContext): readonly string[] {
  const reasons = tcReasons(context.offline, sale.state.request, card, context.fingerprint(card.facts));
  return [...context.offlineReasons, ...reasons];
}

/** Whether the ARQC may be kept of a card that has ended without a TC. */
export function mayDefer(sale: Sale, card: CardData, context: StepContext): boolean {
  const verdict = offlineVerdict(sale, card, context);
  return verdict.kind === 'defer' || (verdict.kind === 'ask-card' && verdict.deferIfNot);
}

/**
 * Goes on without the gateway by the offline rules. `handedOver`: the request may have left, so a reversal of it is written
 * with the record and goes out before it (agent/docs/offline-rules.md). A chip in the slot decides or ends first; a tap is over.
 */
export function goOnOffline(
  sale: Sale,
  verdict: Exclude<OfflineVerdict, { readonly kind: 'refuse' }>,
  card: CardData,
  handedOver: boolean,
  context: StepContext,
): Decision {
  // The PIN block has gone out, or never will.
  const { pin: _pin, ...kept } = card;
  const live = { decidingOffline: true, handedOver, card: kept };
  if (verdict.kind === 'ask-card') {
    return { effects: [{ do: 'complete-card', result: { kind: 'unable-to-go-online' } }], live };
  }
  if (!verdict.endCard)
    return recordDeferred({ ...sale, live: { ...sale.live, ...live } }, undefined, context);
  const result = { kind: 'declined', responseCode: END_OF_CARD, issuerData: new Uint8Array() } as const;
  return { effects: [{ do: 'complete-card', result }], live };
}
