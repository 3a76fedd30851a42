import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentRow, ClaimRow, EntityRow, IntentRow, TokenRow } from '../rows.js';
import { type Change, CommitConflict, type Conflict, type Store } from '../store.js';

/** Two stores on one database. */
interface SharedUnderTest {
  readonly stores: readonly [Store, Store];
  /** Closes both and removes what they left. */
  dispose(): Promise<void>;
}

const ROUNDS = 40;

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
  terminals: '[]',
  generation: 0,
  allowedGeneration: null,
  allowedUntilMs: null,
  epoch: 0,
  nodeId: null,
  createdAtMs: 1,
  version: 1,
};
const intent = (id: string, messageId: string): IntentRow => ({
  id,
  paymentId: `p-${id}`,
  entityId: 'e1',
  agentId: 'a1',
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
const claim = (reference: string, paymentId: string): ClaimRow => ({
  agentId: 'a1',
  reference,
  paymentId,
  released: 0,
  version: 1,
});
const token = (id: string, hash: string): TokenRow => ({
  id,
  hash,
  entityId: 'e1',
  merchantId: 'e1',
  label: 'till',
  rights: '[]',
  createdAtMs: 1,
  lastUsedAtMs: null,
  sealed: null,
  revokedAtMs: null,
  version: 1,
});

/** The contract of stores of several nodes on one database, run against every engine. */
export function describeShared(engine: string, open: () => Promise<SharedUnderTest>): void {
  describe(`store contract, two nodes: ${engine}`, () => {
    let under: SharedUnderTest;
    let left: Store;
    let right: Store;
    beforeEach(async () => {
      under = await open();
      [left, right] = under.stores;
      await left.commit([
        { op: 'insert', table: 'entities', row: entity },
        { op: 'insert', table: 'agents', row: agent },
      ]);
    });
    afterEach(() => under.dispose());

    /** Commits at both nodes at once, round by round; gives the conflicts of each round. */
    const race = async (
      atLeft: (round: number) => readonly Change[],
      atRight: (round: number) => readonly Change[],
    ): Promise<readonly (readonly Conflict[])[]> => {
      const rounds = Array.from({ length: ROUNDS }, (_, round) =>
        Promise.allSettled([left.commit(atLeft(round)), right.commit(atRight(round))]),
      );
      return (await Promise.all(rounds)).map((ends) =>
        ends.flatMap((end) => {
          if (end.status === 'fulfilled') return [];
          if (end.reason instanceof CommitConflict) return [end.reason.conflict];
          throw end.reason;
        }),
      );
    };

    it('lets an authorization or its reversal through, never both: each demands that the other is not there', async () => {
      const values = (round: number) => ['a1', `m${round}`];
      const lost = await race(
        (round) => [
          { op: 'require-absent', table: 'tombstones', index: 'primary', values: values(round) },
          { op: 'insert', table: 'intents', row: intent(`i${round}`, `m${round}`) },
        ],
        (round) => [
          { op: 'require-absent', table: 'intents', index: 'message', values: values(round) },
          {
            op: 'insert',
            table: 'tombstones',
            row: { agentId: 'a1', messageId: `m${round}`, createdAtMs: 1, version: 1 },
          },
        ],
      );
      expect(lost.map((conflicts) => conflicts.map(({ kind }) => kind))).toEqual(
        Array.from({ length: ROUNDS }, () => ['present']),
      );
      const [intents, tombstones] = [
        await left.findAfter('intents', undefined),
        await right.findAfter('tombstones', undefined),
      ];
      expect(intents.length + tombstones.length).toBe(ROUNDS);
    });

    it('closes the skew in a circle: of three commits of which each rules out the next one, not all are carried out', async () => {
      const tables = ['tombstones', 'inbox', 'intents'] as const;
      const absent = {
        tombstones: { op: 'require-absent', table: 'tombstones', index: 'primary' },
        inbox: { op: 'require-absent', table: 'inbox', index: 'primary' },
        intents: { op: 'require-absent', table: 'intents', index: 'message' },
      } as const;
      const insert = (table: (typeof tables)[number], messageId: string): Change => {
        const place = { agentId: 'a1', messageId, createdAtMs: 1, version: 1 };
        if (table === 'tombstones') return { op: 'insert', table, row: place };
        if (table === 'inbox')
          return { op: 'insert', table, row: { ...place, result: '{}', contentHash: null } };
        return { op: 'insert', table, row: intent(`i-${messageId}`, messageId) };
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        const messageId = `m${round}`;
        const ends = await Promise.allSettled(
          tables.map((table, at) => {
            const next = tables[(at + 1) % tables.length] ?? table;
            const store = (at + round) % 2 === 0 ? left : right;
            const values = ['a1', messageId];
            return store.commit([{ ...absent[next], values } as Change, insert(table, messageId)]);
          }),
        );
        const done = ends.filter(({ status }) => status === 'fulfilled').length;
        expect(done).toBeGreaterThan(0);
        expect(done).toBeLessThan(tables.length);
      }
    });

    it('names the key or unique index that was taken to the loser of a race', async () => {
      const keys = await race(
        (round) => [{ op: 'insert', table: 'claims', row: claim(`r${round}`, 'left') }],
        (round) => [{ op: 'insert', table: 'claims', row: claim(`r${round}`, 'right') }],
      );
      expect(keys).toEqual(
        Array.from({ length: ROUNDS }, () => [{ kind: 'unique', table: 'claims', on: 'primary' }]),
      );
      const hashes = await race(
        (round) => [{ op: 'insert', table: 'tokens', row: token(`left${round}`, `h${round}`) }],
        (round) => [{ op: 'insert', table: 'tokens', row: token(`right${round}`, `h${round}`) }],
      );
      expect(hashes).toEqual(
        Array.from({ length: ROUNDS }, () => [{ kind: 'unique', table: 'tokens', on: 'hash' }]),
      );
    });

    it('adds up what both nodes read, decide and commit, without losing one', async () => {
      const raise = async (store: Store): Promise<void> => {
        for (;;) {
          const row = await store.get('agents', ['a1']);
          if (!row) throw new Error('the agent is gone');
          const change: Change = { op: 'update', table: 'agents', row: { ...row, epoch: row.epoch + 1 } };
          const isWon = await store.commit([change]).then(
            () => true,
            (error: unknown) => {
              if (error instanceof CommitConflict) return false;
              throw error;
            },
          );
          if (isWon) return;
        }
      };
      await Promise.all(Array.from({ length: 10 }, (_, at) => raise(at % 2 === 0 ? left : right)));
      expect((await right.get('agents', ['a1']))?.epoch).toBe(10);
    });

    it('refuses at one node what a field forbids that the other one has changed', async () => {
      for (let epoch = 0; epoch < ROUNDS; epoch += 1) {
        const guarded = (messageId: string): Change[] => [
          { op: 'require-field', table: 'agents', key: ['a1'], column: 'epoch', equals: epoch },
          { op: 'insert', table: 'intents', row: intent(`i-${messageId}`, messageId) },
        ];
        const row = { ...agent, epoch: epoch + 1, version: epoch + 1 };
        const early = left.commit(guarded(`early${epoch}`)).catch((error: unknown) => error);
        await right.commit([{ op: 'update', table: 'agents', row }]);
        await expect(left.commit(guarded(`late${epoch}`))).rejects.toMatchObject({
          conflict: { kind: 'field', table: 'agents', on: 'epoch' },
        });
        await early;
      }
    });

    it('carries out commits that touch the same rows in opposite orders', async () => {
      const both = (round: number, place: string): Change[] =>
        [`x${round}`, `y${round}`].map((reference) => ({
          op: 'insert',
          table: 'claims',
          row: claim(reference, place),
        }));
      const lost = await race(
        (round) => both(round, 'left'),
        (round) => both(round, 'right').reverse(),
      );
      expect(lost.every(({ length }) => length === 1)).toBe(true);
    });
  });
}
