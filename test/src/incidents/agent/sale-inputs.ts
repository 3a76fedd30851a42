import type { CompleteOutcome, DriverFailure, StartOutcome } from '@tillbridge/agent/drivers/core/driver.js';
import { SALE_STEPS } from '@tillbridge/agent/sale/machine/decide.js';
import { EVENT_WORDS } from '@tillbridge/agent/sale/machine/descriptions.js';
import type { AnswerEmv, ManualOutcome } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { Sale, SaleEvent } from '@tillbridge/agent/sale/machine/state/events.js';
import type { Fact } from '@tillbridge/agent/sale/machine/state/facts.js';
import type { GatewayAnswer } from '@tillbridge/agent/sale/machine/state/gateway-answer.js';
import { messageOf } from '@tillbridge/agent/sale/machine/state/messages.js';
import { cardsOf, iccDataOf } from './card-inputs.js';

type Of<K extends Fact['kind']> = Extract<Fact, { readonly kind: K }>;

/** What the rows ahead show of an input. */
export interface Ahead {
  /** Facts of the rows that may be the next write. */
  readonly next: readonly Fact[];
  /** Facts of all rows from here on. */
  readonly all: readonly Fact[];
}

const NO_DATA = new Uint8Array();

/** What may happen to a sale where it stands, with the values that the next rows show. The likeliest come first. */
export function saleInputs(sale: Sale, ahead: Ahead): readonly SaleEvent[] {
  const steps = SALE_STEPS[sale.state.phase];
  return INPUTS.flatMap((inputs) => inputs(sale, ahead)).filter(({ kind }) => kind in steps);
}

/** An event in words. */
export function inputText(event: SaleEvent): string {
  return `${event.kind}${detailOf(event)}: ${EVENT_WORDS[event.kind]}`;
}

function detailOf(event: SaleEvent): string {
  switch (event.kind) {
    case 'card-read':
    case 'card-completed':
      return ` (${event.outcome.kind})`;
    case 'answer':
    case 'acknowledged':
      return ` (${event.answer.disposition})`;
    case 'status':
    case 'link':
      return ` (${event.state})`;
    case 'timer':
      return ` (${event.timer})`;
    case 'sent':
      return event.handedOver ? ' (handed over)' : ' (not handed over)';
    default:
      return '';
  }
}

type Inputs = (sale: Sale, ahead: Ahead) => readonly SaleEvent[];

const INPUTS: readonly Inputs[] = [
  () => [{ kind: 'begin' }],
  cardReadings,
  cardEnds,
  answers,
  acknowledgements,
  parkings,
  requestsOfTills,
  () => [
    { kind: 'sent', handedOver: true },
    { kind: 'sent', handedOver: false },
    { kind: 'link', state: 'up' },
  ],
  () => (['answer', 'link', 'overdue', 'resolve'] as const).map((timer) => ({ kind: 'timer', timer })),
  statuses,
  () => [{ kind: 'reverse' }, { kind: 'expire' }],
  (_sale, { all }) => [undefined, ...tillsOf(all)].map((by) => ({ kind: 'cancel', ...(by && { by }) })),
];

function of<K extends Fact['kind']>(facts: readonly Fact[], kind: K): readonly Of<K>[] {
  return facts.filter((fact): fact is Of<K> => fact.kind === kind);
}

function cardReadings(_sale: Sale, { next }: Ahead): readonly SaleEvent[] {
  const outcomes: StartOutcome[] = [
    ...of(next, 'authorizing').flatMap(({ card: facts, emv }) =>
      facts ? cardsOf(facts, emv).map((card) => ({ kind: 'online-required', card }) as const) : [],
    ),
    ...of(next, 'offline-record')
      .filter(mayApprove)
      .flatMap(({ card, emv }) =>
        cardsOf(card, emv).map((each) => ({ kind: 'approved-offline', card: each }) as const),
      ),
    ...of(next, 'completed').map(({ emv }) => {
      const label = emv?.label === undefined ? {} : { label: emv.label };
      const card = { facts: { ...FACTS_UNKNOWN, ...label }, iccData: iccDataOf(emv) };
      return { kind: 'declined-offline', card } as const;
    }),
    ...(['cardholder', 'till', 'timeout'] as const).map((by) => ({ kind: 'cancelled', by }) as const),
    ...of(next, 'ended').flatMap(({ detail }) => failuresOf(detail)),
    // A TC that the rules did not accept leaves no card data in the rows.
    { kind: 'approved-offline', card: { facts: FACTS_UNKNOWN, iccData: NO_DATA } },
  ];
  return outcomes.map((outcome) => ({ kind: 'card-read', outcome }));
}

/** Of a card that the rows do not name. */
const FACTS_UNKNOWN = { entryMode: 'ICC' } as const;

/** A card whose last cryptogram is an AAC has declined (EMV Book 3 table 15). */
function mayApprove({ emv }: { readonly emv?: AnswerEmv | undefined }): boolean {
  return emv?.acType !== 'AAC';
}

function cardEnds(_sale: Sale, { next }: Ahead): readonly SaleEvent[] {
  const outcomes: CompleteOutcome[] = [
    ...of(next, 'completed').flatMap(({ result, emv, detail }): readonly CompleteOutcome[] => {
      if (result === 'failed') return failuresOf(detail);
      return result === 'approved' && !mayApprove({ emv }) ? [] : [{ kind: result, iccData: iccDataOf(emv) }];
    }),
    ...of(next, 'offline-record')
      .filter(mayApprove)
      .map(({ card, emv }) => ({ kind: 'approved', iccData: iccDataOf(emv, card) }) as const),
    { kind: 'declined', iccData: NO_DATA } as const,
  ];
  return outcomes.map((outcome) => ({ kind: 'card-completed', outcome }));
}

/** The failure that a detail describes: `failure: detail`. */
function failuresOf(detail: string | undefined): readonly Extract<CompleteOutcome, { kind: 'failed' }>[] {
  const [, failure, rest] = /^([a-z-]+): (.*)$/s.exec(detail ?? '') ?? [];
  if (failure === undefined || rest === undefined) return [];
  return [{ kind: 'failed', failure: failure as DriverFailure, detail: rest }];
}

function answers({ state: { messageId } }: Sale, { next }: Ahead): readonly SaleEvent[] {
  if (messageId === undefined) return [];
  return of(next, 'answered').map(({ answer }) => ({
    kind: 'answer',
    messageId,
    answer,
    issuerData: NO_DATA,
  }));
}

function statuses({ state: { messageId } }: Sale, { next }: Ahead): readonly SaleEvent[] {
  if (messageId === undefined) return [];
  const about = { kind: 'status', messageId, issuerData: NO_DATA } as const;
  return [
    ...of(next, 'answered').map(({ answer }) => ({ ...about, state: 'answered', answer }) as const),
    { ...about, state: 'not-seen' },
    { ...about, state: 'tombstoned' },
    { ...about, state: 'answered' },
  ];
}

function acknowledgements(_sale: Sale, { next }: Ahead): readonly SaleEvent[] {
  return of(next, 'acknowledged').map(({ messageId, answer }) => ({
    kind: 'acknowledged',
    messageId,
    answer,
  }));
}

/** A message is parked by the gateway, or because the gateway acknowledged a reversal without reversing anything. */
function parkings({ state }: Sale, { next }: Ahead): readonly SaleEvent[] {
  return of(next, 'parked').flatMap(({ messageId, code, text }): SaleEvent[] => {
    const [, inner] = /could not cancel if unseen what it has parked \((.*)\): have/s.exec(text) ?? [];
    const isUnseen = messageOf(state, messageId)?.kind === 'cancel-if-unseen';
    const refusal: GatewayAnswer = { disposition: 'refused', resultCode: code, description: text };
    return [
      { kind: 'parked', messageId, code, text: isUnseen && inner !== undefined ? inner : text },
      { kind: 'acknowledged', messageId, answer: refusal },
    ];
  });
}

/** Tills that the rows name as those that requested something. */
function tillsOf(facts: readonly Fact[]): readonly string[] {
  const named = facts.flatMap((fact) => ('by' in fact && fact.by !== undefined ? [fact.by] : []));
  return [...new Set(named)];
}

const MANUAL: ReadonlySet<string> = new Set<ManualOutcome>(['approved', 'declined', 'reversed', 'failed']);

function requestsOfTills(_sale: Sale, { next }: Ahead): readonly SaleEvent[] {
  const by = (fact: { readonly by?: string }) => (fact.by === undefined ? {} : { by: fact.by });
  return [
    ...of(next, 'reversal').map((fact) => ({ kind: 'reverse', ...by(fact) }) as const),
    ...of(next, 'capture').map(({ amount, final = true, captureReference }) => ({
      kind: 'capture' as const,
      minor: amount.minor,
      final,
      ...(captureReference !== undefined && { reference: captureReference }),
    })),
    ...of(next, 'voice-authorization').map(
      ({ approvalCode }) => ({ kind: 'voice-approved', approvalCode }) as const,
    ),
    ...of(next, 'late-decline-acknowledged').map(
      (fact) => ({ kind: 'late-decline-acknowledged', ...by(fact) }) as const,
    ),
    ...of(next, 'ended').flatMap((fact): SaleEvent[] => {
      const { outcome, reason, detail = '' } = fact;
      if (reason !== 'manually-resolved' || !MANUAL.has(outcome)) return [];
      return [{ kind: 'resolve-manually', outcome: outcome as ManualOutcome, note: detail, ...by(fact) }];
    }),
  ];
}
