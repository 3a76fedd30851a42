import { peersOf } from '@tillbridge/platform/net/peers.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TOKEN_KEY } from '../../app/http/http-harness.test.support.js';
import { entityRow } from '../../core/entities/entities.js';
import { ENTITY, FailingStore, NOW_MS } from '../../core/payments/payment-harness.test.support.js';
import { EgressError } from '../../kernel/egress/egress-error.js';
import { EntityEvents } from '../../kernel/events/entity-events.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { deliveryLog, resend } from './deliveries.js';
import { endpointRow, newEndpointChanges, pauseEndpoint, removeEndpoint, resumeEndpoint } from './service.js';
import type { WebhookDeps } from './webhook-deps.js';
import { decipher } from './webhook-harness.test.support.js';
import { WebhookKeys } from './webhook-keys.js';
import { Dispatcher } from './worker.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The page of webhooks: tried again after 2, 4, 8, 15, 30 minutes and 1 hour, then daily for 30 days. */
const PAUSES_MIN = [2, 4, 8, 15, 30, 60];
const LEASE_MS = 60_000;
/** A delivery that five claims in a row did not finish is given up. */
const MOST_LOST = 5;
const HOUR_MS = 60 * MINUTE_MS;
const ENDPOINTS = 2;

/** A delivery in the plain map of the reference. */
interface Expected {
  readonly event: string;
  state: 'waiting' | 'delivered' | 'givenUp';
  dueMs: number;
  sinceMs: number;
  failures: number;
  /** Tries in a row whose outcome was lost. */
  lost: number;
}

type Mode = 'takes' | 'fails' | 'silent';

/** An endpoint with its receiver, and what the reference knows of it. */
class Endpoint {
  readonly id: string;
  readonly url: string;
  readonly key: string;
  mode: Mode = 'takes';
  state: 'active' | 'paused' | 'removed' = 'active';
  /** By the number less one. */
  readonly expected: Expected[] = [];
  /** Numbers and events that came in since the last look. */
  received: { readonly sequence: number; readonly event: string; readonly node: number }[] = [];
  isAlerted = false;

  constructor(id: string, key: string) {
    this.id = id;
    this.key = key;
    this.url = `https://shop.example/${id}`;
  }
}

class History {
  readonly store = new MemoryStore();
  readonly clock = new VirtualClock(NOW_MS);
  readonly endpoints: Endpoint[] = [];
  readonly faults: unknown[] = [];
  readonly #disks = [new FailingStore(this.store), new FailingStore(this.store)];
  readonly #events = this.#disks.map((disk) => new EntityEvents(disk, this.clock));
  readonly #keys = new WebhookKeys(TOKEN_KEY, systemRandom);
  readonly #deps: WebhookDeps[];
  #dispatchers: Dispatcher[];

  private constructor() {
    this.#deps = this.#disks.map((store, node) => ({
      store,
      clock: this.clock,
      random: systemRandom,
      keys: this.#keys,
      egress: {
        send: async ({ url, headers = {}, body }) => this.#receive(node, url, headers, String(body)),
      },
      rules: { allowed: peersOf([]), plainHttp: false },
      actor: 'tester',
    }));
    this.#dispatchers = this.#start();
  }

  #start(): Dispatcher[] {
    const onFault = (error: unknown) => this.faults.push(error);
    return this.#deps.map((deps) => new Dispatcher({ ...deps, clock: this.clock, onFault }));
  }

  async #restart(): Promise<void> {
    await this.end();
    this.#dispatchers = this.#start();
  }

  static async begin(): Promise<History> {
    const history = new History();
    await history.store.commit([
      { op: 'insert', table: 'entities', row: entityRow(ENTITY, 'Shop', null, 1) },
    ]);
    for (let at = 0; at < ENDPOINTS; at += 1) {
      const id = String(at).repeat(32);
      const { stored, shown } = history.#keys.make(id, NOW_MS);
      const endpoint = new Endpoint(id, shown.key);
      const row = endpointRow({ entityId: ENTITY, url: endpoint.url }, id, stored, 'active', NOW_MS);
      await history.store.commit(newEndpointChanges(row));
      history.endpoints.push(endpoint);
    }
    return history;
  }

  #receive(node: number, url: string, headers: Readonly<Record<string, string>>, body: string) {
    const endpoint = this.endpoints.find((each) => each.url === url);
    if (!endpoint) throw new Error('a delivery to no endpoint');
    const { sequence, id } = decipher({ headers, body }, endpoint.key) as unknown as {
      sequence: number;
      id: string;
    };
    endpoint.received.push({ sequence, event: id, node });
    if (endpoint.mode === 'silent') throw new EgressError('timed-out', 'no answer came');
    return { status: endpoint.mode === 'takes' ? 204 : 500, body: Buffer.alloc(0) };
  }

  /** Events of several requests at once, at both nodes. */
  async happen(count: number): Promise<void> {
    const nowMs = this.clock.nowMs();
    const ids = Array.from({ length: count }, () => newTimeOrderedId(systemRandom, nowMs));
    await Promise.all(
      ids.map(async (id, at) => {
        const store = this.#disks[at % 2] as FailingStore;
        // It remembers for a moment who gets events, also one that is removed meanwhile.
        const { changes } = await (this.#events[at % 2] as EntityEvents).of(ENTITY);
        await store.commit(
          changes({ id, kind: 'registration-created', paymentId: null, payload: {}, nowMs }),
        );
      }),
    );
    for (const endpoint of this.endpoints) {
      const before = endpoint.expected.length;
      const log = await this.log(endpoint);
      if (endpoint.state === 'removed') {
        expect(log, 'queued for an endpoint that is removed').toHaveLength(before);
        continue;
      }
      // Whichever came first: each has one number, and no number is left out.
      expect(new Set(log.slice(before).map(({ eventId }) => eventId))).toEqual(new Set(ids));
      for (const { eventId } of log.slice(before))
        endpoint.expected.push({
          event: eventId,
          state: 'waiting',
          dueMs: nowMs,
          sinceMs: nowMs,
          failures: 0,
          lost: 0,
        });
    }
  }

  log = ({ id }: Endpoint) => this.store.findRange('deliveries', 'primary', { equals: [id], limit: 1_000 });

  /** Both nodes look at the same moment; what one of them has sent is lost to it where its disk fails. */
  async round(broken: boolean): Promise<void> {
    const nowMs = this.clock.nowMs();
    const [disk] = this.#disks;
    if (disk)
      disk.failWhen = (changes) =>
        broken &&
        changes.some(
          (change) => change.op === 'update' && change.table === 'deliveries' && change.row.leasedBy === null,
        );
    for (let look = 0; look < 2; look += 1) {
      await Promise.all(this.#dispatchers.map((each) => each.round()));
      await this.#idle();
    }
    if (disk) disk.failWhen = () => false;
    for (const endpoint of this.endpoints) this.#judge(endpoint, nowMs, broken);
    for (const endpoint of this.endpoints) await this.#compare(endpoint);
  }

  async #idle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await Promise.all(this.#dispatchers.map((each) => each.idle()));
  }

  /** What was due came once each, under its number, and what the receiver did decides when it comes again. */
  #judge(endpoint: Endpoint, nowMs: number, broken: boolean): void {
    const received = endpoint.received.splice(0);
    for (const each of endpoint.expected)
      if (
        endpoint.state === 'active' &&
        each.state === 'waiting' &&
        each.dueMs <= nowMs &&
        each.lost >= MOST_LOST
      ) {
        each.state = 'givenUp';
        endpoint.isAlerted = true;
      }
    const isDue = ({ state, dueMs }: Expected) => state === 'waiting' && dueMs <= nowMs;
    const due = endpoint.expected
      .map((each, at) => ({ each, sequence: at + 1 }))
      .filter(({ each }) => endpoint.state === 'active' && isDue(each));
    const numbers = received.map(({ sequence }) => sequence).sort((a, b) => a - b);
    expect(numbers, 'deliveries that came').toEqual(due.map(({ sequence }) => sequence));
    for (const { sequence, event } of received) expect(event).toBe(endpoint.expected[sequence - 1]?.event);
    for (const { each, sequence } of due) {
      const isLost = broken && received.find((one) => one.sequence === sequence)?.node === 0;
      // No node knows of the try: the lease of its node has to end first.
      if (isLost) Object.assign(each, { dueMs: nowMs + LEASE_MS, lost: each.lost + 1 });
      else this.#ended(endpoint, each, nowMs);
    }
  }

  #ended(endpoint: Endpoint, each: Expected, nowMs: number): void {
    each.lost = 0;
    if (endpoint.mode === 'takes') {
      each.state = 'delivered';
      endpoint.isAlerted = false;
      return;
    }
    const pauseMin = PAUSES_MIN[each.failures] ?? 24 * 60;
    each.failures += 1;
    if (each.failures >= 5) endpoint.isAlerted = true;
    each.dueMs = nowMs + pauseMin * MINUTE_MS;
    if (each.dueMs - each.sinceMs > 30 * DAY_MS) each.state = 'givenUp';
  }

  async #compare(endpoint: Endpoint): Promise<void> {
    const log = await this.log(endpoint);
    expect(log.map(({ sequence }) => sequence)).toEqual(endpoint.expected.map((_, at) => at + 1));
    for (const [at, row] of log.entries()) {
      const { event, state, dueMs } = endpoint.expected[at] as Expected;
      expect(row).toMatchObject({ eventId: event, state, dueAtMs: state === 'waiting' ? dueMs : null });
    }
    const alert = (await this.store.find('alerts', 'state', ['open'])).some(
      ({ code, subject }) => code === 'webhook-failing' && subject === endpoint.id,
    );
    expect(alert).toBe(endpoint.isAlerted);
  }

  async change(at: number, what: 'pause' | 'resume' | 'remove'): Promise<void> {
    const endpoint = this.endpoints[at % ENDPOINTS] as Endpoint;
    const deps = this.#deps[at % 2] as WebhookDeps;
    if (what === 'pause' && endpoint.state === 'active') {
      await pauseEndpoint(deps, endpoint.id, 'the shop moves');
      endpoint.state = 'paused';
    } else if (what === 'resume' && endpoint.state === 'paused') {
      await resumeEndpoint(deps, endpoint.id);
      endpoint.state = 'active';
    } else if (what === 'remove' && endpoint.state !== 'removed') {
      await removeEndpoint(deps, endpoint.id);
      endpoint.state = 'removed';
      endpoint.isAlerted = false;
    }
  }

  async again(at: number, number: number): Promise<void> {
    const endpoint = this.endpoints[at % ENDPOINTS] as Endpoint;
    if (endpoint.state === 'removed' || endpoint.expected.length === 0) return;
    const sequence = (number % endpoint.expected.length) + 1;
    const each = endpoint.expected[sequence - 1] as Expected;
    const isQueued = each.state !== 'waiting';
    // Tries are counted from then on.
    await this.clock.advance(1);
    expect(await resend(this.#deps[0] as WebhookDeps, endpoint.id, { sequence })).toBe(isQueued ? 1 : 0);
    if (!isQueued) return;
    const nowMs = this.clock.nowMs();
    Object.assign(each, { state: 'waiting', dueMs: nowMs, sinceMs: nowMs, failures: 0, lost: 0 });
  }

  /** Goes on to the next time at which something is due, a moment before it and at it. */
  async next(): Promise<void> {
    await this.round(false);
    const nowMs = this.clock.nowMs();
    const due = this.endpoints
      .filter(({ state }) => state === 'active')
      .flatMap(({ expected }) => expected)
      .filter(({ state, dueMs }) => state === 'waiting' && dueMs > nowMs)
      .map(({ dueMs }) => dueMs);
    if (due.length === 0) return;
    const waitMs = Math.min(...due) - nowMs;
    // In a longer time processes are replaced.
    if (waitMs > HOUR_MS) await this.#restart();
    await this.clock.advance(waitMs - 1);
    await this.round(false);
    await this.clock.advance(1);
  }

  async end(): Promise<void> {
    await Promise.all(this.#dispatchers.map((each) => each.stop()));
  }

  listed = (endpoint: Endpoint) => deliveryLog(this.#deps[0] as WebhookDeps, endpoint.id, 0, 1_000);
}

const at = fc.nat(ENDPOINTS - 1);
const STEP = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('happen' as const), count: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('round' as const), broken: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('next' as const), times: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('mode' as const),
      at,
      mode: fc.constantFrom<Mode>('takes', 'fails', 'fails', 'silent'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      at,
      what: fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('again' as const), at, number: fc.nat() }) },
);

it('come under their numbers at their times, once each, whatever fails, is paused or dies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 3, maxLength: 20 }),
      fc.boolean(),
      async (steps, removed) => {
        const history = await History.begin();
        for (const step of steps) {
          if (step.do === 'happen') await history.happen(step.count);
          else if (step.do === 'round') await history.round(step.broken);
          else if (step.do === 'mode') (history.endpoints[step.at] as Endpoint).mode = step.mode;
          else if (step.do === 'change') await history.change(step.at, step.what);
          else if (step.do === 'again') await history.again(step.at, step.number);
          else
            for (let time = 0; time < step.times; time += 1) {
              await history.next();
              await history.round(false);
            }
        }
        await history.happen(1);
        if (removed) await history.change(0, 'remove');
        await history.happen(2);
        await history.round(false);
        for (let time = 0; time < 2; time += 1) {
          await history.next();
          await history.round(false);
        }
        await history.end();
      },
    ),
    propertyRuns(8),
  );
});

it('are tried for 30 days after they were queued, or queued again, and no longer', async () => {
  const history = await History.begin();
  const [first, second] = history.endpoints as [Endpoint, Endpoint];
  for (const endpoint of [first, second]) endpoint.mode = 'fails';
  await history.happen(1);
  for (let time = 0; time < 80; time += 1) {
    await history.next();
    await history.round(false);
    if (time === 10) second.mode = 'takes';
    if (second.mode !== 'takes' || second.expected[0]?.state !== 'delivered') continue;
    // Its tries begin anew, with the first pause and a time of their own.
    second.mode = 'silent';
    await history.again(1, 0);
  }
  expect([first, second].map(({ expected }) => expected.map(({ state }) => state))).toEqual([
    ['givenUp'],
    ['givenUp'],
  ]);
  expect(second.expected[0]?.failures).toBe(first.expected[0]?.failures);
  await history.end();
});
