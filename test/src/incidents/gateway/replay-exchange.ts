import { recordOf } from '@tillbridge/gateway/core/acquirers/iso8583/journal/store-link-journal.js';
import {
  decideExchange,
  type ExchangeEvent,
} from '@tillbridge/gateway/core/acquirers/iso8583/rules/decide-exchange.js';
import type { ExchangeRecord } from '@tillbridge/gateway/core/acquirers/iso8583/rules/exchange-record.js';
import type { LinkExchangeRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { isSameJson } from '../core/same-value.js';
import type { ReplayVerdict } from '../core/verdict.js';

/** Records of one exchange that are looked at. */
const MOST_RECORDS = 5_000;
/** Response codes of answers to a reversal: carried out, and nothing to do. */
const ACKNOWLEDGEMENTS = ['00', '25'] as const;
/** No row has the number of a reversal that another one has followed. */
const EARLIER_STAN = 'earlier';

interface Named {
  readonly name: string;
  readonly event: ExchangeEvent;
}

/**
 * Replays an exchange with an acquirer's host: from the request as it was sent, some events have to lead through `decideExchange` to the record
 * that is stored.
 */
export function replayExchange(row: LinkExchangeRow): ReplayVerdict {
  const subject = `exchange ${row.reference}`;
  const stored = recordOf(row);
  if (!stored.request) return tombstone(subject, stored);
  const first = asSent(stored);
  const events = eventsOf(stored);
  const seen = new Set([textOf(first)]);
  const tried = new Set<string>();
  let open: readonly ExchangeRecord[] = [first];
  let nearest = first;
  while (open.length > 0 && seen.size < MOST_RECORDS) {
    const next: ExchangeRecord[] = [];
    for (const record of open) {
      if (isStored(record, stored)) return { subject, rows: 1, notReplayed: [] };
      if (record.state === stored.state) nearest = record;
      for (const { name, event } of events) {
        tried.add(name);
        const after = decideExchange(record, event);
        const text = textOf(after);
        if (after === record || seen.has(text) || isBeyond(after, stored)) continue;
        seen.add(text);
        next.push(after);
      }
    }
    open = next;
  }
  if (open.length > 0)
    return { subject, rows: 0, notReplayed: [`${subject}: it has more than ${MOST_RECORDS} possible pasts`] };
  const divergence = {
    subject,
    row: `linkExchanges ${row.reference}: ${stateText(stored)}`,
    state: `sent; the nearest that is reached: ${stateText(nearest)}`,
    tried: [...tried],
  };
  return { subject, rows: 0, divergence, notReplayed: [] };
}

/** The mark of an exchange that never began. */
function tombstone(subject: string, { state }: ExchangeRecord): ReplayVerdict {
  if (state === 'reversed')
    return {
      subject,
      rows: 1,
      notReplayed: [`${subject}: no request of it was sent, and none ever will be`],
    };
  const divergence = {
    subject,
    row: `linkExchanges: ${state} without a request`,
    state: 'no exchange',
    tried: [],
    because: 'without a request it is a tombstone, which is reversed',
  };
  return { subject, rows: 0, divergence, notReplayed: [] };
}

/** The record as it was journaled before its bytes left. */
function asSent(stored: ExchangeRecord): ExchangeRecord {
  const { answer: _a, reversal: _r, booked: _b, reversed: _v, ...record } = stored;
  const { standIn } = stored;
  return {
    ...record,
    state: standIn ? 'advice-pending' : 'sent',
    lateApprovals: 0,
    ...(standIn && { standIn: { ...standIn, attempts: 0 } }),
  };
}

/** Every event, with the values that the record shows. */
function eventsOf(stored: ExchangeRecord): readonly Named[] {
  const { answer, reversal, request, booked, reversed } = stored;
  const { stan = '000000', at = '00000000000000' } = reversal ?? {};
  const nowMs = stored.createdAtMs;
  const number = { stan, at, sequence: stored.sequence ?? 0 };
  const { reference, amount, remaining } = reversal ?? {};
  const wanted = {
    ...(reference !== undefined && { reference }),
    ...(amount && { amount }),
    ...(remaining && { remaining }),
  };
  const ofHost = { ...request, isResponse: true } as ExchangeMessage;
  const approval: ExchangeMessage = {
    ...ofHost,
    responseCode: '00',
    ...(booked && {
      settlementDate: String(booked.day),
      amount: { ...request?.amount, minor: booked.minor } as never,
    }),
  };
  const acknowledgement = (responseCode: string): ExchangeMessage => ({
    ...ofHost,
    stan,
    at,
    responseCode,
    ...(reversed && {
      settlementDate: String(reversed.day),
      captureDate: String(booked?.day ?? reversed.day),
      amount: { ...request?.amount, minor: reversed.minor } as never,
    }),
  });
  return [
    ...(answer
      ? [
          {
            name: 'the host answers as stored',
            event: { kind: 'answered', answer: answer as ExchangeMessage, number, nowMs } as const,
          },
        ]
      : []),
    { name: 'the host approves', event: { kind: 'answered', answer: approval, number, nowMs } },
    { name: 'no answer comes', event: { kind: 'unanswered', number, nowMs } },
    { name: 'the gateway wants it reversed', event: { kind: 'reverse', wanted, number, nowMs } },
    { name: 'the host may have carried it out', event: { kind: 'doubted', nowMs } },
    { name: 'the host may have carried it out: another reversal', event: { kind: 'doubted', number, nowMs } },
    { name: 'the advice is sent', event: { kind: 'advice-sent', nowMs } },
    { name: 'the reversal is sent', event: { kind: 'reversal-sent', nowMs } },
    ...ACKNOWLEDGEMENTS.map((code) => ({
      name: `the host answers the reversal with ${code}`,
      event: { kind: 'reversal-answered', answer: acknowledgement(code) } as const,
    })),
    ...(reversed
      ? [
          {
            name: 'the host answers an earlier reversal',
            event: {
              kind: 'reversal-answered',
              answer: { ...acknowledgement('00'), stan: EARLIER_STAN },
            } as const,
          },
        ]
      : []),
  ];
}

/** What of a record is decided: when it is sent next is a clock's, and its version the journal's. */
function decidedPart(record: ExchangeRecord): object {
  const { state, answer, reversal, booked, reversed, lateApprovals, standIn } = record;
  const { nextAtMs: _n, againSinceMs: _s, ...ofReversal } = reversal ?? { nextAtMs: 0 };
  return { state, answer, ofReversal, booked, reversed, lateApprovals, attempts: standIn?.attempts };
}

function textOf(record: ExchangeRecord): string {
  return JSON.stringify(decidedPart(record));
}

function isStored(record: ExchangeRecord, stored: ExchangeRecord): boolean {
  return isSameJson(decidedPart(record), decidedPart(stored));
}

/** Counts only grow within one reversal: what has more than the record leads nowhere, but by another reversal. */
function isBeyond(record: ExchangeRecord, stored: ExchangeRecord): boolean {
  const more = (one: number | undefined, other: number | undefined) => (one ?? 0) > (other ?? 0);
  return (
    record.lateApprovals > stored.lateApprovals ||
    more(record.reversal?.attempts, Math.max(stored.reversal?.attempts ?? 0, 1)) ||
    more(record.standIn?.attempts, stored.standIn?.attempts)
  );
}

function stateText({ state, answer, reversal, lateApprovals, standIn }: ExchangeRecord): string {
  return [
    state,
    ...(answer ? [`answered ${answer.responseCode ?? 'without a code'}`] : []),
    ...(reversal ? [`reversal ${reversal.stan}, sent ${reversal.attempts} times`] : []),
    ...(standIn ? [`stood in, advice sent ${standIn.attempts} times`] : []),
    ...(lateApprovals > 0 ? [`${lateApprovals} late approvals`] : []),
  ].join(', ');
}
