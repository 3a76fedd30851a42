import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { DIALECTS } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { packCoded, unpackExchange } from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import { answerTo, type ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { framed, MessageFrames } from '@tillbridge/wire/iso8583/message-frames.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Owner } from '../../../../kernel/nodes/node-lease.js';
import type { Change, Store } from '../../../../kernel/store/store.js';
import { MemoryStore } from '../../../../kernel/store/testing/memory-store.js';
import { withCommit } from '../../../../kernel/store/with-commit.js';
import { HostLink, type LinkRequest } from '../link/host-link.js';
import { LINK_LIMITS } from '../link/link-limits.js';
import { StoreLinkJournal } from './store-link-journal.js';
import { StoreNumbers } from './store-numbers.js';

const DIALECT = DIALECTS['1987-binary'];
const NOW_MS = Date.UTC(2026, 10, 23, 7, 22);
const ACQUIRER = 'EXTERNAL';
const ANSWER_TIMEOUT_MS = 20_000;
const SALE: LinkRequest = {
  kind: 'financial',
  isAdvice: false,
  transaction: 'purchase',
  amount: { minor: 1_234, currency: 'EUR' },
  entryMode: 'keyed',
  pan: '4200000000000000',
  expiry: '3112',
  terminalId: 'T1001',
  merchantId: 'M1',
};

function codeOf(covered: Uint8Array): Buffer {
  return retailMac(developmentKey('zoneMacKey'), covered, 'iso9797Method1');
}

/** What the host does with a request, and with the first reversals of it. */
const PLAN = fc.record({
  request: fc.constantFrom(
    'approve',
    'approve',
    'decline',
    'lost',
    'silent',
    'late',
    'late',
    'overtaken' as const,
  ),
  unacknowledged: fc.nat(2),
});
type Plan = typeof PLAN extends fc.Arbitrary<infer T> ? T : never;

/** What the host holds, by number and time of the request: no code of the gateway decides it. */
class Host {
  readonly approved = new Set<string>();
  readonly reversed = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #reversals = new Map<string, number>();
  readonly #firstReversals = new Set<string>();
  readonly breaches: string[] = [];
  /** The plans of requests, by their amounts. */
  readonly plans = new Map<number, Plan & { readonly reference: string }>();
  readonly #byKey = new Map<string, Plan>();
  #late: { readonly reference: string; readonly answer: () => void }[] = [];

  connect = async (): Promise<BytePipe> => {
    const [near, far] = memoryPipe('line');
    const frames = new MessageFrames();
    far.onData((bytes) => {
      for (const message of frames.push(bytes))
        this.#take(unpackExchange(DIALECT, message, NOW_MS), (answer) => {
          const { bytes: packed, covered, putCode } = packCoded(DIALECT, answer);
          putCode(codeOf(covered));
          void far.write(framed(packed)).catch(() => undefined);
        });
    });
    return near;
  };

  #take(message: ExchangeMessage, answer: (answer: ExchangeMessage) => void): void {
    if (message.isResponse) return;
    const say = (responseCode: string) => answer(answerTo(message, { responseCode }));
    if (message.kind === 'network') say('00');
    else if (message.kind === 'reversal') this.#reverse(message, say);
    else this.#decide(message, say);
  }

  #decide({ stan, at, amount }: ExchangeMessage, say: (code: string) => void): void {
    const key = `${stan} ${at}`;
    if (this.#seen.has(key)) this.breaches.push(`request ${key} came twice as new`);
    this.#seen.add(key);
    const plan = this.plans.get(amount?.minor ?? 0);
    if (!plan) throw new Error('a request without a plan');
    this.#byKey.set(key, plan);
    if (plan.request === 'decline') say('05');
    if (plan.request === 'lost' || plan.request === 'decline') return;
    if (plan.request === 'overtaken') {
      this.#overtaken(key, plan.reference, say);
      return;
    }
    this.approved.add(key);
    if (plan.request === 'approve') say('00');
    if (plan.request === 'late') this.#late.push({ reference: plan.reference, answer: () => say('00') });
  }

  /** A system before the host keeps the request: a reversal that comes meanwhile finds nothing. */
  #overtaken(key: string, reference: string, say: (code: string) => void): void {
    const answer = (): void => {
      this.approved.add(key);
      this.reversed.delete(key);
      say('00');
    };
    this.#late.push({ reference, answer });
  }

  #reverse({ stan, at, original, isRepeat }: ExchangeMessage, say: (code: string) => void): void {
    const [own, key] = [`${stan} ${at}`, `${original?.stan} ${original?.at}`];
    if (!isRepeat && this.#firstReversals.has(own)) this.breaches.push(`reversal ${own} came twice as new`);
    this.#firstReversals.add(own);
    this.reversed.add(key);
    const count = (this.#reversals.get(key) ?? 0) + 1;
    this.#reversals.set(key, count);
    if (count > (this.#byKey.get(key)?.unacknowledged ?? 0)) say(this.approved.has(key) ? '00' : '25');
  }

  /** Answers what it has kept back; gives the references. */
  answerLate(): readonly string[] {
    const late = this.#late.splice(0);
    for (const { answer } of late) answer();
    return late.map(({ reference }) => reference);
  }

  /** Whether money of a request stands. */
  stands(key: string): boolean {
    return this.approved.has(key) && !this.reversed.has(key);
  }
}

/** A process that dies at its n-th commit: before it is stored, or before its caller learns of it. */
class Process {
  readonly id: string;
  readonly clock = new VirtualClock(NOW_MS);
  readonly ends = new Map<string, string>();
  link: HostLink;
  isDead = false;
  #left: number;
  readonly #isStored: boolean;
  readonly #pipes: BytePipe[] = [];

  constructor(
    id: string,
    database: { readonly store: Store; readonly gone: ReadonlySet<string>; readonly host: Host },
    dies: { readonly at: number; readonly isStored: boolean },
  ) {
    this.id = id;
    this.#left = dies.at;
    this.#isStored = dies.isStored;
    const store = withCommit(database.store, (changes) => this.#commit(database.store, changes));
    const node = this.#node(database.gone);
    this.link = new HostLink({
      dialect: DIALECT,
      hosts: [
        async () => {
          const pipe = await database.host.connect();
          this.#pipes.push(pipe);
          return pipe;
        },
      ],
      connections: 1,
      echoAfterMs: 60_000_000,
      takeKey: async () => ({ responseCode: '12' }),
      journal: new StoreLinkJournal({ store, acquirer: ACQUIRER, node }),
      numbers: new StoreNumbers({ store: database.store, clock: this.clock, acquirer: ACQUIRER }),
      seal: {
        mac: async (covered) => codeOf(covered),
        verify: async (covered, mac) => codeOf(covered).subarray(0, mac.length).equals(mac),
      },
      clock: this.clock,
      observer: {
        bad: () => undefined,
        lateApproval: () => undefined,
        detailsLeftOut: () => undefined,
        withoutCard: () => undefined,
        notWritten: () => undefined,
        fault: () => undefined,
      },
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
    });
  }

  #node(gone: ReadonlySet<string>): Owner {
    const { id } = this;
    const owner: Owner = {
      id,
      guard: () => ({ op: 'require-field', table: 'nodes', key: [id], column: 'id', equals: id }),
      isHeld: () => true,
      othersEnded: 0,
      mayTake: async (other) => other === null || gone.has(other),
      asNow: () => owner,
    };
    return owner;
  }

  async #commit(store: Store, changes: readonly Change[]): Promise<void> {
    if (this.isDead) return new Promise(() => undefined);
    this.#left -= 1;
    if (this.#left >= 0) return store.commit(changes);
    if (this.#isStored) await store.commit(changes).catch(() => undefined);
    this.kill();
    return new Promise(() => undefined);
  }

  kill(): void {
    this.isDead = true;
    for (const pipe of this.#pipes) void pipe.close();
  }

  pay(reference: string, minor: number): void {
    this.link.ask(reference, { ...SALE, amount: { minor, currency: 'EUR' } }).then(
      ({ responseCode = '' }) => {
        if (!this.isDead) this.ends.set(reference, responseCode);
      },
      (error: Error) => {
        if (!this.isDead) this.ends.set(reference, error.name);
      },
    );
  }

  async advance(ms: number): Promise<void> {
    if (!this.isDead) await this.clock.advance(ms);
  }
}

const PAY = fc.record({ do: fc.constant('pay' as const), node: fc.nat(1), plan: PLAN });
const WAIT = fc.record({
  do: fc.constant('wait' as const),
  ms: fc.constantFrom(0, 1_000, 16_000, ANSWER_TIMEOUT_MS, 60_000),
});
/** The first node is silent for too long: the other one takes over, and the first one does not learn it yet. */
const FENCE = fc.constant({ do: 'fence' as const });
const ANSWER = fc.record({ do: fc.constant('answer' as const) });
const STEP = fc.oneof(
  { weight: 4, arbitrary: PAY.map((pay) => [pay]) },
  {
    weight: 2,
    arbitrary: fc
      .record({ do: fc.constant('reverse' as const), node: fc.nat(1), of: fc.nat() })
      .map((reverse) => [reverse]),
  },
  { weight: 3, arbitrary: WAIT.map((wait) => [wait]) },
  { weight: 1, arbitrary: ANSWER.map((answer) => [answer]) },
  { weight: 1, arbitrary: FENCE.map((fence) => [fence]) },
  // The host takes its time.
  { weight: 2, arbitrary: fc.tuple(PAY, WAIT, ANSWER) },
  // The host answers a node while another one takes the exchange up.
  {
    weight: 1,
    arbitrary: fc.tuple(
      PAY.map((pay) => ({ ...pay, node: 0 })),
      FENCE,
      fc.constantFrom(1_000, 16_000).map((ms) => ({ do: 'wait' as const, ms })),
      ANSWER,
    ),
  },
);

/** The node that sent a request, and when by its clock. */
interface SentRequest {
  readonly node: Process;
  readonly atMs: number;
}

const DIES = fc.record({ at: fc.integer({ min: 1, max: 12 }), isStored: fc.boolean() });
const NEVER = { at: Number.POSITIVE_INFINITY, isStored: false };

it('leads each exchange to one end, an answer or a reversal, wherever a node dies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 8 }), DIES, async (steps, dies) => {
      const store = new MemoryStore();
      const gone = new Set<string>();
      const host = new Host();
      const database = { store, gone, host };
      const begin = async (id: string, end: typeof NEVER): Promise<Process> => {
        await store.commit([
          { op: 'insert', table: 'nodes', row: { id, renewedAtMs: 0, startedAtMs: 0, version: 1 } },
        ]);
        const begun = new Process(id, database, end);
        void begun.link.start();
        await begun.advance(0);
        return begun;
      };
      const nodes = [await begin('a', dies), await begin('b', NEVER)];
      const all = async (ms: number): Promise<void> => {
        for (const node of nodes) await node.advance(ms);
      };
      const fence = async (): Promise<void> => {
        if (gone.has('a')) return;
        gone.add('a');
        await store.commit([{ op: 'delete', table: 'nodes', key: ['a'], version: 1 }]);
      };
      const references: string[] = [];
      const late = new Set<string>();
      const [reversals, wanted] = [new Set<string>(), new Set<string>()];
      const requests = new Map<string, SentRequest>();
      const inTime: { readonly reference: string; readonly node: Process }[] = [];
      for (const step of steps.flat()) {
        if (step.do === 'pay') {
          const reference = `r${references.length}`;
          const minor = 1_000 + references.length;
          // Only the totals of the day show an approval that reaches a dead node after its reversal.
          const isLost = step.node === 0 && step.plan.request === 'overtaken';
          const request = isLost ? 'lost' : step.plan.request;
          host.plans.set(minor, { ...step.plan, request, reference });
          requests.set(reference, {
            node: nodes[step.node] as Process,
            atMs: nodes[step.node]?.clock.nowMs() ?? 0,
          });
          references.push(reference);
          if (step.node === 0 && gone.has('a')) late.add(reference);
          nodes[step.node]?.pay(reference, minor);
        } else if (step.do === 'reverse') {
          const reference = references[step.of % Math.max(1, references.length)];
          const node = nodes[step.node];
          // Of a payment that has ended, at the node that made it.
          if (reference && node?.ends.has(reference) && !node.isDead) {
            reversals.add(reference);
            // What is journaled on return is carried out, whatever becomes of the node.
            void node.link
              .reverse(reference, { reference: `v${references.length}` })
              .then(() => wanted.add(reference));
          }
        } else if (step.do === 'fence') await fence();
        else if (step.do === 'answer') {
          // No other node may take back what is answered in time.
          for (const reference of host.answerLate()) {
            const { node, atMs } = requests.get(reference) as SentRequest;
            const isOwn = !node.isDead && !gone.has(node.id);
            if (isOwn && node.clock.nowMs() - atMs < ANSWER_TIMEOUT_MS) inTime.push({ reference, node });
          }
        } else await all(step.ms);
        await all(0);
      }
      // The other node takes up what the dead one has left.
      await fence();
      host.answerLate();
      for (let round = 0; round < 20; round += 1) await all(LINK_LIMITS.takeUpMs);
      nodes[0]?.kill();
      for (let round = 0; round < 20; round += 1) await all(LINK_LIMITS.takeUpMs);
      const outcomes = new Map([...(nodes[0]?.ends ?? []), ...(nodes[1]?.ends ?? [])]);
      expect(host.breaches).toEqual([]);
      for (const { reference, node } of inTime)
        if (node.id === 'b') expect(outcomes.get(reference), 'answered in time').toBe('00');
      for (const reference of late)
        expect(
          await store.get('linkExchanges', [reference]),
          'begun by a node that is taken over from',
        ).toBeUndefined();
      for (const reference of references)
        await check(store, host, { reference, outcomes, reversals, wanted });
      await nodes[1]?.link.close();
    }),
    propertyRuns(60),
  );
});

async function check(
  store: Store,
  host: Host,
  {
    reference,
    outcomes,
    reversals,
    wanted,
  }: {
    readonly reference: string;
    readonly outcomes: ReadonlyMap<string, string>;
    readonly reversals: ReadonlySet<string>;
    readonly wanted: ReadonlySet<string>;
  },
): Promise<void> {
  const row = await store.get('linkExchanges', [reference]);
  const end = outcomes.get(reference);
  if (!row) {
    // It never began: no byte of it left.
    expect(['00', '05']).not.toContain(end);
    return;
  }
  const key = `${row.stan} ${row.transmittedAt}`;
  expect(['answered', 'reversed'], `${reference} has no end`).toContain(row.state);
  if (row.state === 'reversed') expect(host.stands(key), 'money stands that was reversed').toBe(false);
  else expect(row.answer).not.toBeNull();
  if (end === '00' && !reversals.has(reference))
    expect(host.stands(key), 'an approval without money').toBe(true);
  if (end === '05' || end === 'OutcomeUnknownError' || wanted.has(reference))
    expect(host.stands(key), 'money without an approval').toBe(false);
  if (row.state === 'answered' && row.answer !== null) {
    const { responseCode } = JSON.parse(row.answer) as { readonly responseCode?: string };
    expect(host.stands(key)).toBe(responseCode === '00');
  }
}
