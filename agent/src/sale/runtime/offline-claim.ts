import type { Decision, Sale } from '../machine/state/events.js';
import { amountOf } from '../machine/state/sale-state.js';
import type { FingerprintCard } from '../offline/card-fingerprint.js';
import type { UnforwardedSale } from '../offline/offline-exposure.js';

/**
 * The offline money that a sale may be taking right now, before a row shows it: its card decides, or its record is
 * being written (`writing`). Others count it, so that two sales at once never both take the last of a limit.
 */
export function claimOf(
  { state, live }: Sale,
  writing: Decision | undefined,
  fingerprint: FingerprintCard,
): UnforwardedSale | undefined {
  const record = writing?.facts?.find((fact) => fact.kind === 'offline-record');
  const recorded = record?.kind === 'offline-record' ? record.card : undefined;
  const soon = { ...live, ...writing?.live };
  const deciding = soon.decidingOffline ? soon.card?.facts : undefined;
  const card = recorded ?? deciding;
  if (!card) return undefined;
  return {
    reference: state.reference,
    terminalId: state.terminalId,
    ...amountOf(state),
    // It may yet be deferred: the narrower limits count it too.
    approval: 'deferred',
    fingerprint: fingerprint(card),
    state: 'deciding',
  };
}
