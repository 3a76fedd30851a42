import { describe, expect, it } from 'vitest';
import type { Change, Store } from '../../../kernel/store/store.js';
import type { Acquirer, AcquirerRequest } from '../../acquirers/acquirer.js';
import { runRaces, type WaitMutation } from './wait-races.test.support.js';

const SEED = Number(process.env.TILLBRIDGE_RACE_SEED ?? 16);
/** Payments that race; `TILLBRIDGE_RACES=10000` for a long run. */
const RACES = Number(process.env.TILLBRIDGE_RACES ?? 500);
/** Races in which a deliberate bug must be found. */
const ENOUGH = 100;

/** The same object with other methods. */
function redirected<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get: (of, name) => {
      const value = Reflect.get(name in methods ? methods : of, name) as unknown;
      return typeof value === 'function' && !(name in methods) ? value.bind(of) : value;
    },
  });
}

/** Whether a change ends a wait: one that merely claims its deadline does not. */
const isEnd = (change: Change): change is Extract<Change, { op: 'update'; table: 'waits' }> =>
  change.op === 'update' && change.table === 'waits' && change.row.endedAtMs !== null;

/** A store that commits something else than it gets. */
function committing(change: (change: Change) => readonly Change[]): WaitMutation {
  return {
    store: (store) => redirected(store, { commit: (changes) => store.commit(changes.flatMap(change)) }),
  };
}

/** Deliberate bugs, by what is done wrong. */
const MUTATIONS: Readonly<Record<string, WaitMutation>> = {
  'what waits looks like any open request': {
    store: (store) => {
      const open = <T extends object | undefined>(row: T): T =>
        row && 'state' in row && row.state === 'waiting' ? { ...row, state: 'open' } : row;
      const get: Store['get'] = async (table, key) => open(await store.get(table, key));
      const find: Store['find'] = async (...query) => (await store.find(...query)).map(open);
      return redirected(store, { get, find });
    },
  },
  'the deadline declines without a word to the acquirer': {
    acquirer: (acquirer) =>
      redirected<Acquirer>(acquirer, {
        send: async (request: AcquirerRequest) =>
          request.kind === 'reversal'
            ? { approved: true, resultCode: '000.100.110', responseCode: '00' }
            : acquirer.send(request),
      }),
  },
  'a shopper who comes back counts as having approved': {
    acquirer: (acquirer) =>
      redirected<Acquirer>(acquirer, {
        status: async (reference: string) => {
          const status = await acquirer.status(reference);
          const answer = { approved: true, resultCode: '000.100.110', responseCode: '00' };
          return status.state === 'answered' && status.answer.pending
            ? { state: 'answered', answer }
            : status;
        },
      }),
  },
  'the end of the wait is not in the commit of the outcome': committing((change) =>
    isEnd(change) ? [] : [change],
  ),
  'the card stays sealed after the wait': committing((change) => {
    if (!isEnd(change)) return [change];
    return [{ ...change, row: { ...change.row, sealed: change.row.sealed ?? 'kept' } }];
  }),
  'the event is forgotten': committing((change) =>
    'table' in change && change.table === 'events' ? [] : [change],
  ),
};

describe('payments that wait', () => {
  it(`have one outcome each after ${RACES} races, and the ledger agrees`, async () => {
    const { outcomes, broken } = await runRaces(SEED, RACES);
    expect(broken, `TILLBRIDGE_RACE_SEED=${SEED}`).toEqual([]);
    // All ends were reached, so the races were races.
    expect([...outcomes.keys()].sort()).toEqual([
      'bank captured 000.100.110',
      'bank declined 100.396.101',
      'bank declined 100.396.103',
      'gate captured 000.100.110',
      'gate declined 100.380.501',
    ]);
  });

  it.each(Object.entries(MUTATIONS))(
    'show that %s',
    async (_name, mutation) => {
      const { broken } = await runRaces(SEED, ENOUGH, mutation);
      expect(broken).not.toEqual([]);
    },
    120_000,
  );
});
