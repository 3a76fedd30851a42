import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IntentRow, PaymentRow, Rows, TableName } from '../../../kernel/store/rows.js';
import { TABLES } from '../../../kernel/store/tables.js';
import { openIntent } from '../rules/intent-detail.js';
import { keyOf, type StoryEntry } from './entry.js';
import { inCausalOrder } from './order.js';
import type { StoredSaleReport } from './sale-report.js';
import type { StorySources } from './sources.js';
import { storyOf } from './story.js';

const ENTITY = 'e'.repeat(32);
const STRANGER = 'f'.repeat(32);
const START_MS = Date.parse('2026-11-20T12:00:00Z');
const hex = (...parts: readonly (string | number)[]): string =>
  Buffer.from(parts.join('/')).toString('hex').padStart(32, '0').slice(-32);

/** A row with the least that its table takes, and what is given. */
function rowOf<T extends TableName>(table: T, given: Partial<Rows[T]>): Rows[T] {
  const columns = Object.entries(
    TABLES[table].columns as Record<string, { type: string; isOptional?: true; isJson?: true }>,
  );
  const least = columns.map(([name, { type, isOptional, isJson }]) => [
    name,
    isOptional ? null : type === 'INTEGER' ? 0 : isJson ? '{}' : '',
  ]);
  return { ...Object.fromEntries(least), ...given } as Rows[T];
}

/** What is drawn of a payment and of what follows it. */
interface Drawn {
  readonly name: string;
  readonly entityId: string;
  readonly hasAgent: boolean;
  /** Of the payment and each that follows: milliseconds after the start, and how many decisions and events it has. */
  readonly steps: readonly { readonly ms: number; readonly decisions: number; readonly events: number }[];
  readonly rows: number;
  readonly frames: number;
  readonly clockAheadMs: number;
}

const drawn = (name: string, entityId: string): fc.Arbitrary<Drawn> =>
  fc.record({
    name: fc.constant(name),
    entityId: fc.constant(entityId),
    hasAgent: fc.boolean(),
    steps: fc.array(
      fc.record({
        ms: fc.integer({ min: 0, max: 5_000 }),
        decisions: fc.integer({ min: 0, max: 3 }),
        events: fc.integer({ min: 0, max: 2 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    rows: fc.integer({ min: 2, max: 6 }),
    frames: fc.integer({ min: 0, max: 4 }),
    clockAheadMs: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  });

const NOTHING: StorySources = {
  ...{ paymentId: '', payments: [], intents: [], claims: [], tombstones: [], inbox: [], decisions: [] },
  ...{ waits: [], reviews: [], exchanges: [], events: [], authentications: [], reviewDecisions: [] },
  ...{
    vault: [],
    deliveries: [],
    settlementRecords: [],
    parked: [],
    commands: [],
    sessions: [],
    nodeEnds: [],
  },
};

/** The rows of what was drawn, and the keys of the entries that they are. */
function sourcesOf(family: Drawn): { readonly sources: StorySources; readonly keys: readonly string[] } {
  const { name, entityId, hasAgent, steps } = family;
  const agentId = hasAgent ? `agent-${name}` : null;
  const keys: string[] = [];
  const payments: PaymentRow[] = [];
  const intents: IntentRow[] = [];
  const lists: { -readonly [N in keyof StorySources]?: unknown[] } = {
    ...{
      inbox: [],
      decisions: [],
      events: [],
      deliveries: [],
      settlementRecords: [],
      exchanges: [],
      vault: [],
    },
  };
  for (const [at, { ms, decisions, events }] of steps.entries()) {
    const id = hex(name, 'p', at);
    const createdAtMs = START_MS + ms;
    const messageId = at === 0 && agentId !== null ? `message-${name}` : null;
    const vaultId = at === 0 ? hex(name, 'v') : null;
    const payment = rowOf('payments', {
      ...{
        id,
        entityId,
        type: at === 0 ? 'DB' : 'RF',
        state: 'captured',
        currency: 'EUR',
        agentId,
        messageId,
      },
      ...{ rootId: at === 0 ? null : hex(name, 'p', 0), referencedId: at === 0 ? null : hex(name, 'p', 0) },
      ...{
        reference: `R-${name}`,
        acquirerReference: hex(name, 'i', at),
        vaultId,
        responseCode: '00',
        createdAtMs,
      },
    });
    payments.push(payment);
    const detail = { draft: payment, recovery: 'fence', fenceReference: hex(name, 'x', at) } as const;
    const place = messageId === null || agentId === null ? {} : { place: { agentId, messageId } };
    const intent = openIntent(
      hex(name, 'i', at),
      'authorization',
      null,
      { ...detail, ...place } as never,
      null,
    );
    intents.push({ ...intent, state: 'done', createdAtMs: createdAtMs - 5 });
    keys.push(keyOf('payments', id), keyOf('intents', intent.id));
    const exchange = { reference: intent.id, acquirer: 'EXTERNAL', state: 'answered', createdAtMs } as const;
    lists.exchanges?.push(rowOf('linkExchanges', exchange));
    keys.push(keyOf('linkExchanges', intent.id));
    if (vaultId !== null) {
      lists.vault?.push(rowOf('vault', { id: vaultId, intentId: intent.id, createdAtMs }));
      keys.push(keyOf('vault', vaultId));
    }
    for (let position = 0; position < decisions; position += 1) {
      const made = { paymentId: id, position, entityId, step: 'risk', by: 'gateway', atMs: createdAtMs };
      lists.decisions?.push(rowOf('decisions', made));
      keys.push(keyOf('decisions', id, position));
    }
    for (let number = 0; number < events; number += 1) {
      const event = rowOf('events', { id: hex(name, 'e', at, number), entityId, paymentId: id, createdAtMs });
      lists.events?.push(event);
      const sequence = at * 10 + number + 1;
      const delivery = {
        endpointId: `hook-${name}`,
        sequence,
        eventId: event.id,
        attempts: '[]',
        createdAtMs,
      };
      lists.deliveries?.push(rowOf('deliveries', delivery));
      keys.push(keyOf('events', event.id), keyOf('deliveries', `hook-${name}`, sequence));
    }
    const record = { id: hex(name, 's', at), entityId, paymentId: id, settledAtMs: createdAtMs + 9 };
    lists.settlementRecords?.push(rowOf('settlementRecords', { ...record, recordType: 'SETTLED' }));
    keys.push(keyOf('settlementRecords', record.id));
  }
  if (agentId !== null) {
    const messageId = `message-${name}`;
    lists.inbox?.push(rowOf('inbox', { agentId, messageId, createdAtMs: START_MS + 6_000 }));
    keys.push(keyOf('inbox', agentId, messageId));
  }
  const commands = agentId === null ? [] : [commandOf(family, agentId, keys)];
  const paymentId = payments[0]?.id ?? '';
  return { sources: { ...NOTHING, ...lists, paymentId, payments, intents, commands } as StorySources, keys };
}

/** A report of the sale: its second row is the request, the others follow each other. */
function commandOf({ name, rows, frames, clockAheadMs }: Drawn, agentId: string, keys: string[]) {
  const atMs = START_MS + clockAheadMs;
  const messageId = `message-${name}`;
  const report: StoredSaleReport = {
    timeMs: atMs + 10_000,
    rows: Array.from({ length: rows }, (_none, at) => ({
      ...{ row: at + 1, atMs: atMs + at, terminalId: '7', description: '', till: '', sequence: 0 },
      step: ['accepted', 'authorizing', 'answered'][at] ?? 'card-approved',
      messageId: at === 1 ? messageId : '',
    })),
    frames: Array.from({ length: frames }, (_none, at) => ({
      ...{ atMs: atMs + at, terminalId: '7', from: 'host', length: 9, head: '0102' },
    })),
    lineIsRecorded: true,
    incomplete: false,
  };
  for (let at = 0; at < rows; at += 1)
    keys.push(at === 1 ? keyOf('message', agentId, messageId) : keyOf('rows', agentId, at + 1));
  for (let at = 0; at < frames; at += 1) keys.push(keyOf('frames', agentId, `R-${name}`, at));
  const id = hex(name, 'c');
  keys.push(keyOf('agentCommands', id));
  const result = JSON.stringify({ saleReport: report });
  const about = { id, agentId, reference: `R-${name}`, action: 'status', state: 'done', result } as const;
  return rowOf('agentCommands', { ...about, createdAtMs: START_MS + 9_000, endedAtMs: START_MS + 10_000 });
}

/** Both families in the lists of one, each list in an order that is drawn. */
function mixed(own: StorySources, others: StorySources, order: number): StorySources {
  const lists = Object.entries(own).map(([name, list]) => {
    if (!Array.isArray(list)) return [name, list];
    const all = [...list, ...(others[name as keyof StorySources] as readonly unknown[])];
    const from = all.length === 0 ? 0 : order % all.length;
    const turned = [...all.slice(from), ...all.slice(0, from)];
    return [name, order % 2 === 0 ? turned : turned.toReversed()];
  });
  return Object.fromEntries(lists) as StorySources;
}

const ORDER = fc.nat({ max: 1_000 });

describe('a story', () => {
  it('has each record of its payments once, and nothing of another payment or tenant', () => {
    fc.assert(
      fc.property(
        drawn('own', ENTITY),
        drawn('foreign', STRANGER),
        drawn('other', ENTITY),
        ORDER,
        (own, foreign, next, order) => {
          const { sources, keys } = sourcesOf(own);
          const others = mixed(sourcesOf(foreign).sources, sourcesOf(next).sources, order);
          const all = { ...mixed(sources, others, order), paymentId: sources.paymentId };
          const story = storyOf(all, START_MS);
          expect(story?.entries.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
          for (const text of [
            'foreign',
            'agent-other',
            hex('other', 'p', 0),
            STRANGER,
            hex('foreign', 'p', 0),
          ])
            expect(JSON.stringify(story)).not.toContain(text);
        },
      ),
    );
  });

  it('is the same whatever order its rows come in', () => {
    fc.assert(
      fc.property(drawn('own', ENTITY), ORDER, (own, order) => {
        const { sources } = sourcesOf(own);
        const turned = { ...mixed(sources, NOTHING, order), paymentId: sources.paymentId };
        expect(storyOf(turned, START_MS)).toEqual(storyOf(sources, START_MS));
      }),
    );
  });

  it('puts every cause before what follows from it, however far clocks are apart', () => {
    fc.assert(
      fc.property(drawn('own', ENTITY), (own) => {
        const entries = storyOf(sourcesOf(own).sources, START_MS)?.entries ?? [];
        const places = new Map(entries.map(({ key }, at) => [key, at]));
        for (const [at, { key, after }] of entries.entries())
          for (const cause of after) expect(places.get(cause) ?? -1, `${cause} → ${key}`).toBeLessThan(at);
      }),
    );
  });

  it('states how far the clock of an agent was ahead, and orders by what is left', () => {
    const family = {
      name: 'own',
      entityId: ENTITY,
      hasAgent: true,
      rows: 3,
      frames: 0,
      clockAheadMs: 3_600_000,
    };
    const { sources } = sourcesOf({ ...family, steps: [{ ms: 100, decisions: 0, events: 1 }] });
    const story = storyOf(sources, START_MS);
    expect(story?.clocks).toEqual(new Map([['agent agent-own', 3_600_000]]));
    expect(story?.entries.map(({ step }) => step)).toEqual([
      ...[
        'accepted',
        'authorizing',
        'received',
        'message',
        'card data sealed',
        'acquirer',
        'event',
        'delivery',
      ],
      ...['settled', 'answer to the agent stored', 'answered', 'command status'],
    ]);
  });
});

describe('the order of entries', () => {
  const entry = (key: string, atMs: number, ...after: readonly string[]): StoryEntry => ({
    ...{ key, after, atMs, clock: 'gateway', source: 'gateway', step: key, by: 'gateway' },
  });
  const keysOf = (entries: readonly StoryEntry[]) => inCausalOrder(entries, new Map()).map(({ key }) => key);

  it('has all entries where records contradict each other', () => {
    expect(keysOf([entry('a', 2, 'b'), entry('b', 1, 'a'), entry('c', 3)])).toEqual(['c', 'b', 'a']);
  });

  it('is by time, then by key, where nothing orders entries', () => {
    expect(keysOf([entry('b', 1), entry('c', 0), entry('a', 1, 'gone')])).toEqual(['c', 'a', 'b']);
  });
});
