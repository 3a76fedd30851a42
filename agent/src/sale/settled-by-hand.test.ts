import { describe, expect, it } from 'vitest';
import type { StreamEnvelope } from '../journal/forward-queue.js';
import { judgeRestored } from './restored-sale.js';
import { OFFLINE_POLICY } from './sale.test.support.js';
import { World } from './world.test.support.js';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });

/** A world whose gateway parks what it is told to; `retry` is a person there who has all of it tried again, `tell` says so to the agent. */
interface Store {
  readonly world: World;
  retry(): void;
}

async function store(parks: (envelope: StreamEnvelope) => boolean, world = new World()): Promise<Store> {
  const kept: StreamEnvelope[] = [];
  world.ledger.parks = (envelope) => parks(envelope) && kept.push(envelope) > 0;
  await world.boot();
  return {
    world,
    retry: () => {
      world.ledger.parks = () => false;
      for (const envelope of kept) world.ledger.take(envelope);
    },
  };
}

async function link(world: World, state: 'up' | 'down'): Promise<void> {
  world.wire.set(state);
  await world.clock.advance(1_000);
}

async function parkedRecord(): Promise<Store> {
  const parked = await store(({ kind }) => kind === 'offlineRecord');
  await link(parked.world, 'down');
  await parked.world.sell({ reference: 'A1' });
  await link(parked.world, 'up');
  expect(await parked.world.desk.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
  return parked;
}

/** An approval that nobody heard of, undone in vain: the gateway does not take the reversal. */
async function parkedReversal(): Promise<Store> {
  const parked = await store(({ kind }) => kind === 'reversal');
  const { world } = parked;
  world.wire.weather = { ...world.wire.weather, dropAnswer: () => true };
  const call = world.sell({ reference: 'A1' });
  await world.clock.advance(60_000);
  world.wire.weather = { ...world.wire.weather, dropAnswer: () => false };
  await world.clock.advance(120_000);
  await call;
  expect(await world.desk.get('A1')).toMatchObject({ state: 'parked' });
  expect(world.ledger.standing('A1')).toHaveLength(1);
  return parked;
}

async function parkedCapture(minor = 1_000): Promise<Store> {
  const parked = await store(({ kind }) => kind === 'capture');
  await parked.world.sell({ reference: 'A1', type: 'preauthorization' });
  await parked.world.during(parked.world.desk.capture('A1', EUR(minor)));
  expect(await parked.world.desk.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
  return parked;
}

describe('a parked offline record that a person settles as no sale', () => {
  it.each(['reversed', 'failed', 'declined'] as const)(
    '%s: nobody can have it charged afterwards',
    async (outcome) => {
      const { world, retry } = await parkedRecord();
      const settled = await world.during(world.desk.settle('A1', outcome, 'the customer paid cash'));
      expect(settled).toMatchObject({ state: 'done', outcome });
      await world.clock.advance(1_000);
      retry();
      expect(world.ledger.standing('A1')).toEqual([]);
      expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome });
      expect((await world.desk.get('A1')).cashierText).toContain('the customer paid cash');
      expect(world.desk.queue()).toMatchObject({ parked: 0, items: [] });
    },
  );

  it('is undone where it was charged before that was heard of', async () => {
    const { world, retry } = await parkedRecord();
    await link(world, 'down');
    retry();
    expect(world.ledger.standing('A1')).toHaveLength(1);
    const settled = await world.during(world.desk.settle('A1', 'failed', 'the customer paid cash'));
    expect(settled.cashierText).toContain('being undone');
    await world.crash('up');
    await world.clock.advance(1_000);
    expect(world.ledger.standing('A1')).toEqual([]);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
  });

  it('waits for a person again where that cannot be undone', async () => {
    const { world } = await parkedRecord();
    world.ledger.parks = ({ kind }) => kind === 'reversal';
    await world.during(world.desk.settle('A1', 'reversed', 'the customer paid cash'));
    await world.clock.advance(1_000);
    expect(world.desk.status().parked).toMatchObject([{ reference: 'A1' }]);
    const settled = await world.during(world.desk.settle('A1', 'reversed', 'the acquirer undid it'));
    expect(settled).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.desk.status().parked).toEqual([]);
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
  });
});

describe('a parked offline record that a person settles as approved', () => {
  it('is not charged a second time by whoever tries it again', async () => {
    const { world, retry } = await parkedRecord();
    await world.during(world.desk.settle('A1', 'approved', 'entered by hand at the acquirer'));
    await world.clock.advance(1_000);
    retry();
    expect(world.ledger.standing('A1')).toEqual([]);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0, sums: {} });
  });

  it('stands where the gateway had taken it before, and nothing is undone', async () => {
    const { world, retry } = await parkedRecord();
    await link(world, 'down');
    retry();
    await world.during(world.desk.settle('A1', 'approved', 'the acquirer has it'));
    await link(world, 'up');
    expect(world.ledger.standing('A1')).toHaveLength(1);
    expect(await world.desk.get('A1')).toMatchObject({
      state: 'done',
      outcome: 'approved',
      paymentId: expect.any(String),
    });
  });

  it('waits for a person again where the gateway had declined it before', async () => {
    const { world, retry } = await parkedRecord();
    await link(world, 'down');
    world.ledger.approves = () => false;
    retry();
    await world.during(world.desk.settle('A1', 'approved', 'the acquirer has it'));
    await world.crash('up');
    await world.clock.advance(1_000);
    expect(world.desk.status().parked).toMatchObject([
      { reference: 'A1', code: 'settled-otherwise', reason: expect.stringContaining('declined') },
    ]);
    expect((await world.desk.get('A1')).cashierText).toContain('Needs a person');
    await world.crash('up');
    expect(world.desk.status().parked).toHaveLength(1);
    await world.during(world.desk.settle('A1', 'declined', 'the customer was called'));
    expect(world.desk.status().parked).toEqual([]);
  });
});

describe('a parked reversal', () => {
  it('of a sale that a person settles as approved undoes nothing afterwards', async () => {
    const { world, retry } = await parkedReversal();
    await world.during(world.desk.settle('A1', 'approved', 'the goods are gone'));
    await world.clock.advance(1_000);
    retry();
    expect(world.ledger.standing('A1')).toHaveLength(1);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
  });

  it('that was taken before a person settled the sale as approved calls a person again', async () => {
    const { world, retry } = await parkedReversal();
    await link(world, 'down');
    retry();
    expect(world.ledger.standing('A1')).toEqual([]);
    await world.during(world.desk.settle('A1', 'approved', 'the goods are gone'));
    await link(world, 'up');
    expect(world.desk.status().parked).toMatchObject([
      { reference: 'A1', code: 'settled-otherwise', reason: expect.stringContaining('undone') },
    ]);
    const settled = await world.during(world.desk.settle('A1', 'reversed', 'seen'));
    expect(settled).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
  });
});

describe('a gateway that cannot keep out what was settled by hand', () => {
  it('undoes nothing, and calls a person who can have the message dropped there', async () => {
    const { world } = await store(({ kind }) => kind === 'reversal' || kind === 'keepOut');
    await world.sell({ reference: 'A1' });
    await world.during(world.desk.reverse('A1'));
    await world.during(world.desk.settle('A1', 'approved', 'the goods are gone'));
    await world.clock.advance(1_000);
    expect(world.ledger.standing('A1')).toHaveLength(1);
    expect(world.desk.status().parked).toMatchObject([
      { reference: 'A1', reason: expect.stringContaining('could not keep out') },
    ]);
    const settled = await world.during(world.desk.settle('A1', 'approved', 'dropped there'));
    expect(settled).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
  });
});

describe('a parked capture', () => {
  it('of a sale that a person settles is not taken afterwards', async () => {
    const { world, retry } = await parkedCapture();
    await world.during(world.desk.settle('A1', 'approved', 'captured at the acquirer'));
    await world.clock.advance(1_000);
    retry();
    expect(world.ledger.captured).toEqual([]);
  });

  it('that was taken before calls a person, and stands as captured', async () => {
    const { world, retry } = await parkedCapture();
    await link(world, 'down');
    retry();
    await world.during(world.desk.settle('A1', 'approved', 'never mind'));
    expect(await world.desk.get('A1')).toMatchObject({ captures: [{ state: 'withdrawn' }] });
    await link(world, 'up');
    expect(world.desk.status().parked).toMatchObject([{ reference: 'A1', code: 'settled-otherwise' }]);
    expect(await world.desk.get('A1')).toMatchObject({ captures: [{ state: 'acknowledged' }] });
    await expect(world.desk.settle('A1', 'reversed', 'x')).rejects.toThrow(/EUR 10.00 of it is captured/);
    const settled = await world.during(world.desk.settle('A1', 'approved', 'seen'));
    expect(settled.cashierText).toContain('Captured: EUR 10.00');
  });

  it.each([
    ['a part of it', 1_000],
    ['all of it', 1_234],
  ])(
    'of a sale that a person settles as reversed, taken before: %s stands, and a person is called',
    async (_what, minor) => {
      const { world, retry } = await parkedCapture(minor);
      await link(world, 'down');
      retry();
      await world.during(world.desk.settle('A1', 'reversed', 'never mind'));
      await link(world, 'up');
      expect(world.desk.status().parked).toMatchObject([{ reference: 'A1' }]);
      expect(await world.desk.get('A1')).toMatchObject({ captures: [{ state: 'acknowledged' }] });
      await expect(world.desk.settle('A1', 'reversed', 'x')).rejects.toThrow(/of it is captured/);
      const settled = await world.during(world.desk.settle('A1', 'approved', 'seen'));
      expect(settled).toMatchObject({ state: 'done', outcome: 'approved' });
      await world.clock.advance(1_000);
      expect(world.desk.status().parked).toEqual([]);
      expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
    },
  );

  it('of a sale that a person settles as reversed is not taken afterwards', async () => {
    const { world, retry } = await parkedCapture();
    await world.during(world.desk.settle('A1', 'reversed', 'never mind'));
    await world.clock.advance(1_000);
    retry();
    expect(world.ledger.captured).toEqual([]);
    expect(world.ledger.standing('A1')).toEqual([]);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
  });

  it.each([
    ['a part of it', 1_000, false],
    ['all of it', 1_234, true],
  ])(
    'of a sale that a till reverses, taken before: %s stands, and the till is told',
    async (_what, minor, isAll) => {
      const { world, retry } = await parkedCapture(minor);
      await link(world, 'down');
      retry();
      await world.during(world.desk.reverse('A1'));
      await link(world, 'up');
      const told = await world.desk.get('A1');
      expect(told).toMatchObject({
        state: 'done',
        outcome: 'approved',
        captures: [{ state: 'acknowledged' }],
      });
      expect(told.cashierText).toContain(isAll ? 'reversal' : 'Captured: EUR 10.00');
      expect(world.ledger.standing('A1')).toMatchObject([{ captured: minor }]);
      expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
    },
  );

  it('of a sale that a till reverses is not taken afterwards', async () => {
    const { world, retry } = await parkedCapture();
    await world.during(world.desk.reverse('A1'));
    await world.clock.advance(1_000);
    retry();
    expect(world.ledger.captured).toEqual([]);
    expect(world.ledger.standing('A1')).toEqual([]);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
  });

  it('that was taken calls a person until that person has settled it, whatever becomes of another', async () => {
    const kept: StreamEnvelope[] = [];
    const { world } = await store(({ kind }) => kind === 'capture');
    world.ledger.parks = (envelope) => {
      const isSecond = envelope.kind === 'keepOut' && envelope.body.originalMessageId === kept[1]?.id;
      return (envelope.kind === 'capture' || isSecond) && kept.push(envelope) > 0;
    };
    await world.sell({ reference: 'A1', type: 'preauthorization' });
    await link(world, 'down');
    for (const captureReference of ['a', 'b'])
      await world.during(world.desk.capture('A1', EUR(500), { captureReference }));
    await link(world, 'up');
    await expect(world.desk.capture('A1', EUR(1), { captureReference: 'c' })).rejects.toThrow(/is parked/);
    await link(world, 'down');
    for (const taken of kept.slice(0, 1)) world.ledger.take(taken);
    await world.during(world.desk.settle('A1', 'approved', 'never mind'));
    await link(world, 'up');
    world.ledger.parks = () => false;
    for (const word of kept.slice(2)) world.ledger.take(word);
    await link(world, 'down');
    await link(world, 'up');
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
    expect(world.desk.status().parked).toMatchObject([{ reference: 'A1', code: 'settled-otherwise' }]);
  });

  it('keeps the reversed sale before a person where it cannot be kept out', async () => {
    const { world } = await store(({ kind }) => kind === 'capture' || kind === 'keepOut');
    await world.sell({ reference: 'A1', type: 'preauthorization' });
    await world.during(world.desk.capture('A1', EUR(1_000)));
    await world.during(world.desk.reverse('A1'));
    await world.clock.advance(1_000);
    expect(world.desk.status().parked).toMatchObject([{ reference: 'A1' }]);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'parked', outcome: 'reversed' });
    await world.during(world.desk.settle('A1', 'reversed', 'dropped there'));
    expect(world.desk.status().parked).toEqual([]);
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
  });

  it('all of many are kept out at once', async () => {
    const { world, retry } = await store(({ kind }) => kind === 'capture');
    await world.sell({ reference: 'A1', type: 'preauthorization' });
    world.wire.set('down');
    for (let part = 1; part <= 20; part += 1) {
      const captured = world.desk.capture('A1', EUR(10), { captureReference: `part-${part}` });
      await world.during(captured);
    }
    await link(world, 'up');
    expect(world.desk.queue().parked).toBe(20);
    await world.during(world.desk.settle('A1', 'approved', 'captured at the acquirer'));
    await world.clock.advance(1_000);
    retry();
    expect(world.ledger.captured).toEqual([]);
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
  });
});

describe('a sale in doubt after a restore', () => {
  it('that a person settles as failed is undone where it was charged', async () => {
    const before = await new World().boot();
    await before.sell({ reference: 'A1' });
    const left = before.disk.rows.filter(({ kind }) => kind === 'accepted' || kind === 'authorizing');
    const { doubt } = judgeRestored(undefined, left);
    const restored = new World({ seed: 2 });
    const sale = { reference: 'A1', open: true };
    await restored.journal.append({ atMs: 1, rows: [...left, ...(doubt ? [doubt] : [])], sale });
    for (const [id, entry] of before.ledger.entries) restored.ledger.entries.set(id, entry);
    await restored.boot();
    await restored.during(restored.desk.settle('A1', 'failed', 'no goods were handed over'));
    await restored.clock.advance(1_000);
    expect(restored.ledger.standing('A1')).toEqual([]);
    expect(await restored.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
  });
});

describe('the reversal ahead of an offline record, where the gateway does not take it', () => {
  const afterHandOver = 'reverse';
  const policy = { ...OFFLINE_POLICY, offline: { ...OFFLINE_POLICY.offline, afterHandOver } } as const;

  /** Booked twice: online, whose answer was lost, and by the record behind the reversal that is parked. */
  async function bookedTwice(): Promise<Store> {
    const parked = await store(({ kind }) => kind === 'reversal', new World({ policy }));
    const { world } = parked;
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(1_234) });
    await world.clock.advance(12);
    world.wire.set('down');
    expect(await world.during(call)).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    await link(world, 'up');
    expect(await world.desk.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
    expect(world.ledger.standing('A1')).toHaveLength(2);
    return parked;
  }

  async function expectNothingLeft({ ledger, desk }: World): Promise<void> {
    expect(await desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(ledger.standing('A1')).toEqual([]);
    expect(desk.queue()).toMatchObject({ depth: 0, parked: 0, items: [] });
    expect(desk.status().parked).toEqual([]);
  }

  it('is sent anew with the till’s own: nothing is left behind, at the gateway and here', async () => {
    const { world } = await bookedTwice();
    world.ledger.parks = () => false;
    await world.during(world.desk.reverse('A1'));
    await expectNothingLeft(world);
  });

  it('keeps the reversed sale before a person while it stays parked, over restarts, and is sent once more', async () => {
    const { world } = await bookedTwice();
    const booked = world.ledger.standing('A1').find(({ kind }) => kind === 'authorization');
    world.ledger.parks = ({ body }) =>
      'originalMessageId' in body && body.originalMessageId === booked?.messageId;
    await world.during(world.desk.reverse('A1'));
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'parked', outcome: 'reversed' });
    await world.crash();
    expect(world.desk.status().parked).toMatchObject([{ reference: 'A1' }]);
    expect(world.ledger.standing('A1')).toEqual([booked]);
    world.ledger.parks = () => false;
    await world.during(world.desk.reverse('A1'));
    await world.clock.advance(1_000);
    await expectNothingLeft(world);
  });

  it('is sent anew where a person settles the sale as none', async () => {
    const { world } = await bookedTwice();
    world.ledger.parks = () => false;
    await world.during(world.desk.settle('A1', 'reversed', 'the customer paid cash'));
    await world.clock.advance(1_000);
    await expectNothingLeft(world);
  });

  it('is sent anew where a person settles the sale as approved: it is charged once', async () => {
    const { world } = await bookedTwice();
    world.ledger.parks = () => false;
    await world.during(world.desk.settle('A1', 'approved', 'the goods are gone'));
    await world.clock.advance(1_000);
    expect(world.ledger.standing('A1')).toMatchObject([{ kind: 'offline' }]);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(world.desk.status().parked).toEqual([]);
  });

  it.each(['approved', 'reversed'] as const)(
    'calls a person again where it is parked again, who settles it for good as %s',
    async (outcome) => {
      const { world } = await bookedTwice();
      await world.during(world.desk.settle('A1', outcome, 'seen'));
      await world.clock.advance(1_000);
      expect(world.desk.status().parked).toMatchObject([{ reference: 'A1' }]);
      await world.during(world.desk.settle('A1', outcome, 'undone by hand at the acquirer'));
      await world.clock.advance(1_000);
      expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome });
      expect(world.desk.status().parked).toEqual([]);
      expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 0 });
    },
  );

  it('ends the reversed sale when a person at the gateway has it tried again', async () => {
    const { world } = await bookedTwice();
    const kept: StreamEnvelope[] = [];
    const booked = world.ledger.standing('A1').find(({ kind }) => kind === 'authorization');
    world.ledger.parks = (envelope) => {
      const { body } = envelope;
      const isIt = 'originalMessageId' in body && body.originalMessageId === booked?.messageId;
      return isIt && kept.push(envelope) > 0;
    };
    await world.during(world.desk.reverse('A1'));
    for (const envelope of kept) world.ledger.take(envelope);
    await link(world, 'down');
    await link(world, 'up');
    await expectNothingLeft(world);
  });
});
