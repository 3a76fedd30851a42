import { describe, expect, it } from 'vitest';
import { JournalUnavailable } from '../journal/journal.js';
import type { DeskEvent } from './desk.js';
import type { SalePolicy } from './policy.js';
import {
  AAC,
  ARQC,
  chipCard,
  DEFERRING,
  iccData,
  OFFLINE_POLICY,
  TC,
  tappedCard,
} from './sale.test.support.js';
import { FAIR } from './wire.test.support.js';
import { TERMINALS, World } from './world.test.support.js';

const HOUR_MS = 3_600_000;
const EUR = (minor: number) => ({ minor, currency: 'EUR' });

/** One approval for each card at a time. */
const ONE_PER_CARD: SalePolicy = {
  ...DEFERRING,
  offline: { ...DEFERRING.offline, maxPerCard: 1 },
};

function listen(world: World): DeskEvent[] {
  const events: DeskEvent[] = [];
  world.desk.onEvent((event) => events.push(event));
  return events;
}

const tap = () => ({ kind: 'online-required', card: tappedCard() }) as const;

describe('a deferred authorization', () => {
  it('keeps the ARQC of a tap, is told apart for ever, and is asked for when there is a link', async () => {
    const world = await new World({ policy: DEFERRING }).boot();
    world.wire.set('down');
    world.driver().reads = tap;
    const answer = await world.sell({ reference: 'D1' });
    expect(answer).toMatchObject({
      state: 'done',
      outcome: 'approved',
      mode: 'offline-deferred',
      emv: { acType: 'ARQC' },
    });
    expect(answer.receipts?.customer).toContain('NOT AUTHORIZED');
    expect(answer.cashierText).toContain('without authorization');
    expect(world.driver().log.slice(1)).toEqual(['finish TAKEN OFFLINE']);
    expect(world.desk.queue()).toMatchObject({
      items: [{ reference: 'D1', kind: 'offlineRecord', approval: 'deferred' }],
      limitsLeft: [{ amount: '137.66', deferred: { amount: '37.66', count: 4 } }],
    });
    world.wire.set('up');
    await world.clock.advance(1_000);
    const [record] = world.ledger.records;
    expect(record?.body).toMatchObject({ kind: 2, expired: false, decidedAtMs: expect.any(Number) });
    // The first cryptogram as the card gave it: that of an ending would be none the issuer could judge.
    expect(Buffer.from(record?.body.pos?.iccData ?? [])).toEqual(Buffer.from(iccData(ARQC)));
    expect(await world.desk.get('D1')).toMatchObject({ outcome: 'approved', mode: 'offline-deferred' });
    expect((await world.desk.get('D1')).receipts?.customer).toContain('AUTHORIZED LATER');
  });

  it('ends a chip that only the issuer could approve, and keeps its ARQC', async () => {
    const world = await new World({ policy: DEFERRING }).boot();
    world.wire.set('down');
    world.driver().completes = () => ({ kind: 'declined', iccData: iccData(AAC, { '8A': '5A33' }) });
    const answer = await world.sell({ reference: 'D1' });
    expect(answer).toMatchObject({ mode: 'offline-deferred', emv: { acType: 'ARQC', arc: 'Z3' } });
    expect(answer.timeline.map(({ step }) => step)).toContain('card-declined');
    world.wire.set('up');
    await world.clock.advance(1_000);
    const [record] = world.ledger.records;
    expect(Buffer.from(record?.body.pos?.iccData ?? [])).toEqual(Buffer.from(iccData(ARQC)));
  });

  it('is never made with an online PIN, nor where nobody switched it on', async () => {
    const pin = { data: Buffer.alloc(8, 1), ksn: Buffer.alloc(10, 2) };
    for (const [policy, card] of [
      [DEFERRING, tappedCard({ pin })],
      [OFFLINE_POLICY, tappedCard()],
    ] as const) {
      const world = await new World({ policy }).boot();
      world.wire.set('down');
      world.driver().reads = () => ({ kind: 'online-required', card });
      expect(await world.sell({ reference: 'D1' })).toMatchObject({ outcome: 'failed', mode: null });
      expect(world.desk.queue().depth).toBe(0);
    }
  });

  it('after a hand-over goes out behind the reversal of the request', async () => {
    const policy = { ...DEFERRING, offline: { ...DEFERRING.offline, afterHandOver: 'reverse' as const } };
    const world = await new World({ policy }).boot();
    world.driver().reads = tap;
    const call = world.desk.request({ reference: 'D1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(12);
    world.wire.set('down');
    expect(await world.during(call)).toMatchObject({ outcome: 'approved', mode: 'offline-deferred' });
    expect(world.kinds('D1').slice(-3)).toEqual(['preceding-reversal', 'offline-record', 'ended']);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(world.ledger.standing('D1')).toMatchObject([{ kind: 'offline' }]);
  });
});

describe('money that does not come', () => {
  async function declinedLater(reference = 'L1') {
    const world = await new World({ policy: ONE_PER_CARD }).boot();
    world.wire.set('down');
    await world.sell({ reference });
    world.ledger.approves = () => false;
    const events = listen(world);
    world.wire.set('up');
    await world.clock.advance(1_000);
    world.ledger.approves = () => true;
    return { world, events };
  }

  it('is an event, a line in the status and in the queue, on the receipt and for the cashier', async () => {
    const { world, events } = await declinedLater();
    expect(events.filter(({ type }) => type === 'declined-later')).toMatchObject([
      { sale: { reference: 'L1', outcome: 'declined', loss: { reason: 'declined-later' } } },
    ]);
    expect(world.desk.status().queue).toMatchObject({ depth: 0, losses: 1 });
    expect(world.desk.queue().losses).toMatchObject([
      {
        reference: 'L1',
        terminalId: '11',
        amount: '12.34',
        currency: 'EUR',
        approval: 'card-approved',
        reason: 'declined-later',
        detail: '800.100.152',
        last4Digits: '0119',
      },
    ]);
    expect(JSON.stringify(world.desk.queue())).not.toContain('fingerprint');
    const sale = await world.desk.get('L1');
    expect(sale.receipts?.merchant).toContain('DECLINED LATER');
    expect(sale.cashierText).toContain('no money was received');
  });

  it('is kept over restarts until somebody takes note, once and for all', async () => {
    const { world } = await declinedLater();
    await world.crash();
    expect(world.desk.queue().losses).toHaveLength(1);
    expect(world.desk.status().open).toEqual([]);
    const events = listen(world);
    const noted = await world.desk.acknowledge('L1', 'Tessa');
    expect(noted).toMatchObject({
      outcome: 'declined',
      loss: { reason: 'declined-later', acknowledgedBy: 'Tessa', acknowledgedAt: expect.any(String) },
    });
    expect(events.filter(({ type }) => type === 'sale')).toMatchObject([{ step: 'seen' }]);
    expect(world.desk.queue().losses).toEqual([]);
    expect(await world.desk.acknowledge('L1', 'Otto')).toEqual(noted);
    await world.crash();
    expect(world.desk.queue().losses).toEqual([]);
    expect(await world.desk.get('L1')).toEqual(noted);
    expect([...world.disk.openSales]).toEqual([]);
  });

  it('keeps its card from another sale offline until then', async () => {
    const { world } = await declinedLater();
    await world.crash();
    world.wire.set('down');
    const refused = await world.sell({ reference: 'L2' });
    expect(refused).toMatchObject({ outcome: 'failed' });
    expect(refused.timeline.at(-1)?.detail).toContain('card-lost-before');
    await world.desk.acknowledge('L1');
    expect(await world.sell({ reference: 'L3' })).toMatchObject({ outcome: 'approved' });
  });

  it('is not there where the sale is in order, parked, or unknown', async () => {
    const world = await new World().boot();
    await world.sell({ reference: 'ok' });
    await expect(world.desk.acknowledge('ok')).rejects.toThrow(/sale ok: it is approved; only an offline/);
    await expect(world.desk.acknowledge('nobody')).rejects.toThrow(/no sale nobody/);
    world.wire.set('down');
    await world.sell({ reference: 'parked' });
    world.ledger.parks = () => true;
    world.wire.set('up');
    await world.clock.advance(1_000);
    await expect(world.desk.acknowledge('parked')).rejects.toThrow(/it is parked: settle it/);
  });

  it('is not told twice of a sale that a till had reversed before', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'L1' });
    const reversed = world.desk.reverse('L1');
    world.ledger.approves = () => false;
    world.wire.set('up');
    await world.during(reversed);
    expect(world.desk.queue().losses).toEqual([]);
  });
});

describe('a record that waits too long', () => {
  async function tooOld() {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'E1' });
    const events = listen(world);
    await world.clock.advance(24 * HOUR_MS);
    return { world, events };
  }

  it('is told as soon as it is too old, and ends as expired when the gateway has taken note', async () => {
    const { world, events } = await tooOld();
    expect(events.filter(({ type }) => type === 'sale')).toMatchObject([{ step: 'too-old' }]);
    expect(await world.desk.get('E1')).toMatchObject({ state: 'done', outcome: 'approved' });
    expect((await world.desk.get('E1')).cashierText).toContain('count on no money');
    expect(world.desk.queue().items).toMatchObject([{ reference: 'E1', state: 'waiting', expired: true }]);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(world.ledger.records).toMatchObject([{ body: { expired: true } }]);
    expect(world.ledger.entries.size).toBe(0);
    expect(await world.desk.get('E1')).toMatchObject({
      state: 'done',
      outcome: 'expired',
      mode: 'offline-card',
    });
    expect(events.filter(({ type }) => type === 'expired')).toHaveLength(1);
    expect(world.desk.queue()).toMatchObject({ depth: 0, losses: [{ reason: 'expired-offline' }] });
    expect(world.disk.blobs.size).toBe(0);
  });

  it('stands where the gateway had taken it before: its answer was lost, not the sale', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'E1' });
    world.wire.weather = { ...FAIR, dropAnswer: () => true };
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(world.ledger.standing('E1')).toHaveLength(1);
    world.wire.set('down');
    await world.clock.advance(25 * HOUR_MS);
    world.wire.weather = FAIR;
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(world.ledger.records.map(({ body }) => body.expired)).toEqual([false]);
    expect(world.ledger.standing('E1')).toHaveLength(1);
    expect(await world.desk.get('E1')).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    expect(world.desk.queue()).toMatchObject({ depth: 0, losses: [] });
  });

  it('is too old after a restart as well, noted before it is sent', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'E1' });
    await world.crash('down');
    world.clock.jumpWall(25 * HOUR_MS);
    await world.crash('up');
    await world.clock.advance(1_000);
    expect(world.kinds('E1').slice(-3)).toEqual(['too-old', 'acknowledged', 'ended']);
    expect(await world.desk.get('E1')).toMatchObject({ outcome: 'expired' });
  });

  it('is not made younger by a clock that is set back (P6)', async () => {
    const { world } = await tooOld();
    world.clock.jumpWall(-48 * HOUR_MS);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(await world.desk.get('E1')).toMatchObject({ outcome: 'expired' });
  });

  it('is noted when the disk is back, where it could not be', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'E1' });
    world.journal.fail('disk-full');
    await world.clock.advance(24 * HOUR_MS);
    expect(world.kinds('E1')).not.toContain('too-old');
    world.journal.repair();
    await world.clock.advance(5_000);
    expect(world.kinds('E1')).toContain('too-old');
  });
});

describe('a card', () => {
  it('is taken once on two terminals at once', async () => {
    const world = await new World({ policy: ONE_PER_CARD, terminals: TERMINALS }).boot();
    world.wire.set('down');
    const later = (ms: number) => () =>
      new Promise<{ kind: 'approved'; iccData: Uint8Array }>((resolve) => {
        world.clock.setTimer(ms, () => resolve({ kind: 'approved', iccData: iccData(0x40) }));
      });
    // Both cards are asked before either record is on disk.
    world.driver('11').completes = later(500);
    world.driver('22').completes = later(400);
    const sales = ['11', '22'].map((terminalId) =>
      world.desk.request({ reference: `S${terminalId}`, type: 'sale', amount: EUR(100), terminalId }),
    );
    const answers = await world.during(Promise.all(sales));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['approved', 'failed']);
    expect(world.desk.queue().depth).toBe(1);
    // The other terminal never asked its card for a TC that could not count.
    const asked = TERMINALS.flatMap((id) => world.driver(id).log).filter((line) =>
      line.endsWith('unable-to-go-online'),
    );
    expect(asked).toHaveLength(1);
  });

  it('is taken once where two records are on their way to a slow disk', async () => {
    const world = await new World({ policy: ONE_PER_CARD, terminals: TERMINALS }).boot();
    world.wire.set('down');
    const append = world.journal.append.bind(world.journal);
    world.journal.append = async (write) => {
      await new Promise<void>((resolve) => void world.clock.setTimer(50, resolve));
      return append(write);
    };
    for (const id of TERMINALS) {
      world.driver(id).reads = () => ({ kind: 'approved-offline', card: chipCard(TC) });
    }
    const sales = TERMINALS.map((terminalId) =>
      world.desk.request({ reference: `S${terminalId}`, type: 'sale', amount: EUR(100), terminalId }),
    );
    const answers = await world.during(Promise.all(sales));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['approved', 'failed']);
  });

  it('stays taken while nobody knows whether the disk has kept a record that it reported as lost', async () => {
    const world = await new World({ policy: ONE_PER_CARD, terminals: TERMINALS }).boot();
    world.wire.set('down');
    const append = world.journal.append.bind(world.journal);
    world.journal.append = async (write) => {
      const rows = await append(write);
      if (!write.rows.some(({ kind }) => kind === 'offline-record')) return rows;
      world.journal.append = append;
      throw new JournalUnavailable('overloaded', 'the disk took too long');
    };
    const [first, second] = TERMINALS;
    const asked = world.sell({ reference: 'S1', terminalId: first });
    const refused = await world.sell({ reference: 'S2', terminalId: second });
    expect(refused.timeline.at(-1)?.detail).toContain('card-count-limit-reached');
    // Found out and undone: from then on the rows tell.
    expect(await asked).toMatchObject({ state: 'reversing', outcome: null });
    expect(world.kinds('S1')).toContain('reversal');
    world.wire.set('up');
    await world.clock.advance(1_000);
    world.wire.set('down');
    expect(await world.sell({ reference: 'S3', terminalId: second })).toMatchObject({ outcome: 'approved' });
  });

  it('is free again where it was asked and said no', async () => {
    const world = await new World({ policy: ONE_PER_CARD, terminals: TERMINALS }).boot();
    world.wire.set('down');
    world.driver('11').completes = () => ({ kind: 'failed', failure: 'card-removed', detail: 'gone' });
    expect(await world.sell({ reference: 'S1', terminalId: '11' })).toMatchObject({ outcome: 'failed' });
    expect(await world.sell({ reference: 'S2', terminalId: '22' })).toMatchObject({ outcome: 'approved' });
  });

  it('counts parked money until it is settled, also after a restart', async () => {
    const world = await new World({ policy: ONE_PER_CARD }).boot();
    world.wire.set('down');
    await world.sell({ reference: 'P1' });
    world.ledger.parks = () => true;
    world.wire.set('up');
    await world.clock.advance(1_000);
    await world.crash();
    world.wire.set('down');
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 1, sums: { EUR: '12.34' } });
    expect(world.desk.queue().limitsLeft).toMatchObject([{ amount: '137.66', count: 59 }]);
    expect((await world.sell({ reference: 'P2' })).timeline.at(-1)?.detail).toContain(
      'card-count-limit-reached',
    );
    await world.desk.settle('P1', 'approved', 'seen on the statement');
    expect(world.desk.queue()).toMatchObject({ parked: 0, sums: {} });
    expect(await world.sell({ reference: 'P3' })).toMatchObject({ outcome: 'approved' });
  });

  it('may be any card’s while the key of fingerprints is another', async () => {
    const world = await new World({ policy: ONE_PER_CARD }).boot();
    world.wire.set('down');
    await world.sell({ reference: 'K1' });
    const facts = { ...chipCard().facts, last4Digits: '9999' };
    world.driver().reads = () => ({ kind: 'online-required', card: chipCard(ARQC, { facts }) });
    expect(await world.sell({ reference: 'K2' })).toMatchObject({ outcome: 'approved' });
    world.fingerprintKey = Buffer.alloc(32, 8);
    await world.crash('down');
    const other = { ...facts, last4Digits: '8888' };
    world.driver().reads = () => ({ kind: 'online-required', card: chipCard(ARQC, { facts: other }) });
    expect(await world.sell({ reference: 'K3' })).toMatchObject({ outcome: 'failed' });
  });
});
