import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  AgentRow,
  AlertRow,
  ClaimRow,
  DeviceRow,
  EntityRow,
  IdempotencyRow,
  InboxRow,
  IntentRow,
  TokenRow,
} from '../rows.js';
import {
  type Change,
  CommitConflict,
  type Conflict,
  FIND_LIMIT,
  type RaiseCounter,
  type Store,
  StoreUnavailableError,
} from '../store.js';

/** What the contract suite needs of an engine. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Closes the store and removes what it left. */
  dispose(): Promise<void>;
}

const entity: EntityRow = {
  id: 'e1',
  kind: 'merchant',
  compatibility: 'specification',
  parentId: null,
  name: 'One',
  createdAtMs: 1,
  version: 1,
};
const agent: AgentRow = {
  id: 'a1',
  entityId: 'e1',
  state: 'active',
  publicKey: 'key',
  nextPublicKey: null,
  formerPublicKey: null,
  terminals: '["T1"]',
  generation: 0,
  allowedGeneration: null,
  allowedUntilMs: null,
  epoch: 3,
  nodeId: null,
  createdAtMs: 1,
  version: 1,
};
const inboxRow = (messageId: string): InboxRow => ({
  agentId: 'a1',
  messageId,
  result: '{"disposition":"approved"}',
  contentHash: null,
  createdAtMs: 1_795_210_000_000,
  version: 1,
});
const token = (id: string, hash: string): TokenRow => ({
  id,
  hash,
  entityId: 'e1',
  merchantId: 'e1',
  label: 'till "ä" \\ \n',
  rights: '["pay"]',
  createdAtMs: 1,
  lastUsedAtMs: null,
  sealed: null,
  revokedAtMs: null,
  version: 1,
});
const claim: ClaimRow = { agentId: 'a1', reference: 'R-1', paymentId: 'p1', released: 0, version: 1 };
const intent = (id: string, messageId: string | null): IntentRow => ({
  id,
  paymentId: `p-${id}`,
  entityId: 'e1',
  agentId: messageId === null ? null : 'a1',
  messageId,
  state: 'open',
  kind: 'authorization',
  reference: null,
  rootId: null,
  detail: '{}',
  owner: null,
  createdAtMs: 1,
  version: 1,
});
const idempotencyRow = (idempotencyKey: string, createdAtMs: number): IdempotencyRow => ({
  entityId: 'e1',
  idempotencyKey,
  fingerprint: 'f',
  paymentId: 'p1',
  httpStatus: null,
  answer: null,
  owner: null,
  createdAtMs,
  version: 1,
});
const alert: AlertRow = {
  id: 'x1',
  code: 'journal-forked',
  subject: 'a1',
  entityId: 'e1',
  severity: 'critical',
  detail: 'row 9',
  action: 'stop the second copy',
  state: 'open',
  sinceMs: 5,
  acknowledgedAtMs: null,
  note: null,
  unsentSinceMs: null,
  endedAtMs: null,
  version: 1,
};
const device = (serial: string, accountKsn: string, pinKsn: string | null = null): DeviceRow => ({
  serial,
  deviceType: 'GERTEC_PPC930',
  accountKsn,
  pinKsn,
  entityId: 'e1',
  agentId: 'a1',
  terminalId: '1',
  state: 'active',
  stateSinceMs: 1,
  highestCounter: 0,
  forgottenCounter: 0,
  unknownCounter: 0,
  createdAtMs: 1,
  version: 1,
});
const insertAgent: Change[] = [
  { op: 'insert', table: 'entities', row: entity },
  { op: 'insert', table: 'agents', row: agent },
];

async function conflictOf(work: Promise<void>): Promise<Conflict> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CommitConflict);
  return (error as CommitConflict).conflict;
}

/** The contract of `Store`, run against every engine. */
export function describeStore(engine: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store contract: ${engine}`, () => {
    let under: StoreUnderTest;
    let store: Store;
    beforeEach(async () => {
      under = await open();
      store = under.store;
      await store.commit(insertAgent);
    });
    afterEach(() => under.dispose());

    it('keeps the head of a journal', async () => {
      const head = {
        agentId: 'a1',
        generation: 2,
        lastRow: 9,
        hash: 'AB',
        alarm: null,
        alarmRow: null,
        alarmAtMs: null,
        countersignedRow: null,
        updatedAtMs: 5,
        version: 1,
      } as const;
      await store.commit([{ op: 'insert', table: 'journalHeads', row: head }]);
      const alarmed = { ...head, alarm: 'forked', alarmRow: 9, alarmAtMs: 6 } as const;
      await store.commit([{ op: 'update', table: 'journalHeads', row: alarmed }]);
      expect(await store.get('journalHeads', ['a1'])).toEqual({ ...alarmed, version: 2 });
    });

    it('gives rows back as they were inserted', async () => {
      const row = token('t1', 'h1');
      await store.commit([{ op: 'insert', table: 'tokens', row }]);
      expect(await store.get('tokens', ['t1'])).toEqual(row);
      expect(await store.get('entities', ['e1'])).toEqual(entity);
      expect(await store.get('tokens', ['t2'])).toBeUndefined();
    });

    it('keeps integers of the whole safe range', async () => {
      const createdAtMs = Number.MAX_SAFE_INTEGER;
      await store.commit([{ op: 'insert', table: 'inbox', row: { ...inboxRow('m1'), createdAtMs } }]);
      expect((await store.get('inbox', ['a1', 'm1']))?.createdAtMs).toBe(createdAtMs);
    });

    it('refuses a text with NUL, and keeps every other one', async () => {
      await expect(
        store.commit([{ op: 'insert', table: 'entities', row: { ...entity, id: 'e2', name: 'a\0b' } }]),
      ).rejects.toThrow(RangeError);
      const name = '\u0001 \u2028 "\\ \ud83d\ude00 \\u0000 é';
      await store.commit([{ op: 'insert', table: 'entities', row: { ...entity, id: 'e2', name } }]);
      expect((await store.get('entities', ['e2']))?.name).toBe(name);
    });

    it('orders keys by their bytes, not by a language', async () => {
      const ids = ['Z', 'a', 'é', 'z', '_', '0'];
      await store.commit(ids.map((id) => ({ op: 'insert', table: 'tokens', row: token(id, `h-${id}`) })));
      const found = await store.find('tokens', 'entity', ['e1']);
      expect(found.map(({ id }) => id)).toEqual(['0', 'Z', '_', 'a', 'z', 'é']);
    });

    it('finds rows of an index in key order, up to the limit', async () => {
      const rows = ['c', 'a', 'b'].map((id) => token(`t-${id}`, `h-${id}`));
      await store.commit(rows.map((row) => ({ op: 'insert', table: 'tokens', row })));
      expect((await store.find('tokens', 'entity', ['e1'])).map((row) => row.id)).toEqual([
        't-a',
        't-b',
        't-c',
      ]);
      expect(await store.find('tokens', 'entity', ['e1'], { limit: 2 })).toHaveLength(2);
      expect(await store.find('tokens', 'hash', ['h-c'])).toEqual([rows[0]]);
      expect(await store.find('entities', 'parent', [null])).toEqual([]);
    });

    it('gives each of several searches at once its own rows, in key order, up to the limit', async () => {
      const other = { ...entity, id: 'e2' };
      const few = ['y', 'x'].map((id) => ({ ...token(id, `h-${id}`), entityId: 'e2' }));
      await store.commit([
        { op: 'insert', table: 'entities', row: other },
        ...[...few, token('b', 'h-b'), token('a', 'h-a')].map(
          (row): Change => ({ op: 'insert', table: 'tokens', row }),
        ),
      ]);
      const found = () =>
        Promise.all(
          ['e1', 'none', 'e2', 'e1'].map(async (id) =>
            (await store.find('tokens', 'entity', [id])).map((row) => row.id),
          ),
        );
      expect(await found()).toEqual([['a', 'b'], [], ['x', 'y'], ['a', 'b']]);
      const many = Array.from({ length: FIND_LIMIT }, (_, at) => token(`m${at}`, `h-m${at}`));
      await store.commit(many.map((row) => ({ op: 'insert', table: 'tokens', row })));
      expect((await found()).map(({ length }) => length)).toEqual([FIND_LIMIT, 0, 2, FIND_LIMIT]);
    });

    it('closes after reads that ran at once', async () => {
      await Promise.all(['e1', 'e2', 'e3'].map((id) => store.find('tokens', 'entity', [id])));
      await store.close();
    });

    it('refuses an unknown index by name', async () => {
      await expect(store.find('tokens', 'colour', ['x'])).rejects.toThrow('no index colour');
    });

    it('refuses a taken key and a taken unique index', async () => {
      await store.commit([{ op: 'insert', table: 'tokens', row: token('t1', 'h1') }]);
      expect(
        await conflictOf(store.commit([{ op: 'insert', table: 'tokens', row: token('t1', 'h2') }])),
      ).toEqual({
        kind: 'unique',
        table: 'tokens',
        on: 'primary',
      });
      expect(
        await conflictOf(store.commit([{ op: 'insert', table: 'tokens', row: token('t2', 'h1') }])),
      ).toEqual({
        kind: 'unique',
        table: 'tokens',
        on: 'hash',
      });
    });

    it('does not count nulls in a unique index as equal', async () => {
      await store.commit([{ op: 'insert', table: 'intents', row: intent('i1', null) }]);
      await store.commit([{ op: 'insert', table: 'intents', row: intent('i2', null) }]);
      await store.commit([{ op: 'insert', table: 'intents', row: intent('i3', 'm1') }]);
      expect(
        (await conflictOf(store.commit([{ op: 'insert', table: 'intents', row: intent('i4', 'm1') }]))).on,
      ).toBe('message');
    });

    it('updates a row only at the version it was read with', async () => {
      await store.commit([{ op: 'update', table: 'agents', row: { ...agent, epoch: 4 } }]);
      expect(await store.get('agents', ['a1'])).toEqual({ ...agent, epoch: 4, version: 2 });
      expect(
        await conflictOf(store.commit([{ op: 'update', table: 'agents', row: { ...agent, epoch: 9 } }])),
      ).toEqual({
        kind: 'version',
        table: 'agents',
        on: 'primary',
      });
      expect((await store.get('agents', ['a1']))?.epoch).toBe(4);
    });

    it('refuses the update of a row that is not there', async () => {
      const row = { ...agent, id: 'a2' };
      expect((await conflictOf(store.commit([{ op: 'update', table: 'agents', row }]))).kind).toBe('version');
    });

    it('writes nothing of a commit that conflicts in its last change', async () => {
      const changes: Change[] = [
        { op: 'insert', table: 'inbox', row: inboxRow('m1') },
        { op: 'update', table: 'agents', row: { ...agent, epoch: 8 } },
        { op: 'insert', table: 'entities', row: entity },
      ];
      expect((await conflictOf(store.commit(changes))).table).toBe('entities');
      expect(await store.get('inbox', ['a1', 'm1'])).toBeUndefined();
      expect((await store.get('agents', ['a1']))?.epoch).toBe(3);
      await store.commit([{ op: 'insert', table: 'inbox', row: inboxRow('m1') }]);
    });

    it('deletes a row at the version it was read with, and frees its key and unique index', async () => {
      const row = token('t1', 'h1');
      await store.commit([{ op: 'insert', table: 'tokens', row }]);
      const gone = (version: number): Change => ({ op: 'delete', table: 'tokens', key: ['t1'], version });
      expect((await conflictOf(store.commit([gone(2)]))).kind).toBe('version');
      await store.commit([gone(1), { op: 'insert', table: 'tokens', row: token('t2', 'h1') }]);
      expect(await store.get('tokens', ['t1'])).toBeUndefined();
      expect(await store.find('tokens', 'entity', ['e1'])).toEqual([token('t2', 'h1')]);
      expect((await conflictOf(store.commit([gone(1)]))).kind).toBe('version');
      await store.commit([{ op: 'insert', table: 'tokens', row: token('t1', 'h3') }]);
      expect(await store.get('tokens', ['t1'])).toEqual(token('t1', 'h3'));
    });

    it('deletes nothing in a commit that conflicts elsewhere, and takes a deleted row back in one commit', async () => {
      await store.commit([{ op: 'insert', table: 'claims', row: claim }]);
      const gone: Change = { op: 'delete', table: 'claims', key: ['a1', 'R-1'], version: 1 };
      expect(
        (await conflictOf(store.commit([gone, { op: 'insert', table: 'entities', row: entity }]))).table,
      ).toBe('entities');
      expect(await store.get('claims', ['a1', 'R-1'])).toEqual(claim);
      await store.commit([gone, { op: 'insert', table: 'claims', row: { ...claim, paymentId: 'p2' } }]);
      expect(await store.get('claims', ['a1', 'R-1'])).toEqual({ ...claim, paymentId: 'p2' });
    });

    it('finds what is below a number, the lowest first, up to the limit', async () => {
      const ages = [50, 10, 30, 20, 40];
      const rows = ages.map((createdAtMs) => idempotencyRow(`k${createdAtMs}`, createdAtMs));
      await store.commit(rows.map((row) => ({ op: 'insert', table: 'idempotency', row })));
      const found = await store.findRange('idempotency', 'age', { below: 40, limit: 2 });
      expect(found.map((row) => row.createdAtMs)).toEqual([10, 20]);
      expect(await store.findRange('idempotency', 'age', { below: 40 })).toHaveLength(3);
      expect(await store.findRange('idempotency', 'age', { below: 10 })).toEqual([]);
      await expect(store.findRange('idempotency', 'primary', { below: 10 })).rejects.toThrow('not 0 columns');
    });

    it('goes on finding behind a key', async () => {
      const rows = ['c', 'a', 'b', 'd'].map((id) => token(`t-${id}`, `h-${id}`));
      await store.commit(rows.map((row) => ({ op: 'insert', table: 'tokens', row })));
      const found = await store.find('tokens', 'entity', ['e1'], { after: ['t-b'], limit: 1 });
      expect(found.map((row) => row.id)).toEqual(['t-c']);
      expect(await store.find('tokens', 'entity', ['e1'], { after: ['t-d'] })).toEqual([]);
    });

    it('walks through a table in key order, part by part', async () => {
      const ids = ['m3', 'm1', 'm4', 'm2'];
      await store.commit(ids.map((id) => ({ op: 'insert', table: 'inbox', row: inboxRow(id) })));
      const first = await store.findAfter('inbox', undefined, { limit: 2 });
      expect(first.map((row) => row.messageId)).toEqual(['m1', 'm2']);
      const rest = await store.findAfter('inbox', ['a1', 'm2'], { limit: 3 });
      expect(rest.map((row) => row.messageId)).toEqual(['m3', 'm4']);
      expect(await store.findAfter('inbox', ['a1', 'm4'])).toEqual([]);
      expect(await store.findAfter('inbox', ['a0', 'm9'], { limit: 1 })).toHaveLength(1);
    });

    it('keeps the use of a card once, and lets numbers be part of a key', async () => {
      const use = { card: 'c1', sale: 's1', paymentId: 'p1', createdAtMs: 5, version: 1 };
      const insert = (counter: number): Change => ({
        op: 'insert',
        table: 'usedAtcs',
        row: { ...use, counter },
      });
      await store.commit([insert(7)]);
      await store.commit([insert(8)]);
      expect(await conflictOf(store.commit([insert(7)]))).toEqual({
        kind: 'unique',
        table: 'usedAtcs',
        on: 'primary',
      });
      expect(await store.get('usedAtcs', ['c1', 8])).toEqual({ ...use, counter: 8 });
    });

    it('knows a device by its serial and by the keys of its account data and PINs, each once', async () => {
      await store.commit([{ op: 'insert', table: 'devices', row: device('S1', 'A1', 'P1') }]);
      await store.commit([{ op: 'insert', table: 'devices', row: device('S2', 'A2') }]);
      await store.commit([{ op: 'insert', table: 'devices', row: device('S3', 'A3') }]);
      expect(await store.find('devices', 'account', ['A2'])).toEqual([device('S2', 'A2')]);
      expect(await store.find('devices', 'terminal', ['a1', '1'])).toHaveLength(3);
      const taken = [device('S1', 'A9'), device('S4', 'A1'), device('S4', 'A9', 'P1')];
      const conflicts = [];
      for (const row of taken)
        conflicts.push((await conflictOf(store.commit([{ op: 'insert', table: 'devices', row }]))).on);
      expect(conflicts).toEqual(['primary', 'account', 'pin']);
    });

    it('raises a counter of a device, never lowers it, and needs no device to be there', async () => {
      const raise = (serial: string, to: number, column: RaiseCounter['column'] = 'highestCounter') =>
        store.commit([{ op: 'raise-counter', serial, column, to }]);
      await store.commit([{ op: 'insert', table: 'devices', row: device('S1', 'A1') }]);
      await raise('S1', 5);
      await raise('S1', 4);
      await raise('S1', 2, 'forgottenCounter');
      await raise('S2', 9);
      expect(await store.get('devices', ['S1'])).toMatchObject({
        highestCounter: 5,
        forgottenCounter: 2,
        version: 3,
      });
      expect(await store.get('devices', ['S2'])).toBeUndefined();
    });

    it('raises counters of one device in one transaction, and none of a commit that fails', async () => {
      await store.commit([{ op: 'insert', table: 'devices', row: device('S1', 'A1') }]);
      const use = { serial: 'S1', sale: 's', data: 'd', paymentId: 'p', createdAtMs: 5, version: 1 };
      const take = (ksn: string, counter: number): Promise<void> =>
        store.commit([
          { op: 'raise-counter', serial: 'S1', column: 'highestCounter', to: counter },
          { op: 'insert', table: 'usedKsns', row: { ...use, ksn, counter } },
        ]);
      const ended = await Promise.allSettled([take('K2', 2), take('K2', 9), take('K1', 1)]);
      expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await store.get('devices', ['S1']))?.highestCounter).toBe(2);
      expect(await store.get('usedKsns', ['K1'])).toEqual({ ...use, ksn: 'K1', counter: 1 });
    });

    it('gives an agreement that many claim at once to one card, and fails those of other cards alone', async () => {
      const claim = (card: string, state: 'held' | 'made', otherwise: 'conflict' | 'leave'): Change => ({
        op: 'claim-agreement',
        row: {
          merchantId: 'e1',
          reference: 'R',
          state,
          card,
          numberType: null,
          type: null,
          expiry: null,
          paymentId: `p-${card}`,
          createdAtMs: 1,
          version: 1,
        },
        otherwise,
      });
      const ended = await Promise.allSettled(
        Array.from({ length: 16 }, (_, at) =>
          store.commit([claim(at % 2 === 0 ? 'a' : 'b', 'held', 'conflict')]),
        ),
      );
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
      const reason = ended.find((each) => each.status === 'rejected')?.reason as CommitConflict;
      expect(reason.conflict).toEqual({ kind: 'field', table: 'agreements', on: 'card' });
      const { card = '' } = (await store.get('agreements', ['e1', 'R'])) ?? {};
      await store.commit([claim(card, 'made', 'leave')]);
      await store.commit([claim('c', 'made', 'leave')]);
      await store.commit([claim(card, 'held', 'conflict')]);
      expect(await store.get('agreements', ['e1', 'R'])).toMatchObject({ card, state: 'made', version: 9 });
    });

    it('counts failures of devices and entities apart', async () => {
      const row = { kind: 'device', subject: 'x', failures: 1, sinceMs: 5, version: 1 } as const;
      await store.commit([{ op: 'insert', table: 'accountFailures', row }]);
      const ofEntity = { ...row, kind: 'entity', failures: 2 } as const;
      await store.commit([{ op: 'insert', table: 'accountFailures', row: ofEntity }]);
      expect(await store.get('accountFailures', ['device', 'x'])).toEqual(row);
      expect(await store.findRange('accountFailures', 'age', { below: 6 })).toHaveLength(2);
    });

    it('holds a commit to a field and to an absence', async () => {
      const key = ['a1'];
      const tombstone = { agentId: 'a1', messageId: 'm1', createdAtMs: 1, version: 1 };
      const guarded = (epoch: number): Change[] => [
        { op: 'require-field', table: 'agents', key, column: 'epoch', equals: epoch },
        { op: 'require-absent', table: 'tombstones', index: 'primary', values: ['a1', 'm1'] },
        { op: 'insert', table: 'inbox', row: inboxRow('m1') },
      ];
      expect((await conflictOf(store.commit(guarded(2)))).kind).toBe('field');
      await store.commit([{ op: 'insert', table: 'tombstones', row: tombstone }]);
      expect((await conflictOf(store.commit(guarded(3)))).kind).toBe('present');
      expect(await store.get('inbox', ['a1', 'm1'])).toBeUndefined();
    });

    it('moves a stream forward, never back', async () => {
      const advance = (nextSequence: number): Change => ({
        op: 'advance-stream',
        agentId: 'a1',
        terminalId: 'T1',
        nextSequence,
      });
      await store.commit([advance(5)]);
      await store.commit([advance(3)]);
      expect((await store.get('streams', ['a1', 'T1']))?.nextSequence).toBe(5);
      await store.commit([advance(6)]);
      expect((await store.get('streams', ['a1', 'T1']))?.nextSequence).toBe(6);
      expect(await store.find('streams', 'agent', ['a1'])).toHaveLength(1);
    });

    it('raises an alert once while it stands, and anew after it has ended', async () => {
      const raise = (sinceMs: number): Promise<void> =>
        store.commit([{ op: 'raise-alert', row: { ...alert, sinceMs } }]);
      const stored = () => store.get('alerts', ['x1']);
      await Promise.all([raise(5), raise(6)]);
      expect(await stored()).toEqual(alert);
      const acknowledged = { ...alert, state: 'acknowledged', acknowledgedAtMs: 7 } as const;
      await store.commit([{ op: 'update', table: 'alerts', row: acknowledged }]);
      await raise(8);
      expect(await stored()).toEqual({ ...acknowledged, version: 2 });
      await store.commit([{ op: 'clear-alert', id: 'x1', atMs: 9 }]);
      const cleared = { ...acknowledged, state: 'cleared', endedAtMs: 9, version: 3 };
      expect(await stored()).toEqual(cleared);
      await store.commit([{ op: 'clear-alert', id: 'x1', atMs: 10 }]);
      await store.commit([{ op: 'clear-alert', id: 'unknown', atMs: 10 }]);
      expect(await stored()).toEqual(cleared);
      expect(await store.findRange('alerts', 'ended', { below: 10 })).toEqual([cleared]);
      await raise(11);
      expect(await stored()).toEqual({ ...alert, sinceMs: 11, version: 4 });
      expect(await store.find('alerts', 'code', ['journal-forked', 'open'])).toHaveLength(1);
    });

    it('raises no alert in a commit that conflicts', async () => {
      const changes: Change[] = [
        { op: 'raise-alert', row: alert },
        { op: 'insert', table: 'entities', row: entity },
      ];
      expect((await conflictOf(store.commit(changes))).table).toBe('entities');
      expect(await store.get('alerts', ['x1'])).toBeUndefined();
    });

    it('lets exactly one of many racing commits win, and keeps the bystanders', async () => {
      const racing = Array.from({ length: 20 }, (_, at) =>
        store.commit([
          { op: 'insert', table: 'claims', row: { ...claim, paymentId: `p${at}` } },
          { op: 'insert', table: 'inbox', row: inboxRow(`m${at}`) },
        ]),
      );
      const bystanders = Array.from({ length: 20 }, (_, at) =>
        store.commit([{ op: 'insert', table: 'inbox', row: inboxRow(`other${at}`) }]),
      );
      const settled = await Promise.allSettled(racing);
      await Promise.all(bystanders);
      const winner = settled.findIndex((one) => one.status === 'fulfilled');
      expect(settled.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
      expect((await store.get('claims', ['a1', 'R-1']))?.paymentId).toBe(`p${winner}`);
      for (let at = 0; at < 20; at += 1) {
        expect((await store.get('inbox', ['a1', `m${at}`])) !== undefined).toBe(at === winner);
        expect(await store.get('inbox', ['a1', `other${at}`])).toBeDefined();
      }
    });

    it('lets later commits of a batch see the earlier ones', async () => {
      const first = store.commit([{ op: 'insert', table: 'claims', row: claim }]);
      const second = store.commit([{ op: 'update', table: 'claims', row: { ...claim, released: 1 } }]);
      const stale = store.commit([{ op: 'update', table: 'claims', row: { ...claim, paymentId: 'p9' } }]);
      await Promise.all([first, second]);
      expect((await conflictOf(stale)).kind).toBe('version');
      expect(await store.get('claims', ['a1', 'R-1'])).toEqual({ ...claim, released: 1, version: 2 });
    });

    it('adds up racing read-decide-commit rounds without losing one', async () => {
      const raise = async (): Promise<void> => {
        for (;;) {
          const row = await store.get('agents', ['a1']);
          if (!row) throw new Error('the agent is gone');
          const lost = await store
            .commit([{ op: 'update', table: 'agents', row: { ...row, epoch: row.epoch + 1 } }])
            .then(
              () => false,
              (error: unknown) => error instanceof CommitConflict,
            );
          if (!lost) return;
        }
      };
      await Promise.all(Array.from({ length: 10 }, raise));
      expect((await store.get('agents', ['a1']))?.epoch).toBe(agent.epoch + 10);
    });

    it('is checked while open, and refuses work with a typed error once closed', async () => {
      await store.check();
      await store.close();
      await expect(store.commit([])).rejects.toBeInstanceOf(StoreUnavailableError);
      await expect(store.get('agents', ['a1'])).rejects.toBeInstanceOf(StoreUnavailableError);
    });
  });
}
