import type { GatewayIncident } from '@tillbridge/gateway/app/incident/gateway-incident.js';
import type { DecisionRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { IncidentReport, ReplayVerdict } from '../core/verdict.js';
import { replayExchange } from './replay-exchange.js';
import { replayFamily } from './replay-family.js';
import { replayWait } from './replay-waits.js';

/** What no export of a gateway lets be replayed, in sentences. */
const NEVER_REPLAYED: readonly string[] = [
  'answers of acquirers and issuers: they are inputs, and taken from the rows',
  'ages and clocks: leases of nodes, pauses of the resolver and of repeats, and when an exchange is sent next',
  'rules on requests: risk, throttling, agreements, sellers and account data; their decisions are shown',
  'an approval in part: the requested amount is not stored',
  'which numbers earlier reversals of an exchange had: the last one is stored',
];

/** Replays the rows of a gateway's export: payments, claims, answers, waits and exchanges. */
export function replayGateway(incident: GatewayIncident): IncidentReport {
  const { paymentId, payments, exchanges, waits, events, tombstones } = incident;
  const verdicts = [
    replayFamily(incident),
    ...waits.map((wait) => replayWait(incident, wait)),
    ...exchanges.map(replayExchange),
    ...decisionGaps(incident.decisions),
  ];
  return {
    title: `payment ${paymentId}: ${payments.length} payments, ${waits.length} waits and ${exchanges.length} exchanges, each through its decisions`,
    verdicts,
    notReplayed: [
      ...NEVER_REPLAYED,
      ...(events.length > 0 ? [`${events.length} events: which were made is shown alone`] : []),
      ...(tombstones.length > 0 ? [`${tombstones.length} tombstones: they refuse what comes later`] : []),
    ],
  };
}

/** Decisions on a payment have places without a gap. */
function decisionGaps(decisions: readonly DecisionRow[]): readonly ReplayVerdict[] {
  const ids = [...new Set(decisions.map(({ paymentId }) => paymentId))];
  return ids.map((id) => {
    const places = decisions.flatMap(({ paymentId, position }) => (paymentId === id ? [position] : []));
    const subject = `decisions on ${id}`;
    const gap = places.sort((one, other) => one - other).findIndex((position, at) => position !== at);
    if (gap < 0) return { subject, rows: places.length, notReplayed: [] };
    const divergence = {
      subject,
      row: `decisions ${id}, position ${places[gap]}`,
      state: `${gap} decisions before it`,
      tried: [],
      because: 'the decisions of a payment have positions from 0 without a gap',
    };
    return { subject, rows: gap, divergence, notReplayed: [] };
  });
}
