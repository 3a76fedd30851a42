import { systemRandom } from '@tillbridge/platform/system-random.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entityRow } from '../../core/entities/entities.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { CallOrder, OrderedStore, orderOf } from '../../kernel/store/testing/call-order.test.support.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { newAgentRow } from '../../security/agents/agent-row.js';
import { InventoryError } from './inventory-error.js';
import { addDevices, assignDevice, type InventoryDeps, stepDevice, swapDevices } from './service.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const MERCHANTS = ['m', 'n'].map((letter) => letter.repeat(32));
const AGENTS = ['agent-m', 'agent-n'];
const TERMINALS = ['1', '2'];
/** Most is about one merchant, agent and terminal: there actions meet. */
const owner = fc.constantFrom(0, 0, 0, 1);
const SERIALS = ['S1', 'S2', 'S3', 'S4'];

const serial = fc.constantFrom(...SERIALS);
const place = fc.record({
  agentId: owner.map((at) => AGENTS[at] ?? ''),
  terminalId: fc.constantFrom('1', '1', '2'),
});
const at = fc.option(place, { nil: undefined, freq: 6 });
const ACTION = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('add' as const), serial, owner, at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('assign' as const), serial, at }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('suspend', 'resume', 'tamper', 'decommission' as const),
      serial,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('swap' as const), serial, by: serial }) },
);
/** Of most of the devices that there are first: one in use, and two in stock. */
const FIRST: readonly Action[] = [
  { do: 'add', serial: 'S1', owner: 0, at: { agentId: 'agent-m', terminalId: '1' } },
  { do: 'add', serial: 'S2', owner: 0, at: undefined },
  { do: 'add', serial: 'S3', owner: 0, at: undefined },
];
type Action = typeof ACTION extends fc.Arbitrary<infer T> ? T : never;

/** Where each state leads, as the page of the inventory states it (docs/devices.md). */
const AFTER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  assign: { inStock: 'active', active: 'active' },
  suspend: { active: 'suspended' },
  resume: { suspended: 'active' },
  tamper: { inStock: 'tampered', active: 'tampered', suspended: 'tampered' },
  decommission: {
    inStock: 'decommissioned',
    active: 'decommissioned',
    suspended: 'decommissioned',
    tampered: 'decommissioned',
  },
};

interface Placed {
  readonly owner: number;
  readonly state: string;
  readonly place: string | undefined;
}

/** Devices in a plain map; an action that is refused leaves it as it is. */
class Reference {
  readonly devices = new Map<string, Placed>();

  /** What the action makes of the devices; undefined where it is refused. */
  after(action: Action): ReadonlyMap<string, Placed> | undefined {
    const after = new Map(this.devices);
    const device = this.devices.get(action.serial);
    switch (action.do) {
      case 'add': {
        if (device) return undefined;
        const place = nameOf(action.at);
        if (place !== undefined && !this.#isFree(place, action.serial, action.owner)) return undefined;
        return after.set(action.serial, { owner: action.owner, state: place ? 'active' : 'inStock', place });
      }
      case 'assign': {
        const state = device && AFTER.assign?.[device.state];
        const place = nameOf(action.at);
        if (!state || (place !== undefined && !this.#isFree(place, action.serial, device.owner)))
          return undefined;
        return after.set(action.serial, { ...device, state, place });
      }
      case 'swap': {
        const spare = this.devices.get(action.by);
        if (!device || spare?.state !== 'inStock' || spare.owner !== device.owner) return undefined;
        const ended = device.state === 'tampered' ? 'tampered' : AFTER.decommission?.[device.state];
        if (!ended || action.serial === action.by) return undefined;
        const { place } = device;
        if (place !== undefined && !this.#isFree(place, action.serial, spare.owner)) return undefined;
        after.set(action.serial, { ...device, state: ended });
        return after.set(action.by, { ...spare, state: 'active', place });
      }
      default: {
        const state = device && AFTER[action.do]?.[device.state];
        return state ? after.set(action.serial, { ...device, state }) : undefined;
      }
    }
  }

  apply(after: ReadonlyMap<string, Placed>): void {
    for (const [name, placed] of after) this.devices.set(name, placed);
  }

  /** Agents take devices of their own merchant alone, one that is in use or suspended for each terminal. */
  #isFree(place: string, self: string, owner: number): boolean {
    const isOwn = place.startsWith(AGENTS[owner] ?? '');
    return (
      isOwn &&
      ![...this.devices].some(([name, each]) => name !== self && each.place === place && isInUse(each))
    );
  }
}

const isInUse = ({ state }: Pick<Placed, 'state'>): boolean => state === 'active' || state === 'suspended';
const nameOf = (at: { readonly agentId: string; readonly terminalId: string } | undefined) =>
  at && `${at.agentId}/${at.terminalId}`;

async function openStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.commit(
    MERCHANTS.map((id) => ({ op: 'insert', table: 'entities', row: entityRow(id, id, null, 1) })),
  );
  await store.commit(
    AGENTS.map((id, at) => ({
      op: 'insert',
      table: 'agents',
      row: newAgentRow({ id, entityId: MERCHANTS[at] ?? '', publicKey: 'key', terminals: TERMINALS }, 1),
    })),
  );
  return store;
}

function carryOut(deps: InventoryDeps, action: Action): Promise<unknown> {
  switch (action.do) {
    case 'add':
      return addDevices(deps, [
        {
          serial: action.serial,
          deviceType: 'GERTEC_PPC930',
          accountKsn: `FFFF98770000${action.serial.slice(1)}0000000`,
          entityId: MERCHANTS[action.owner] ?? '',
          ...action.at,
        },
      ]);
    case 'assign':
      return assignDevice(deps, action.serial, action.at ?? {});
    case 'swap':
      return swapDevices(deps, action.serial, action.by);
    default:
      return stepDevice(deps, action.serial, action.do);
  }
}

/** How an action ended; `busy`: it came too close to another one, and nothing was done. */
type End = 'done' | 'refused' | 'busy';

function endOf(work: Promise<unknown>): Promise<End> {
  return work.then(
    () => 'done',
    (error: unknown) => {
      if (!(error instanceof InventoryError)) throw error;
      return error.code === 'busy' ? 'busy' : 'refused';
    },
  );
}

async function devicesOf(store: MemoryStore): Promise<ReadonlyMap<string, Placed>> {
  const rows = await allRows(store, 'devices');
  return new Map(
    rows.map(({ serial: name, entityId, state, agentId, terminalId }) => [
      name,
      {
        owner: MERCHANTS.indexOf(entityId),
        state,
        place: agentId === null || terminalId === null ? undefined : `${agentId}/${terminalId}`,
      },
    ]),
  );
}

it('has one device in use at a terminal, of its merchant, whatever is done by several at once', async () => {
  const rounds = fc.array(fc.array(ACTION, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(rounds, fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }), async (rest, numbers) => {
      const batches = [FIRST, ...rest];
      const store = await openStore();
      const order = new CallOrder(orderOf(numbers));
      const clock = new VirtualClock(NOW_MS);
      const reference = new Reference();
      for (const actions of batches) {
        const deps = () => ({
          store: new OrderedStore(store, order),
          clock,
          random: systemRandom,
          actor: 'anna',
        });
        const ends = await order.run(actions.map((action) => () => endOf(carryOut(deps(), action))));
        const there = await devicesOf(store);
        const wanted = ordersOf(
          actions
            .map((action, at) => ({ action, end: ends[at] ?? 'busy' }))
            .filter(({ end }) => end !== 'busy'),
        )
          .map((each) => outcomeOf(reference, each))
          .find((devices) => devices && isSame(devices, there));
        expect(
          wanted,
          `no order of ${JSON.stringify(actions)} gives ${JSON.stringify([...there])}`,
        ).toBeDefined();
        reference.apply(there);
        const places = [...there.values()].filter((each) => each.place !== undefined && isInUse(each));
        expect(new Set(places.map(({ place }) => place)).size).toBe(places.length);
      }
    }),
    propertyRuns(150),
  );
});

interface Ended {
  readonly action: Action;
  readonly end: End;
}

/** The devices after actions one by one; undefined where one is refused that was done, or done that was refused. */
function outcomeOf(before: Reference, all: readonly Ended[]): ReadonlyMap<string, Placed> | undefined {
  const reference = new Reference();
  reference.apply(before.devices);
  for (const { action, end } of all) {
    const after = reference.after(action);
    if ((after !== undefined) !== (end === 'done')) return undefined;
    if (after) reference.apply(after);
  }
  return reference.devices;
}

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]];
  return all.flatMap((first, at) =>
    ordersOf([...all.slice(0, at), ...all.slice(at + 1)]).map((rest) => [first, ...rest]),
  );
}

function isSame(one: ReadonlyMap<string, Placed>, other: ReadonlyMap<string, Placed>): boolean {
  const text = (map: ReadonlyMap<string, Placed>) =>
    JSON.stringify(
      [...map]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { owner, state, place }]) => [name, owner, state, place ?? null]),
    );
  return text(one) === text(other);
}
