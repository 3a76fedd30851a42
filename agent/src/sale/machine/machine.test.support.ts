import { inspect } from 'node:util';
import type { CompleteOutcome, StartOutcome } from '../../drivers/core/driver.js';
import {
  AAC,
  APPROVED,
  AT,
  chipCard,
  iccData,
  OFFLINE_POLICY,
  REQUEST,
  saleOf,
  TC,
} from '../sale.test.support.js';
import { decide } from './decide.js';
import type { Sale, SaleEvent, SaleTimer, StepContext } from './state/events.js';
import { evolve } from './state/evolve.js';
import type { AcceptedSale, Fact } from './state/facts.js';
import type { GatewayAnswer } from './state/gateway-answer.js';

const READING: Fact = { kind: 'reading' };
export const AUTHORIZING: Fact = { kind: 'authorizing', messageId: 'm1' };
export const ANSWERED = (answer = APPROVED): Fact => ({ kind: 'answered', answer, late: false });
export const UNKNOWN: Fact = { kind: 'unknown', reason: 'no-answer' };
export const AMOUNT = { minor: 1_234, currency: 'EUR' };
export const REVERSAL: Fact = {
  kind: 'reversal',
  messageId: 'r1',
  originalMessageId: 'm1',
  reason: 'no-answer',
  otherwise: 'failed',
  amount: AMOUNT,
};
export const RECORD: Fact = {
  kind: 'offline-record',
  messageId: 'o1',
  approval: 'card-approved',
  card: { entryMode: 'ICC' },
  decidedAtMs: AT,
  amount: AMOUNT,
};
export const DONE = (mode: 'online' | 'offline-card' = 'online'): Fact => ({
  kind: 'ended',
  outcome: 'approved',
  mode,
  reason: mode === 'online' ? 'approved' : 'approved-offline',
});

export const LINKED_REFUND: AcceptedSale = {
  ...REQUEST,
  type: 'refund',
  originalReference: 'R0',
  originalMessageId: 'm0',
};
export const PREAUTHORIZATION: AcceptedSale = { ...REQUEST, type: 'preauthorization' };

export const accepted = (request?: AcceptedSale) => saleOf([], {}, request);
export const reading = (live = {}) => saleOf([READING], live);
export const authorizing = (live = {}, request?: AcceptedSale) =>
  saleOf([AUTHORIZING], { card: chipCard(), handedOver: true, ...live }, request);
export const completing = (answer = APPROVED, live = {}) =>
  saleOf([AUTHORIZING, ANSWERED(answer)], { card: chipCard(), handedOver: true, ...live });
export const unknown = (live = {}, request?: AcceptedSale) =>
  saleOf([AUTHORIZING, UNKNOWN], { handedOver: true, ...live }, request);
export const reversing = () => saleOf([AUTHORIZING, UNKNOWN, REVERSAL]);
export const doneOnline = (request?: AcceptedSale) => saleOf([AUTHORIZING, ANSWERED(), DONE()], {}, request);
export const doneOffline = () => saleOf([AUTHORIZING, RECORD, DONE('offline-card')]);

export const NO_BYTES = new Uint8Array();
export const cardRead = (outcome: StartOutcome): SaleEvent => ({ kind: 'card-read', outcome });
export const online = cardRead({ kind: 'online-required', card: chipCard() });
export const y1 = cardRead({ kind: 'approved-offline', card: chipCard(TC) });
export const completed = (kind: 'approved' | 'declined'): SaleEvent => ({
  kind: 'card-completed',
  outcome: { kind, iccData: iccData(kind === 'approved' ? TC : AAC) },
});
export const broken: CompleteOutcome = { kind: 'failed', failure: 'card-removed', detail: 'card is gone' };
export const answer = (what = APPROVED, messageId = 'm1'): SaleEvent => ({
  kind: 'answer',
  messageId,
  answer: what,
  issuerData: Buffer.from('910A', 'hex'),
});
type StatusState = Extract<SaleEvent, { kind: 'status' }>['state'];
export const status = (state: StatusState, what?: typeof APPROVED, messageId = 'm1'): SaleEvent => ({
  kind: 'status',
  messageId,
  state,
  issuerData: NO_BYTES,
  ...(what && { answer: what }),
});
export const acknowledged = (messageId: string, disposition: typeof APPROVED.disposition): SaleEvent => ({
  kind: 'acknowledged',
  messageId,
  answer: { disposition },
});
export const parkedEvent = (messageId: string): SaleEvent => ({
  kind: 'parked',
  messageId,
  code: 'x',
  text: 'why',
});
export const sent = (handedOver: boolean): SaleEvent => ({ kind: 'sent', handedOver });
export const timer = (name: SaleTimer): SaleEvent => ({ kind: 'timer', timer: name });
export const link = (state: 'up' | 'down'): SaleEvent => ({ kind: 'link', state });

export const captureOf = (minor: number, more: { reference?: string; final?: boolean } = {}): SaleEvent => ({
  kind: 'capture',
  minor,
  final: false,
  ...more,
});
export const voice: SaleEvent = { kind: 'voice-approved', approvalCode: 'AB12' };
export const resolveManually = (outcome: 'approved' | 'reversed' = 'reversed'): SaleEvent => ({
  kind: 'resolve-manually',
  outcome,
  note: 'by the record of the acquirer',
});

/** The issuer approved less than the requested amount. */
export const PART: GatewayAnswer = { ...APPROVED, amountMinor: 617, currency: 'EUR', responseCode: '10' };
/** The issuer wants a call. */
export const REFERRAL: GatewayAnswer = {
  disposition: 'declined',
  resultCode: '800.100.200',
  responseCode: '01',
};
export const ACCEPT_PART: Partial<StepContext> = { policy: { ...OFFLINE_POLICY, partialApproval: 'accept' } };
export const REVERSE_FIRST: Partial<StepContext> = {
  policy: { ...OFFLINE_POLICY, offline: { ...OFFLINE_POLICY.offline, afterHandOver: 'reverse' } },
};
export const NO_OFFLINE: Partial<StepContext> = { offlineReasons: ['switched-off'] };
export const EXHAUSTED = { statusRequests: OFFLINE_POLICY.statusScheduleMs.length };

export type Row = readonly [
  name: string,
  sale: Sale,
  event: SaleEvent,
  facts: readonly string[],
  effects: readonly string[],
  context?: Partial<StepContext>,
];
export const notSent = { handedOver: false };
export const offlineDecision = { decidingOffline: true, handedOver: false };
export const decidingAfterHandOver = { decidingOffline: true, handedOver: true };

/** When the facts of a decision are journaled. */
const JOURNALED_MS = AT + 1_000;

/** All that a decision holds, and what its facts change of the sale, line by line. */
export function decisionLines({ state, live }: Sale, event: SaleEvent, context: StepContext): string[] {
  const decision = decide({ state, live }, event, context);
  const { facts = [], sensitive = [], effects = [] } = decision;
  const place = { reference: state.reference, terminalId: state.terminalId, row: 9, atMs: JOURNALED_MS };
  const after = facts.reduce((before, fact) => evolve(before, fact, place), state);
  const { timeline, ...fields } = after;
  const before = new Map<string, unknown>(Object.entries(state));
  const changed = Object.entries(fields).filter(([name, value]) => line(value) !== line(before.get(name)));
  return [
    ...facts.map((fact) => `fact ${line(fact)}`),
    ...sensitive.map((data) => `sensitive ${line(data)}`),
    ...effects.map((effect) => `effect ${line(effect)}`),
    ...Object.entries(decision.live ?? {}).map(([name, value]) => `live ${name} ${line(value)}`),
    ...changed.map(([name, value]) => `state ${name} ${line(value)}`),
    ...timeline.slice(state.timeline.length).map((entry) => `timeline ${line(entry)}`),
  ];
}

function line(value: unknown): string {
  return inspect(value, {
    depth: null,
    breakLength: Number.POSITIVE_INFINITY,
    maxArrayLength: null,
    sorted: true,
  });
}
