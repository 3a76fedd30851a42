import { describe, expect, it } from 'vitest';
import { JournalUnavailable } from '../journal/journal.js';
import { DeskRefusal } from './desk.js';
import { DEFAULT_POLICY } from './policy.js';
import { chipCard, iccData, OFFLINE_POLICY } from './sale.test.support.js';
import { FAIR } from './wire.test.support.js';
import { World } from './world.test.support.js';

const LOST_ANSWERS = { ...FAIR, dropAnswer: () => true };
const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const never = <T>() => new Promise<T>(() => undefined);

describe('lost messages', () => {
  it('answer lost: unknown, then reversed, and the cashier may try again', async () => {
    const world = await new World().boot();
    const steps: string[] = [];
    world.desk.onEvent((event) => event.type === 'sale' && steps.push(event.step));
    world.wire.weather = LOST_ANSWERS;
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(DEFAULT_POLICY.answerTimeoutMs + 100);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'unknown', outcome: null });
    world.wire.weather = FAIR;
    const answer = await world.during(call);
    expect(answer).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(answer.cashierText).toContain('The card was NOT charged; it is safe to try again.');
    expect(steps).toEqual([
      'accepted',
      'authorizing',
      'unknown',
      'answered-late',
      'reversal',
      'acknowledged',
      'reversed',
    ]);
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('request lost: a tombstone refuses it should it still arrive', async () => {
    const world = await new World().boot();
    let lost = 1;
    world.wire.weather = { ...FAIR, dropRequest: () => lost-- > 0 };
    expect(await world.sell({ reference: 'A1' })).toMatchObject({ state: 'done', outcome: 'failed' });
    const request = world.wire.sent[0];
    if (!request) throw new Error('no request was sent');
    world.ledger.authorize(request);
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('link lost before the answer, back in time: the sale is approved all the same', async () => {
    const world = await new World().boot();
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(12);
    world.wire.set('down');
    await world.clock.advance(500);
    world.wire.set('up');
    expect(await world.during(call)).toMatchObject({ outcome: 'approved', mode: 'online' });
    expect(world.wire.sent.map((each) => each.kind)).toEqual(['authorizationRequest', 'statusRequest']);
  });

  it('tells a till in bounded time that the end is open', async () => {
    const world = await new World().boot();
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(12);
    world.wire.set('down');
    const limit = OFFLINE_POLICY.answerTimeoutMs + OFFLINE_POLICY.openAnswerWaitMs + 1_000;
    expect(await world.during(call, limit)).toMatchObject({ state: 'unknown', outcome: null });
    expect(world.desk.status().open).toEqual(['A1']);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.desk.status().open).toEqual([]);
  });
});

describe('restart', () => {
  it('fails a sale whose card was still being read', async () => {
    const world = await new World().boot();
    world.driver().reads = never;
    await world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await world.crash();
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'failed' });
    expect((await world.desk.get('A1')).cashierText).toContain('restarted');
  });

  it('resolves a request that may have left, and never sends it again', async () => {
    const world = await new World().boot();
    await world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await world.clock.advance(1);
    expect(world.wire.sent).toHaveLength(1);
    await world.crash();
    await world.clock.advance(10_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.wire.sent.map((each) => each.kind)).not.toContain('authorizationRequest');
  });

  it('undoes an approval that the card never confirmed', async () => {
    const world = await new World().boot();
    world.driver().completes = never;
    await world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await world.clock.advance(100);
    expect(world.kinds('A1').at(-1)).toBe('answered');
    await world.crash();
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('goes on with a reversal and an offline record that had not arrived', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'A1' });
    await world.during(world.desk.reverse('A1'));
    await world.crash('down');
    expect(world.desk.queue().items.map((item) => [item.kind, item.sequence])).toEqual([
      ['offlineRecord', 1],
      ['reversal', 2],
    ]);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });
});

describe('a journal that fails', () => {
  it.each(['disk-full', 'read-only'] as const)(
    'accepts nothing and says why (%s); takes sales again when the disk is back',
    async (reason) => {
      const world = await new World().boot();
      world.journal.fail(reason);
      const refused = world.sell({ reference: 'A1' });
      await expect(refused).rejects.toThrow(DeskRefusal);
      await expect(refused).rejects.toMatchObject({ code: 'journal-unavailable' });
      expect(world.desk.status().journal).toMatchObject({ state: 'unavailable', reason });
      world.journal.repair();
      await world.clock.advance(0);
      expect(await world.sell({ reference: 'A1' })).toMatchObject({ outcome: 'approved' });
    },
  );

  it('sends nothing when the id cannot be journaled: the sale failed, truly', async () => {
    const world = await new World().boot();
    world.driver().reads = () => {
      world.journal.fail('disk-full');
      return { kind: 'online-required', card: chipCard() };
    };
    expect(await world.sell({ reference: 'A1' })).toMatchObject({ state: 'done', outcome: 'failed' });
    expect(world.wire.sent).toEqual([]);
    expect(world.driver().log).toContain('complete declined');
    world.journal.repair();
    await world.clock.advance(100);
    expect(world.kinds('A1')).toEqual(['accepted', 'ended']);
  });

  it('undoes an approval that could not be journaled, once the disk is back', async () => {
    const world = await new World().boot();
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(5);
    world.journal.fail('disk-full');
    const answer = await world.during(call);
    expect(answer).toMatchObject({ state: 'unknown', outcome: null });
    expect(world.driver().log).toContain('complete declined');
    world.journal.repair();
    await world.clock.advance(120_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('never calls a sale approved that is not on disk', async () => {
    const world = await new World().boot();
    world.driver().completes = ({ kind }) => {
      world.journal.fail('io-error');
      return { kind: kind === 'approved' ? 'approved' : 'declined', iccData: iccData(0x40) };
    };
    const answer = await world.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ state: 'reversing', outcome: null });
    world.journal.repair();
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('tries again by itself when the disk was only too slow', async () => {
    const world = await new World().boot();
    world.driver().completes = () => {
      const append = world.journal.append.bind(world.journal);
      world.journal.append = async () => {
        world.journal.append = append;
        throw new JournalUnavailable('overloaded', 'too many writes wait');
      };
      return { kind: 'approved', iccData: iccData(0x40) };
    };
    expect(await world.sell({ reference: 'A1' })).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('lets a till cancel a running sale and read it, whatever the disk does', async () => {
    const world = await new World().boot();
    world.driver().reads = never;
    await world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await world.clock.advance(0);
    world.journal.fail('io-error');
    expect(await world.during(world.desk.cancel('A1'))).toMatchObject({ state: 'done', outcome: 'failed' });
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'failed' });
    expect(world.desk.terminals()[0]).not.toHaveProperty('runningReference');
  });

  it('boots when the disk comes, with a queue and sales as they were', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'A1' });
    world.journal.fail('io-error');
    await expect(world.desk.reverse('A1')).rejects.toMatchObject({ code: 'journal-unavailable' });
    world.journal.repair();
    await world.clock.advance(0);
    expect(world.desk.queue().depth).toBe(1);
  });
});

describe('secrets', () => {
  it('journals neither PIN block nor card data in clear', async () => {
    const world = await new World().boot();
    const pin = {
      data: Buffer.from('11FF22EE33DD44CC', 'hex'),
      ksn: Buffer.from('FFFF9876543210E0000A', 'hex'),
    };
    const sred = {
      data: Buffer.from('5EC2E7D47A000001', 'hex'),
      ksn: Buffer.from('FFFF9876543210E0000B', 'hex'),
    };
    let wire = '';
    world.driver().reads = () => ({
      kind: 'online-required',
      card: chipCard(0x80, { pin: { ...pin, data: Buffer.from(pin.data) }, sred }),
    });
    const send = world.wire.sendLive.bind(world.wire);
    world.wire.sendLive = (envelope) => {
      if (envelope.kind === 'authorizationRequest')
        wire = Buffer.from(envelope.body.pos?.pin?.data ?? []).toString('hex');
      return send(envelope);
    };
    await world.sell({ reference: 'A1' });
    expect(wire).toBe(pin.data.toString('hex'));
    const text = world.disk.rows.map((row) => row.dataText).join();
    for (const secret of [pin.data, pin.ksn, sred.data]) {
      expect(text.toLowerCase()).not.toContain(secret.toString('hex'));
      expect(text).not.toContain(secret.toString('base64'));
    }
    expect(world.disk.blobs.size).toBe(0);
  });
});
