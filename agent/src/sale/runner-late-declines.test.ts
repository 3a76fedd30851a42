import { describe, expect, it } from 'vitest';
import { JournalUnavailable } from '../journal/journal.js';
import type { SalePolicy } from './machine/state/policy.js';
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
import { SaleHarness, TERMINALS } from './sale-harness.test.support.js';
import type { TillEvent } from './service/sale-service.js';
import { NO_FAULTS } from './wire.test.support.js';

const HOUR_MS = 3_600_000;
const EUR = (minor: number) => ({ minor, currency: 'EUR' });

/** One approval for each card at a time. */
const ONE_PER_CARD: SalePolicy = {
  ...DEFERRING,
  offline: { ...DEFERRING.offline, maxPerCard: 1 },
};

function listen(harness: SaleHarness): TillEvent[] {
  const events: TillEvent[] = [];
  harness.service.onEvent((event) => events.push(event));
  return events;
}

const tap = () => ({ kind: 'online-required', card: tappedCard() }) as const;

describe('a deferred authorization', () => {
  it('records the ARQC of a tap as deferred for ever, and requests the authorization when there is a link', async () => {
    const harness = await new SaleHarness({ policy: DEFERRING }).boot();
    harness.wire.set('down');
    harness.driver().reads = tap;
    const answer = await harness.sell({ reference: 'D1' });
    expect(answer).toMatchObject({
      state: 'done',
      outcome: 'approved',
      mode: 'offline-deferred',
      emv: { acType: 'ARQC' },
    });
    expect(answer.receipts?.customer).toContain('NOT AUTHORIZED');
    expect(answer.cashierText).toContain('without authorization');
    expect(harness.driver().log.slice(1)).toEqual(['finish TAKEN OFFLINE']);
    expect(harness.service.queue()).toMatchObject({
      items: [{ reference: 'D1', kind: 'offlineRecord', approval: 'deferred' }],
      limitsLeft: [{ amount: '137.66', deferred: { amount: '37.66', count: 4 } }],
    });
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    const [record] = harness.ledger.records;
    expect(record?.body).toMatchObject({ kind: 2, expired: false, decidedAtMs: expect.any(Number) });
    // The first cryptogram as the card gave it: that of an ending would be none the issuer could judge.
    expect(Buffer.from(record?.body.pos?.iccData ?? [])).toEqual(Buffer.from(iccData(ARQC)));
    expect(await harness.service.get('D1')).toMatchObject({ outcome: 'approved', mode: 'offline-deferred' });
    expect((await harness.service.get('D1')).receipts?.customer).toContain('AUTHORIZED LATER');
  });

  it('ends a chip that only the issuer could approve, and keeps its ARQC', async () => {
    const harness = await new SaleHarness({ policy: DEFERRING }).boot();
    harness.wire.set('down');
    harness.driver().completes = () => ({ kind: 'declined', iccData: iccData(AAC, { '8A': '5A33' }) });
    const answer = await harness.sell({ reference: 'D1' });
    expect(answer).toMatchObject({ mode: 'offline-deferred', emv: { acType: 'ARQC', arc: 'Z3' } });
    expect(answer.timeline.map(({ step }) => step)).toContain('card-declined');
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    const [record] = harness.ledger.records;
    expect(Buffer.from(record?.body.pos?.iccData ?? [])).toEqual(Buffer.from(iccData(ARQC)));
  });

  it('is never made with an online PIN, nor where it is not switched on', async () => {
    const pin = { data: Buffer.alloc(8, 1), ksn: Buffer.alloc(10, 2) };
    for (const [policy, card] of [
      [DEFERRING, tappedCard({ pin })],
      [OFFLINE_POLICY, tappedCard()],
    ] as const) {
      const harness = await new SaleHarness({ policy }).boot();
      harness.wire.set('down');
      harness.driver().reads = () => ({ kind: 'online-required', card });
      expect(await harness.sell({ reference: 'D1' })).toMatchObject({ outcome: 'failed', mode: null });
      expect(harness.service.queue().depth).toBe(0);
    }
  });

  it('after a hand-over goes out behind the reversal of the request', async () => {
    const policy = { ...DEFERRING, offline: { ...DEFERRING.offline, afterHandOver: 'reverse' as const } };
    const harness = await new SaleHarness({ policy }).boot();
    harness.driver().reads = tap;
    const call = harness.service.request({ reference: 'D1', type: 'sale', amount: EUR(100) });
    await harness.clock.advance(12);
    harness.wire.set('down');
    expect(await harness.during(call)).toMatchObject({ outcome: 'approved', mode: 'offline-deferred' });
    expect(harness.kinds('D1').slice(-3)).toEqual(['preceding-reversal', 'offline-record', 'ended']);
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.ledger.standing('D1')).toMatchObject([{ kind: 'offline' }]);
  });
});

describe('money that does not come', () => {
  async function declinedLater(reference = 'L1') {
    const harness = await new SaleHarness({ policy: ONE_PER_CARD }).boot();
    harness.wire.set('down');
    await harness.sell({ reference });
    harness.ledger.approves = () => false;
    const events = listen(harness);
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    harness.ledger.approves = () => true;
    return { harness, events };
  }

  it('is an event, a line in the status and in the queue, on the receipt and for the cashier', async () => {
    const { harness, events } = await declinedLater();
    expect(events.filter(({ type }) => type === 'declined-later')).toMatchObject([
      { sale: { reference: 'L1', outcome: 'declined', lateDecline: { reason: 'declined-later' } } },
    ]);
    expect(harness.service.status().queue).toMatchObject({ depth: 0, lateDeclines: 1 });
    expect(harness.service.queue().lateDeclines).toMatchObject([
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
    expect(JSON.stringify(harness.service.queue())).not.toContain('fingerprint');
    const sale = await harness.service.get('L1');
    expect(sale.receipts?.merchant).toContain('DECLINED LATER');
    expect(sale.cashierText).toContain('no money was received');
  });

  it('is kept over restarts until it is acknowledged, once and for all', async () => {
    const { harness } = await declinedLater();
    await harness.crash();
    expect(harness.service.queue().lateDeclines).toHaveLength(1);
    expect(harness.service.status().open).toEqual([]);
    const events = listen(harness);
    const noted = await harness.service.acknowledge('L1', 'Tessa');
    expect(noted).toMatchObject({
      outcome: 'declined',
      lateDecline: { reason: 'declined-later', acknowledgedBy: 'Tessa', acknowledgedAt: expect.any(String) },
    });
    expect(events.filter(({ type }) => type === 'sale')).toMatchObject([
      { step: 'late-decline-acknowledged' },
    ]);
    expect(harness.service.queue().lateDeclines).toEqual([]);
    expect(await harness.service.acknowledge('L1', 'Otto')).toEqual(noted);
    await harness.crash();
    expect(harness.service.queue().lateDeclines).toEqual([]);
    expect(await harness.service.get('L1')).toEqual(noted);
    expect([...harness.disk.openSales]).toEqual([]);
  });

  it('keeps its card from another sale offline until then', async () => {
    const { harness } = await declinedLater();
    await harness.crash();
    harness.wire.set('down');
    const refused = await harness.sell({ reference: 'L2' });
    expect(refused).toMatchObject({ outcome: 'failed' });
    expect(refused.timeline.at(-1)?.detail).toContain('card-lost-before');
    await harness.service.acknowledge('L1');
    expect(await harness.sell({ reference: 'L3' })).toMatchObject({ outcome: 'approved' });
  });

  it('is not there where the sale is in order, parked, or unknown', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'ok' });
    await expect(harness.service.acknowledge('ok')).rejects.toThrow(
      /sale ok: it is approved; only an offline/,
    );
    await expect(harness.service.acknowledge('absent')).rejects.toThrow(/no sale absent/);
    harness.wire.set('down');
    await harness.sell({ reference: 'parked' });
    harness.ledger.parks = () => true;
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    await expect(harness.service.acknowledge('parked')).rejects.toThrow(/it is parked: resolve it/);
  });

  it('is not reported twice of a sale that a till had reversed before', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'L1' });
    const reversed = harness.service.reverse('L1');
    harness.ledger.approves = () => false;
    harness.wire.set('up');
    await harness.during(reversed);
    expect(harness.service.queue().lateDeclines).toEqual([]);
  });
});

describe('a record that waits too long', () => {
  async function tooOld() {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'E1' });
    const events = listen(harness);
    await harness.clock.advance(24 * HOUR_MS);
    return { harness, events };
  }

  it('is sent as expired as soon as it is too old, and ends when the gateway has acknowledged that', async () => {
    const { harness, events } = await tooOld();
    expect(events.filter(({ type }) => type === 'sale')).toMatchObject([{ step: 'too-old' }]);
    expect(await harness.service.get('E1')).toMatchObject({ state: 'done', outcome: 'approved' });
    expect((await harness.service.get('E1')).cashierText).toContain('do not count on the money');
    expect(harness.service.queue().items).toMatchObject([
      { reference: 'E1', state: 'waiting', expired: true },
    ]);
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.ledger.records).toMatchObject([{ body: { expired: true } }]);
    expect(harness.ledger.entries.size).toBe(0);
    expect(await harness.service.get('E1')).toMatchObject({
      state: 'done',
      outcome: 'expired',
      mode: 'offline-card',
    });
    expect(events.filter(({ type }) => type === 'expired')).toHaveLength(1);
    expect(harness.service.queue()).toMatchObject({
      depth: 0,
      lateDeclines: [{ reason: 'expired-offline' }],
    });
    expect(harness.disk.blobs.size).toBe(0);
  });

  it('stands where the gateway had taken it before: its answer was lost, not the sale', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'E1' });
    harness.wire.faultRates = { ...NO_FAULTS, dropAnswer: () => true };
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.ledger.standing('E1')).toHaveLength(1);
    harness.wire.set('down');
    await harness.clock.advance(25 * HOUR_MS);
    harness.wire.faultRates = NO_FAULTS;
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(harness.ledger.records.map(({ body }) => body.expired)).toEqual([false]);
    expect(harness.ledger.standing('E1')).toHaveLength(1);
    expect(await harness.service.get('E1')).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    expect(harness.service.queue()).toMatchObject({ depth: 0, lateDeclines: [] });
  });

  it('is too old after a restart as well, noted before it is sent', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'E1' });
    await harness.crash('down');
    harness.clock.jumpWall(25 * HOUR_MS);
    await harness.crash('up');
    await harness.clock.advance(1_000);
    expect(harness.kinds('E1').slice(-3)).toEqual(['too-old', 'acknowledged', 'ended']);
    expect(await harness.service.get('E1')).toMatchObject({ outcome: 'expired' });
  });

  it('is not made younger by a clock that is set back (P6)', async () => {
    const { harness } = await tooOld();
    harness.clock.jumpWall(-48 * HOUR_MS);
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(await harness.service.get('E1')).toMatchObject({ outcome: 'expired' });
  });

  it('is noted when the disk is back, where it could not be', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'E1' });
    harness.journal.fail('disk-full');
    await harness.clock.advance(24 * HOUR_MS);
    expect(harness.kinds('E1')).not.toContain('too-old');
    harness.journal.repair();
    await harness.clock.advance(5_000);
    expect(harness.kinds('E1')).toContain('too-old');
  });
});

describe('a card', () => {
  it('is taken once on two terminals at once', async () => {
    const harness = await new SaleHarness({ policy: ONE_PER_CARD, terminals: TERMINALS }).boot();
    harness.wire.set('down');
    const later = (ms: number) => () =>
      new Promise<{ kind: 'approved'; iccData: Uint8Array }>((resolve) => {
        harness.clock.setTimer(ms, () => resolve({ kind: 'approved', iccData: iccData(0x40) }));
      });
    // Both cards decide before either record is on disk.
    harness.driver('11').completes = later(500);
    harness.driver('22').completes = later(400);
    const sales = ['11', '22'].map((terminalId) =>
      harness.service.request({ reference: `S${terminalId}`, type: 'sale', amount: EUR(100), terminalId }),
    );
    const answers = await harness.during(Promise.all(sales));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['approved', 'failed']);
    expect(harness.service.queue().depth).toBe(1);
    // The other terminal never requested a TC from its card that could not count.
    const requested = TERMINALS.flatMap((id) => harness.driver(id).log).filter((line) =>
      line.endsWith('unable-to-go-online'),
    );
    expect(requested).toHaveLength(1);
  });

  it('is taken once where two records are on their way to a slow disk', async () => {
    const harness = await new SaleHarness({ policy: ONE_PER_CARD, terminals: TERMINALS }).boot();
    harness.wire.set('down');
    const append = harness.journal.append.bind(harness.journal);
    harness.journal.append = async (write) => {
      await new Promise<void>((resolve) => void harness.clock.setTimer(50, resolve));
      return append(write);
    };
    for (const id of TERMINALS) {
      harness.driver(id).reads = () => ({ kind: 'approved-offline', card: chipCard(TC) });
    }
    const sales = TERMINALS.map((terminalId) =>
      harness.service.request({ reference: `S${terminalId}`, type: 'sale', amount: EUR(100), terminalId }),
    );
    const answers = await harness.during(Promise.all(sales));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['approved', 'failed']);
  });

  it('stays taken while the disk may hold a record that it reported as lost', async () => {
    const harness = await new SaleHarness({ policy: ONE_PER_CARD, terminals: TERMINALS }).boot();
    harness.wire.set('down');
    const append = harness.journal.append.bind(harness.journal);
    harness.journal.append = async (write) => {
      const rows = await append(write);
      if (!write.rows.some(({ kind }) => kind === 'offline-record')) return rows;
      harness.journal.append = append;
      throw new JournalUnavailable('overloaded', 'the disk took too long');
    };
    const [first, second] = TERMINALS;
    const selling = harness.sell({ reference: 'S1', terminalId: first });
    const refused = await harness.sell({ reference: 'S2', terminalId: second });
    expect(refused.timeline.at(-1)?.detail).toContain('card-count-limit-reached');
    // Found out and reversed: from then on the rows show it.
    expect(await selling).toMatchObject({ state: 'reversing', outcome: null });
    expect(harness.kinds('S1')).toContain('reversal');
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    harness.wire.set('down');
    expect(await harness.sell({ reference: 'S3', terminalId: second })).toMatchObject({
      outcome: 'approved',
    });
  });

  it('is free again where the card declined', async () => {
    const harness = await new SaleHarness({ policy: ONE_PER_CARD, terminals: TERMINALS }).boot();
    harness.wire.set('down');
    harness.driver('11').completes = () => ({ kind: 'failed', failure: 'card-removed', detail: 'gone' });
    expect(await harness.sell({ reference: 'S1', terminalId: '11' })).toMatchObject({ outcome: 'failed' });
    expect(await harness.sell({ reference: 'S2', terminalId: '22' })).toMatchObject({ outcome: 'approved' });
  });

  it('counts parked money until it is resolved, also after a restart', async () => {
    const harness = await new SaleHarness({ policy: ONE_PER_CARD }).boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'P1' });
    harness.ledger.parks = () => true;
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    await harness.crash();
    harness.wire.set('down');
    expect(harness.service.queue()).toMatchObject({ depth: 0, parked: 1, sums: { EUR: '12.34' } });
    expect(harness.service.queue().limitsLeft).toMatchObject([{ amount: '137.66', count: 59 }]);
    expect((await harness.sell({ reference: 'P2' })).timeline.at(-1)?.detail).toContain(
      'card-count-limit-reached',
    );
    await harness.service.resolve('P1', 'approved', 'seen on the statement');
    expect(harness.service.queue()).toMatchObject({ parked: 0, sums: {} });
    expect(await harness.sell({ reference: 'P3' })).toMatchObject({ outcome: 'approved' });
  });

  it('may be any card’s while the key of fingerprints is another', async () => {
    const harness = await new SaleHarness({ policy: ONE_PER_CARD }).boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'K1' });
    const facts = { ...chipCard().facts, last4Digits: '9999' };
    harness.driver().reads = () => ({ kind: 'online-required', card: chipCard(ARQC, { facts }) });
    expect(await harness.sell({ reference: 'K2' })).toMatchObject({ outcome: 'approved' });
    harness.fingerprintKey = Buffer.alloc(32, 8);
    await harness.crash('down');
    const other = { ...facts, last4Digits: '8888' };
    harness.driver().reads = () => ({ kind: 'online-required', card: chipCard(ARQC, { facts: other }) });
    expect(await harness.sell({ reference: 'K3' })).toMatchObject({ outcome: 'failed' });
  });
});
