import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { TillRequest } from '../clients/agent-client.js';
import { type HttpAnswer, until } from '../clients/http.js';
import type { NetworkState } from '../clients/simulator-client.js';
import type { TourContext } from '../tour/tour-context.js';

/** A row of the agent's journal and the side of its commit on which the agent dies. */
export type CrashAt = `${string}:${'before' | 'after'}`;

/** A sale during which the agent dies, perhaps again while it recovers. */
export interface CrashCase {
  readonly crashes: readonly [CrashAt, ...CrashAt[]];
  readonly card: string;
  readonly type?: TillRequest['type'];
  /** What the network does until the agent has died. */
  readonly network?: NetworkState;
  /** Further variables of the agent that dies. */
  readonly env?: NodeJS.ProcessEnv;
  /** What the till does; its answers are lost when the agent dies meanwhile. */
  readonly till: (tour: TourContext, request: TillRequest) => Promise<HttpAnswer<SaleAnswer>>;
  /** Captures that stand at the acquirer in the end. */
  readonly captures?: number;
  /** What must be true afterwards as well. */
  readonly afterwards?: (tour: TourContext, request: TillRequest) => Promise<void>;
}

const LATE_DECLINE_TIMEOUT_MS = 180_000;

const LOST: NetworkState = { state: 'up', dropAnswers: true };
const DOWN: NetworkState = { state: 'down' };

const sell: CrashCase['till'] = (tour, request) => tour.agent.sale(request);

const sellThenReconnect: CrashCase['till'] = async (tour, request) => {
  const sold = await tour.agent.sale(request);
  await tour.simulator.network({ state: 'up' });
  return sold;
};

const sellThenCapture: CrashCase['till'] = async (tour, request) => {
  await tour.agent.sale(request);
  return tour.agent.capture(request.reference, request.amount);
};

const sellThenCall: CrashCase['till'] = async (tour, request) => {
  await tour.agent.sale(request);
  return tour.agent.approveByVoice(request.reference, 'AB12');
};

/** The issuer declines an offline sale later, and staff acknowledge the late decline. */
const sellThenAcknowledge: CrashCase['till'] = async (tour, request) => {
  await sellThenReconnect(tour, request);
  await untilLateDeclines(tour, request.reference, 1);
  return tour.agent.acknowledge(request.reference);
};

/** Acknowledged before the agent died or not: the late decline is listed until staff acknowledge it. */
const acknowledgeLateDecline: CrashCase['afterwards'] = async (tour, { reference }) => {
  const { lateDeclines } = (await tour.agent.queue()).body;
  if (lateDeclines.some((each) => each.reference === reference)) await tour.agent.acknowledge(reference);
  await untilLateDeclines(tour, reference, 0);
};

async function untilLateDeclines(tour: TourContext, reference: string, count: 0 | 1): Promise<void> {
  await until(`${count} late declines of ${reference}`, LATE_DECLINE_TIMEOUT_MS, async () => {
    const { lateDeclines } = (await tour.agent.queue()).body;
    return lateDeclines.filter((each) => each.reference === reference).length === count ? true : undefined;
  });
}

function bothSides(kind: string, rest: Omit<CrashCase, 'crashes'>): CrashCase[] {
  return (['before', 'after'] as const).map((side) => ({ ...rest, crashes: [`${kind}:${side}`] }));
}

const ONLINE = { card: 'visa-credit-online', till: sell };
const WRONG_ARPC = { card: 'visa-bad-arpc', till: sell };
const UNANSWERED = { ...ONLINE, network: LOST };
const OFFLINE = { card: 'maestro-offline-approved', network: DOWN, till: sellThenReconnect };
/** The answer is lost after the hand-over, and the card decides offline behind a preceding reversal. */
const PRECEDED = {
  card: 'maestro-offline-approved',
  network: LOST,
  env: { AGENT_OFFLINE: '{"afterHandOver": "reverse"}' },
  till: sell,
};
const DECLINED_LATER = {
  card: 'maestro-declined-later',
  network: DOWN,
  till: sellThenAcknowledge,
  afterwards: acknowledgeLateDecline,
};
const REFERRED = { card: 'visa-referral', till: sellThenCall };
const CAPTURED: Omit<CrashCase, 'crashes'> = {
  ...ONLINE,
  type: 'preauthorization',
  till: sellThenCapture,
  captures: 1,
};

/** The agent dies on both sides of the commit of each row that a sale journals, and while it recovers. The other rows: crash-proofs.ts. */
export const CRASH_CASES: readonly CrashCase[] = [
  ...['accepted', 'authorizing', 'answered', 'completed', 'ended'].flatMap((kind) => bothSides(kind, ONLINE)),
  ...['reversal', 'acknowledged'].flatMap((kind) => bothSides(kind, WRONG_ARPC)),
  ...bothSides('unknown', UNANSWERED),
  ...['offline-record', 'acknowledged'].flatMap((kind) => bothSides(kind, OFFLINE)),
  ...['preceding-reversal', 'offline-record'].flatMap((kind) => bothSides(kind, PRECEDED)),
  ...bothSides('late-decline-acknowledged', DECLINED_LATER),
  ...['voice-authorization', 'acknowledged'].flatMap((kind) => bothSides(kind, REFERRED)),
  ...['capture', 'acknowledged'].flatMap((kind) => bothSides(kind, CAPTURED)),
  { ...UNANSWERED, crashes: ['authorizing:after', 'unknown:after', 'ended:before'] },
  { ...UNANSWERED, crashes: ['unknown:after', 'reversal:before', 'reversal:after', 'acknowledged:before'] },
  { ...ONLINE, crashes: ['answered:after', 'reversal:before', 'reversal:after', 'acknowledged:before'] },
];
