import { describe, expect, it } from 'vitest';
import type { StreamEnvelope } from '../journal/forward-queue.js';
import { judgeRestored } from './records/restored-sale.js';
import { OFFLINE_POLICY } from './sale.test.support.js';
import { SaleHarness } from './sale-harness.test.support.js';
import { NO_FAULTS } from './wire.test.support.js';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });

/** A harness whose gateway parks what `parks` selects; `retry` has the gateway try all of it again. */
interface Store {
  readonly harness: SaleHarness;
  retry(): void;
}

async function store(
  parks: (envelope: StreamEnvelope) => boolean,
  harness = new SaleHarness(),
): Promise<Store> {
  const kept: StreamEnvelope[] = [];
  harness.ledger.parks = (envelope) => parks(envelope) && kept.push(envelope) > 0;
  await harness.boot();
  return {
    harness,
    retry: () => {
      harness.ledger.parks = () => false;
      for (const envelope of kept) harness.ledger.take(envelope);
    },
  };
}

async function link(harness: SaleHarness, state: 'up' | 'down'): Promise<void> {
  harness.wire.set(state);
  await harness.clock.advance(1_000);
}

async function parkedRecord(): Promise<Store> {
  const parked = await store(({ kind }) => kind === 'offlineRecord');
  await link(parked.harness, 'down');
  await parked.harness.sell({ reference: 'A1' });
  await link(parked.harness, 'up');
  expect(await parked.harness.service.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
  return parked;
}

/** An approval whose answer was lost, reversed in vain: the gateway does not take the reversal. */
async function parkedReversal(): Promise<Store> {
  const parked = await store(({ kind }) => kind === 'reversal');
  const { harness } = parked;
  harness.wire.faultRates = { ...harness.wire.faultRates, dropAnswer: () => true };
  const call = harness.sell({ reference: 'A1' });
  await harness.clock.advance(60_000);
  harness.wire.faultRates = { ...harness.wire.faultRates, dropAnswer: () => false };
  await harness.clock.advance(120_000);
  await call;
  expect(await harness.service.get('A1')).toMatchObject({ state: 'parked' });
  expect(harness.ledger.standing('A1')).toHaveLength(1);
  return parked;
}

async function parkedCapture(minor = 1_000): Promise<Store> {
  const parked = await store(({ kind }) => kind === 'capture');
  await parked.harness.sell({ reference: 'A1', type: 'preauthorization' });
  await parked.harness.during(parked.harness.service.capture('A1', EUR(minor)));
  expect(await parked.harness.service.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
  return parked;
}

describe('a parked offline record resolved manually as no sale', () => {
  it.each(['reversed', 'failed', 'declined'] as const)(
    '%s: it cannot be charged afterwards',
    async (outcome) => {
      const { harness, retry } = await parkedRecord();
      const resolved = await harness.during(harness.service.resolve('A1', outcome, 'the customer paid cash'));
      expect(resolved).toMatchObject({ state: 'done', outcome });
      await harness.clock.advance(1_000);
      retry();
      expect(harness.ledger.standing('A1')).toEqual([]);
      expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome });
      expect((await harness.service.get('A1')).cashierText).toContain('the customer paid cash');
      expect(harness.service.queue()).toMatchObject({ parked: 0, items: [] });
    },
  );

  it('is reversed where it was charged before the cancel-if-unseen arrived', async () => {
    const { harness, retry } = await parkedRecord();
    await link(harness, 'down');
    retry();
    expect(harness.ledger.standing('A1')).toHaveLength(1);
    const resolved = await harness.during(harness.service.resolve('A1', 'failed', 'the customer paid cash'));
    expect(resolved.cashierText).toContain('being reversed');
    await harness.crash('up');
    await harness.clock.advance(1_000);
    expect(harness.ledger.standing('A1')).toEqual([]);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
  });

  it('waits for a person again where that cannot be reversed', async () => {
    const { harness } = await parkedRecord();
    harness.ledger.parks = ({ kind }) => kind === 'reversal';
    await harness.during(harness.service.resolve('A1', 'reversed', 'the customer paid cash'));
    await harness.clock.advance(1_000);
    expect(harness.service.status().parked).toMatchObject([{ reference: 'A1' }]);
    const resolved = await harness.during(harness.service.resolve('A1', 'reversed', 'the acquirer undid it'));
    expect(resolved).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.service.status().parked).toEqual([]);
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
  });
});

describe('a till that resolves or reverses', () => {
  it('is named in the journal and in the timeline', async () => {
    const { harness } = await parkedRecord();
    await harness.during(harness.service.resolve('A1', 'failed', 'paid in cash', 'front-1'));
    await harness.clock.advance(1_000);
    await harness.crash('up');
    const { timeline } = await harness.service.get('A1');
    const by = 'front-1';
    expect(timeline).toContainEqual(
      expect.objectContaining({ step: 'reversal', detail: 'manually-resolved', by }),
    );
    expect(timeline).toContainEqual(
      expect.objectContaining({ step: 'failed', detail: 'manually-resolved: paid in cash', by }),
    );
    await harness.during(harness.sell({ reference: 'A2' }));
    await harness.during(harness.service.reverse('A2', 'front-1'));
    const reversed = (await harness.service.get('A2')).timeline;
    expect(reversed).toContainEqual(expect.objectContaining({ detail: 'reversed-by-till', by }));
    // The store itself has no name.
    await harness.during(harness.sell({ reference: 'A3' }));
    await harness.during(harness.service.reverse('A3'));
    const own = (await harness.service.get('A3')).timeline;
    expect(own.find(({ detail }) => detail === 'reversed-by-till')).not.toHaveProperty('by');
  });

  it('is named when it cancels, while the terminal prompts for a card and while the gateway decides', async () => {
    const harness = await new SaleHarness().boot();
    const cancelled = async (reference: string): Promise<void> => {
      const amount = { minor: 100, currency: 'EUR' };
      await harness.service.request({ reference, type: 'sale', amount }, { wait: false });
      await harness.clock.advance(100);
      const answer = await harness.during(harness.service.cancel(reference, 'front-2'));
      const named = { detail: 'cancelled-by-till', by: 'front-2' };
      expect(answer.timeline).toContainEqual(expect.objectContaining(named));
    };
    harness.wire.faultRates = { ...NO_FAULTS, dropAnswer: () => true };
    await cancelled('C-gateway');
    harness.driver().reads = () => new Promise(() => undefined);
    await cancelled('C-card');
  });
});

describe('a parked offline record resolved manually as approved', () => {
  it('is not charged a second time by a retry', async () => {
    const { harness, retry } = await parkedRecord();
    await harness.during(harness.service.resolve('A1', 'approved', 'entered by hand at the acquirer'));
    await harness.clock.advance(1_000);
    retry();
    expect(harness.ledger.standing('A1')).toEqual([]);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0, sums: {} });
  });

  it('stands where the gateway had taken it before, and nothing is reversed', async () => {
    const { harness, retry } = await parkedRecord();
    await link(harness, 'down');
    retry();
    await harness.during(harness.service.resolve('A1', 'approved', 'the acquirer has it'));
    await link(harness, 'up');
    expect(harness.ledger.standing('A1')).toHaveLength(1);
    expect(await harness.service.get('A1')).toMatchObject({
      state: 'done',
      outcome: 'approved',
      paymentId: expect.any(String),
    });
  });

  it('waits for a person again where the gateway had declined it before', async () => {
    const { harness, retry } = await parkedRecord();
    await link(harness, 'down');
    harness.ledger.approves = () => false;
    retry();
    await harness.during(harness.service.resolve('A1', 'approved', 'the acquirer has it'));
    await harness.crash('up');
    await harness.clock.advance(1_000);
    expect(harness.service.status().parked).toMatchObject([
      { reference: 'A1', code: 'resolved-otherwise', reason: expect.stringContaining('declined') },
    ]);
    expect((await harness.service.get('A1')).cashierText).toContain('Staff must resolve this sale');
    await harness.crash('up');
    expect(harness.service.status().parked).toHaveLength(1);
    await harness.during(harness.service.resolve('A1', 'declined', 'the customer was called'));
    expect(harness.service.status().parked).toEqual([]);
  });
});

describe('a parked reversal', () => {
  it('of a sale resolved manually as approved reverses nothing afterwards', async () => {
    const { harness, retry } = await parkedReversal();
    await harness.during(harness.service.resolve('A1', 'approved', 'the goods are gone'));
    await harness.clock.advance(1_000);
    retry();
    expect(harness.ledger.standing('A1')).toHaveLength(1);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
  });

  it('that was taken before staff resolved the sale as approved parks it again', async () => {
    const { harness, retry } = await parkedReversal();
    await link(harness, 'down');
    retry();
    expect(harness.ledger.standing('A1')).toEqual([]);
    await harness.during(harness.service.resolve('A1', 'approved', 'the goods are gone'));
    await link(harness, 'up');
    expect(harness.service.status().parked).toMatchObject([
      { reference: 'A1', code: 'resolved-otherwise', reason: expect.stringContaining('reversed') },
    ]);
    const resolved = await harness.during(harness.service.resolve('A1', 'reversed', 'seen'));
    expect(resolved).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
  });
});

describe('a gateway that cannot cancel if unseen what was manually resolved', () => {
  it('reverses nothing, and is parked so that staff can have the message dropped there', async () => {
    const { harness } = await store(({ kind }) => kind === 'reversal' || kind === 'cancelIfUnseen');
    await harness.sell({ reference: 'A1' });
    await harness.during(harness.service.reverse('A1'));
    await harness.during(harness.service.resolve('A1', 'approved', 'the goods are gone'));
    await harness.clock.advance(1_000);
    expect(harness.ledger.standing('A1')).toHaveLength(1);
    expect(harness.service.status().parked).toMatchObject([
      { reference: 'A1', reason: expect.stringContaining('could not cancel if unseen') },
    ]);
    const resolved = await harness.during(harness.service.resolve('A1', 'approved', 'dropped there'));
    expect(resolved).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
  });
});

describe('a parked capture', () => {
  it('of a sale resolved manually is not taken afterwards', async () => {
    const { harness, retry } = await parkedCapture();
    await harness.during(harness.service.resolve('A1', 'approved', 'captured at the acquirer'));
    await harness.clock.advance(1_000);
    retry();
    expect(harness.ledger.captured).toEqual([]);
  });

  it('that was taken before parks the sale, and stands as captured', async () => {
    const { harness, retry } = await parkedCapture();
    await link(harness, 'down');
    retry();
    await harness.during(harness.service.resolve('A1', 'approved', 'never mind'));
    expect(await harness.service.get('A1')).toMatchObject({ captures: [{ state: 'withdrawn' }] });
    await link(harness, 'up');
    expect(harness.service.status().parked).toMatchObject([{ reference: 'A1', code: 'resolved-otherwise' }]);
    expect(await harness.service.get('A1')).toMatchObject({ captures: [{ state: 'acknowledged' }] });
    await expect(harness.service.resolve('A1', 'reversed', 'x')).rejects.toThrow(
      /EUR 10.00 of it is captured/,
    );
    const resolved = await harness.during(harness.service.resolve('A1', 'approved', 'seen'));
    expect(resolved.cashierText).toContain('Captured: EUR 10.00');
  });

  it.each([
    ['a part of it', 1_000],
    ['all of it', 1_234],
  ])(
    'of a sale resolved manually as reversed, taken before: %s stands, and the sale is parked again',
    async (_what, minor) => {
      const { harness, retry } = await parkedCapture(minor);
      await link(harness, 'down');
      retry();
      await harness.during(harness.service.resolve('A1', 'reversed', 'never mind'));
      await link(harness, 'up');
      expect(harness.service.status().parked).toMatchObject([{ reference: 'A1' }]);
      expect(await harness.service.get('A1')).toMatchObject({ captures: [{ state: 'acknowledged' }] });
      await expect(harness.service.resolve('A1', 'reversed', 'x')).rejects.toThrow(/of it is captured/);
      const resolved = await harness.during(harness.service.resolve('A1', 'approved', 'seen'));
      expect(resolved).toMatchObject({ state: 'done', outcome: 'approved' });
      await harness.clock.advance(1_000);
      expect(harness.service.status().parked).toEqual([]);
      expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
    },
  );

  it('of a sale resolved manually as reversed is not taken afterwards', async () => {
    const { harness, retry } = await parkedCapture();
    await harness.during(harness.service.resolve('A1', 'reversed', 'never mind'));
    await harness.clock.advance(1_000);
    retry();
    expect(harness.ledger.captured).toEqual([]);
    expect(harness.ledger.standing('A1')).toEqual([]);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
  });

  it.each([
    ['a part of it', 1_000, false],
    ['all of it', 1_234, true],
  ])(
    'of a sale that a till reverses, taken before: %s stands, and the till gets that',
    async (_what, minor, isAll) => {
      const { harness, retry } = await parkedCapture(minor);
      await link(harness, 'down');
      retry();
      await harness.during(harness.service.reverse('A1'));
      await link(harness, 'up');
      const captured = await harness.service.get('A1');
      expect(captured).toMatchObject({
        state: 'done',
        outcome: 'approved',
        captures: [{ state: 'acknowledged' }],
      });
      expect(captured.cashierText).toContain(isAll ? 'reversal' : 'Captured: EUR 10.00');
      expect(harness.ledger.standing('A1')).toMatchObject([{ captured: minor }]);
      expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
    },
  );

  it('of a sale that a till reverses is not taken afterwards', async () => {
    const { harness, retry } = await parkedCapture();
    await harness.during(harness.service.reverse('A1'));
    await harness.clock.advance(1_000);
    retry();
    expect(harness.ledger.captured).toEqual([]);
    expect(harness.ledger.standing('A1')).toEqual([]);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
  });

  it('that was taken keeps the sale parked until staff resolves it, at any end of another', async () => {
    const kept: StreamEnvelope[] = [];
    const { harness } = await store(({ kind }) => kind === 'capture');
    harness.ledger.parks = (envelope) => {
      const isSecond = envelope.kind === 'cancelIfUnseen' && envelope.body.originalMessageId === kept[1]?.id;
      return (envelope.kind === 'capture' || isSecond) && kept.push(envelope) > 0;
    };
    await harness.sell({ reference: 'A1', type: 'preauthorization' });
    await link(harness, 'down');
    for (const captureReference of ['a', 'b'])
      await harness.during(harness.service.capture('A1', EUR(500), { captureReference }));
    await link(harness, 'up');
    await expect(harness.service.capture('A1', EUR(1), { captureReference: 'c' })).rejects.toThrow(
      /is parked/,
    );
    await link(harness, 'down');
    for (const taken of kept.slice(0, 1)) harness.ledger.take(taken);
    await harness.during(harness.service.resolve('A1', 'approved', 'never mind'));
    await link(harness, 'up');
    harness.ledger.parks = () => false;
    for (const word of kept.slice(2)) harness.ledger.take(word);
    await link(harness, 'down');
    await link(harness, 'up');
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
    expect(harness.service.status().parked).toMatchObject([{ reference: 'A1', code: 'resolved-otherwise' }]);
  });

  it('keeps the reversed sale before a person where it cannot be cancelled if unseen', async () => {
    const { harness } = await store(({ kind }) => kind === 'capture' || kind === 'cancelIfUnseen');
    await harness.sell({ reference: 'A1', type: 'preauthorization' });
    await harness.during(harness.service.capture('A1', EUR(1_000)));
    await harness.during(harness.service.reverse('A1'));
    await harness.clock.advance(1_000);
    expect(harness.service.status().parked).toMatchObject([{ reference: 'A1' }]);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'parked', outcome: 'reversed' });
    await harness.during(harness.service.resolve('A1', 'reversed', 'dropped there'));
    expect(harness.service.status().parked).toEqual([]);
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
  });

  it('all of many are cancelled if unseen at once', async () => {
    const { harness, retry } = await store(({ kind }) => kind === 'capture');
    await harness.sell({ reference: 'A1', type: 'preauthorization' });
    harness.wire.set('down');
    for (let part = 1; part <= 20; part += 1) {
      const captured = harness.service.capture('A1', EUR(10), { captureReference: `part-${part}` });
      await harness.during(captured);
    }
    await link(harness, 'up');
    expect(harness.service.queue().parked).toBe(20);
    await harness.during(harness.service.resolve('A1', 'approved', 'captured at the acquirer'));
    await harness.clock.advance(1_000);
    retry();
    expect(harness.ledger.captured).toEqual([]);
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
  });
});

describe('a sale in doubt after a restore', () => {
  it('resolved manually as failed is reversed where it was charged', async () => {
    const before = await new SaleHarness().boot();
    await before.sell({ reference: 'A1' });
    const left = before.disk.rows.filter(({ kind }) => kind === 'accepted' || kind === 'authorizing');
    const { doubt } = judgeRestored(undefined, left);
    const restored = new SaleHarness({ seed: 2 });
    const sale = { reference: 'A1', open: true };
    await restored.journal.append({ atMs: 1, rows: [...left, ...(doubt ? [doubt] : [])], sale });
    for (const [id, entry] of before.ledger.entries) restored.ledger.entries.set(id, entry);
    await restored.boot();
    await restored.during(restored.service.resolve('A1', 'failed', 'no goods were handed over'));
    await restored.clock.advance(1_000);
    expect(restored.ledger.standing('A1')).toEqual([]);
    expect(await restored.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
  });
});

describe('the reversal ahead of an offline record, where the gateway does not take it', () => {
  const afterHandOver = 'reverse';
  const policy = { ...OFFLINE_POLICY, offline: { ...OFFLINE_POLICY.offline, afterHandOver } } as const;

  /** Recorded twice: online, whose answer was lost, and by the record behind the reversal that is parked. */
  async function chargedTwice(): Promise<Store> {
    const parked = await store(({ kind }) => kind === 'reversal', new SaleHarness({ policy }));
    const { harness } = parked;
    const call = harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(1_234) });
    await harness.clock.advance(12);
    harness.wire.set('down');
    expect(await harness.during(call)).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    await link(harness, 'up');
    expect(await harness.service.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
    expect(harness.ledger.standing('A1')).toHaveLength(2);
    return parked;
  }

  async function expectNothingLeft({ ledger, service }: SaleHarness): Promise<void> {
    expect(await service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(ledger.standing('A1')).toEqual([]);
    expect(service.queue()).toMatchObject({ depth: 0, parked: 0, items: [] });
    expect(service.status().parked).toEqual([]);
  }

  it('is sent anew with the till’s own: nothing is left behind, at the gateway and here', async () => {
    const { harness } = await chargedTwice();
    harness.ledger.parks = () => false;
    await harness.during(harness.service.reverse('A1'));
    await expectNothingLeft(harness);
  });

  it('keeps the reversed sale before a person while it stays parked, over restarts, and is sent once more', async () => {
    const { harness } = await chargedTwice();
    const recorded = harness.ledger.standing('A1').find(({ kind }) => kind === 'authorization');
    harness.ledger.parks = ({ body }) =>
      'originalMessageId' in body && body.originalMessageId === recorded?.messageId;
    await harness.during(harness.service.reverse('A1'));
    await harness.clock.advance(1_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'parked', outcome: 'reversed' });
    await harness.crash();
    expect(harness.service.status().parked).toMatchObject([{ reference: 'A1' }]);
    expect(harness.ledger.standing('A1')).toEqual([recorded]);
    harness.ledger.parks = () => false;
    await harness.during(harness.service.reverse('A1'));
    await harness.clock.advance(1_000);
    await expectNothingLeft(harness);
  });

  it('is sent anew where staff resolves the sale as none', async () => {
    const { harness } = await chargedTwice();
    harness.ledger.parks = () => false;
    await harness.during(harness.service.resolve('A1', 'reversed', 'the customer paid cash'));
    await harness.clock.advance(1_000);
    await expectNothingLeft(harness);
  });

  it('is sent anew where staff resolves the sale as approved: it is charged once', async () => {
    const { harness } = await chargedTwice();
    harness.ledger.parks = () => false;
    await harness.during(harness.service.resolve('A1', 'approved', 'the goods are gone'));
    await harness.clock.advance(1_000);
    expect(harness.ledger.standing('A1')).toMatchObject([{ kind: 'offline' }]);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(harness.service.status().parked).toEqual([]);
  });

  it.each(['approved', 'reversed'] as const)(
    'is parked for staff again where it is parked again, and resolved for good as %s',
    async (outcome) => {
      const { harness } = await chargedTwice();
      await harness.during(harness.service.resolve('A1', outcome, 'seen'));
      await harness.clock.advance(1_000);
      expect(harness.service.status().parked).toMatchObject([{ reference: 'A1' }]);
      await harness.during(harness.service.resolve('A1', outcome, 'reversed by hand at the acquirer'));
      await harness.clock.advance(1_000);
      expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome });
      expect(harness.service.status().parked).toEqual([]);
      expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 0 });
    },
  );

  it('ends the reversed sale when a person at the gateway has it tried again', async () => {
    const { harness } = await chargedTwice();
    const kept: StreamEnvelope[] = [];
    const recorded = harness.ledger.standing('A1').find(({ kind }) => kind === 'authorization');
    harness.ledger.parks = (envelope) => {
      const { body } = envelope;
      const isIt = 'originalMessageId' in body && body.originalMessageId === recorded?.messageId;
      return isIt && kept.push(envelope) > 0;
    };
    await harness.during(harness.service.reverse('A1'));
    for (const envelope of kept) harness.ledger.take(envelope);
    await link(harness, 'down');
    await link(harness, 'up');
    await expectNothingLeft(harness);
  });
});
