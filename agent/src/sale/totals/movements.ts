import { capturesOf, offlineRecordOf, reversalOf, voiceOf } from '../machine/state/messages.js';
import { amountOf, approvedAmount, isPartlyApproved, type SaleState } from '../machine/state/sale-state.js';
import type { Movement, TotalKind } from './totals.js';

/** What a sale counts as in totals, as it now stands. @param brand of its card, or of the sale that it refunds; empty where none is known */
export function movementsOf(state: SaleState, brand: string): readonly Movement[] {
  const { request, terminalId } = state;
  const where = {
    currency: request.currency,
    terminal: terminalId,
    brand,
    till: request.till ?? '',
  };
  return kindsOf(state)
    .filter(({ minor }) => minor > 0)
    .map((each) => ({ ...where, ...each }));
}

type Counted = Pick<Movement, 'kind' | 'minor'>;

function kindsOf(state: SaleState): readonly Counted[] {
  const { phase, outcome, reason } = state;
  const whole = (kind: TotalKind): readonly Counted[] => [{ kind, minor: amountOf(state).minor }];
  if (phase === 'parked') return whole('parked');
  if (phase === 'unknown' || phase === 'reversing') return whole('unknown');
  if (phase !== 'done') return whole('running');
  const refund = state.request.type === 'refund';
  if (outcome === 'reversed') {
    // The answer may have been lost: then the reversal alone shows what stood at the acquirer, and whether anything did.
    const minor = reversalOf(state)?.reversedMinor ?? approvedAmount(state).minor;
    return [{ kind: refund ? 'reversedRefunds' : 'reversed', minor }];
  }
  if (reason === 'declined-later' || reason === 'expired-offline') return whole('lateDeclined');
  if (outcome !== 'approved') return [];
  if (isUnconfirmed(state)) return whole('waiting');
  const { minor } = approvedAmount(state);
  if (state.request.type === 'preauthorization') return preauthorization(state, minor);
  if (refund) return [{ kind: 'refunded', minor }];
  return [{ kind: 'approved', minor }, ...partsOf(state)];
}

/** Tip and cash back, where all of the amount is approved: of a part no one knows. */
function partsOf(state: SaleState): readonly Counted[] {
  if (isPartlyApproved(state)) return [];
  const { tipMinor = 0, cashBackMinor = 0 } = state.request;
  return [
    { kind: 'tips', minor: tipMinor },
    { kind: 'cashBack', minor: cashBackMinor },
  ];
}

/** Approved without the gateway, which has not answered yet. */
function isUnconfirmed(state: SaleState): boolean {
  return [offlineRecordOf(state), voiceOf(state)].some((each) => each?.deliveryStatus === 'queued');
}

/** What was captured counts; the rest is held until it is released or no capture can follow. */
function preauthorization(state: SaleState, minor: number): readonly Counted[] {
  const captures = capturesOf(state);
  const taken = captures.filter(({ deliveryStatus }) => deliveryStatus === 'acknowledged');
  const queued = captures.filter(({ deliveryStatus }) => deliveryStatus === 'queued');
  const isOver = state.reason === 'rest-released' || taken.some(({ final }) => final);
  const used = [...taken, ...queued].reduce((sum, each) => sum + each.minor, 0);
  return [
    ...taken.map((each) => ({ kind: 'approved' as const, minor: each.minor })),
    ...queued.map((each) => ({ kind: 'waiting' as const, minor: each.minor })),
    { kind: 'preauthorized', minor: isOver ? 0 : minor - used },
  ];
}
