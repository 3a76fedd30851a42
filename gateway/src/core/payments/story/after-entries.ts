import { maskText } from '@tillbridge/wire/mask/mask.js';
import { present } from '@tillbridge/wire/present.js';
import { GATEWAY_CLOCK, keyOf, type StoryEntry } from './entry.js';
import type { StorySources } from './sources.js';

/** What followed an outcome: answers to agents, events, deliveries, settlement, what a person has to do. A record each. Pure. */
export function afterEntries(sources: StorySources): readonly StoryEntry[] {
  return [
    ...sources.inbox.map((row) => answerEntry(row, sources)),
    ...sources.tombstones.map(tombstoneEntry),
    ...sources.parked.map(parkedEntry),
    ...sources.commands.map(commandEntry),
    ...sources.events.map(eventEntry),
    ...sources.deliveries.map((delivery) => deliveryEntry(delivery, sources)),
    ...sources.settlementRecords.map(settlementEntry),
  ];
}

const IN_BRIDGE = { clock: GATEWAY_CLOCK, source: 'bridge', by: 'gateway' } as const;

function answerEntry(row: StorySources['inbox'][number], { payments, intents }: StorySources): StoryEntry {
  const { agentId, messageId, createdAtMs: atMs } = row;
  const of = (one: { agentId: string | null; messageId: string | null }): boolean =>
    one.agentId === agentId && one.messageId === messageId;
  const payment = payments.find(of);
  const intent = intents.find(of);
  const { disposition, resultCode } = JSON.parse(row.result) as {
    readonly disposition?: string;
    readonly resultCode?: string;
  };
  return {
    ...IN_BRIDGE,
    key: keyOf('inbox', agentId, messageId),
    after: [
      ...(payment ? [keyOf('payments', payment.id)] : []),
      ...(intent ? [keyOf('intents', intent.id)] : []),
      keyOf('message', agentId, messageId),
    ],
    atMs,
    step: 'answer to the agent stored',
    ...present({
      code: resultCode,
      detail: disposition,
      paymentId: payment?.id ?? intent?.paymentId,
      durationMs: intent && Math.max(0, atMs - intent.createdAtMs),
    }),
    ids: { agentId, messageId },
  };
}

function tombstoneEntry(row: StorySources['tombstones'][number]): StoryEntry {
  const { agentId, messageId, createdAtMs: atMs } = row;
  return {
    ...IN_BRIDGE,
    key: keyOf('tombstones', agentId, messageId),
    after: [],
    atMs,
    step: 'tombstone',
    detail: 'the message was reversed before it arrived: it is refused for ever',
    ids: { agentId, messageId },
  };
}

function parkedEntry(row: StorySources['parked'][number]): StoryEntry {
  const { agentId, messageId, kind, reasonCode, reason, state, note, createdAtMs: atMs } = row;
  return {
    ...IN_BRIDGE,
    key: keyOf('parked', agentId, messageId),
    after: [keyOf('message', agentId, messageId)],
    atMs,
    step: 'parked',
    rule: reasonCode,
    detail: maskText(`${kind}: ${reason}; ${state}${note === null ? '' : `: ${note}`}`),
    ids: { agentId, messageId },
  };
}

function commandEntry(row: StorySources['commands'][number]): StoryEntry {
  const { id, agentId, action, state, requestedBy, endedAtMs, createdAtMs: atMs } = row;
  return {
    key: keyOf('agentCommands', id),
    after: [],
    atMs,
    clock: GATEWAY_CLOCK,
    source: 'bridge',
    step: `command ${action}`,
    by: requestedBy,
    detail: state,
    ...present({ durationMs: endedAtMs === null ? undefined : Math.max(0, endedAtMs - atMs) }),
    ids: { agentId, commandId: id },
  };
}

function eventEntry(row: StorySources['events'][number]): StoryEntry {
  const { id, kind, paymentId, createdAtMs: atMs } = row;
  return {
    key: keyOf('events', id),
    after: paymentId === null ? [] : [keyOf('payments', paymentId)],
    atMs,
    clock: GATEWAY_CLOCK,
    source: 'webhook',
    step: 'event',
    by: 'gateway',
    detail: kind,
    ids: { eventId: id },
    ...present({ paymentId: paymentId ?? undefined }),
  };
}

/** A try of a delivery as its row holds it (features/webhooks/rules/delivery-log.ts). */
interface Try {
  readonly status?: number;
  readonly fault?: string;
  readonly durationMs: number;
}

function deliveryEntry(row: StorySources['deliveries'][number], { events }: StorySources): StoryEntry {
  const { endpointId, sequence, eventId, state, attempts, createdAtMs: atMs } = row;
  const tries = JSON.parse(attempts) as readonly Try[];
  const last = tries.at(-1);
  const event = events.find(({ id }) => id === eventId);
  const ended = last === undefined ? '' : `, the last: ${last.status ?? last.fault ?? 'no answer'}`;
  return {
    key: keyOf('deliveries', endpointId, sequence),
    after: [keyOf('events', eventId)],
    atMs,
    clock: GATEWAY_CLOCK,
    source: 'webhook',
    step: 'delivery',
    by: 'gateway',
    detail: `${state}, tries: ${tries.length}${ended}`,
    ids: { endpointId, delivery: String(sequence), eventId },
    ...present({ durationMs: last?.durationMs, paymentId: event?.paymentId ?? undefined }),
  };
}

function settlementEntry(row: StorySources['settlementRecords'][number]): StoryEntry {
  const { id, settlementId, recordType, transactionType, cashflow, paymentId, status, matching } = row;
  return {
    key: keyOf('settlementRecords', id),
    after: paymentId === null ? [] : [keyOf('payments', paymentId)],
    atMs: row.settledAtMs,
    clock: GATEWAY_CLOCK,
    source: 'settlement',
    step: recordType.toLowerCase(),
    by: 'settlement',
    detail: [transactionType, cashflow, status, matching ?? ''].filter((part) => part !== '').join(', '),
    ids: { settlementId, recordId: id },
    ...present({ paymentId: paymentId ?? undefined }),
  };
}
