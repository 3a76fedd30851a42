import type { GatewayIncident } from '@tillbridge/gateway/app/incident/gateway-incident.js';
import { endWait, goOn } from '@tillbridge/gateway/core/payments/rules/wait-changes.js';
import type { WaitRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { isSameJson } from '../core/same-value.js';
import type { ReplayVerdict } from '../core/verdict.js';

/** Replays what is stored of a wait: it is as the last step of its payment leaves it, and keeps nothing that no later step needs. */
export function replayWait({ payments, intents }: GatewayIncident, wait: WaitRow): ReplayVerdict {
  const subject = `wait of ${wait.paymentId}`;
  const hasOutcome = payments.some(({ id }) => id === wait.paymentId);
  const intent = intents.find(({ id }) => id === wait.intentId);
  const isWaiting = intent?.state === 'waiting';
  const changes = hasOutcome ? [endWait(wait, wait.endedAtMs ?? 0)] : isWaiting ? [] : [goOn(wait)];
  const isAsLeft = changes.every((change) => 'row' in change && isSameJson(change.row, wait));
  const isOver = hasOutcome === (wait.endedAtMs !== null) && isWaiting === (wait.untilMs !== null);
  if (isAsLeft && isOver)
    return { subject, rows: 1, notReplayed: [`${subject}: how often it was looked at, and what was found`] };
  const divergence = {
    subject,
    row: `waits ${wait.paymentId}: ${wait.kind}, ended ${wait.endedAtMs ?? 'never'}, until ${wait.untilMs ?? 'none'}, keeps ${wait.sealed === null ? 'nothing' : 'a continuation'}`,
    state: `its payment ${hasOutcome ? 'has an outcome' : 'has none'}; its intent is ${intent?.state ?? 'not there'}`,
    tried: ['it begins to wait', 'its wait is over and the acquirer decides', 'its payment gets an outcome'],
    because: 'a wait ends in the commit of its outcome, and then keeps nothing for a later step',
  };
  return { subject, rows: 0, divergence, notReplayed: [] };
}
