import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../store/testing/memory-store.js';
import { TryLaterError } from './desk.js';
import { type DeskWorld, message, openDeskWorld, tillReversal, tillSale } from './desk-world.test.support.js';
import { GatewayPaymentDesk } from './payment-desk.js';

describe('a database that was put back from an older copy', () => {
  let world: DeskWorld;
  beforeEach(async () => {
    world = await openDeskWorld();
  });
  afterEach(() => world.dispose());

  const standing = async () =>
    (await world.transactions()).filter((one) => one.kind !== 'reversal' && one.approved && !one.reversed);

  /** Everything since the first merchant and agent is forgotten; the acquirer keeps its own book. */
  async function forget(): Promise<void> {
    const store = new MemoryStore();
    for (const table of ['entities', 'agents'] as const) {
      for (const row of await world.store.findAfter(table, undefined))
        await store.commit([{ op: 'insert', table, row: { ...row, version: 1 } as never }]);
    }
    await world.desk.stop();
    world.mayDiffer = true;
    world.desk = new GatewayPaymentDesk({ ...world.context, store });
  }

  const record = () =>
    tillSale('m1', 'R-1', {
      origin: message('m1', 1),
      offline: { kind: 'deferred', decidedAtMs: 1 },
    });

  it('takes a record that comes again to the same transaction', async () => {
    const first = await world.desk.authorize(record());
    await forget();
    const again = await world.desk.authorize(record());
    expect(again).toEqual(first);
    expect(await standing()).toHaveLength(1);
  });

  it('undoes at the acquirer what it does not know itself', async () => {
    await world.desk.authorize(tillSale('m1', 'R-1'));
    await forget();
    const reversal = await world.desk.followUp(tillReversal('m2', 'm1'));
    expect(reversal).toMatchObject({ disposition: 'reversed' });
    expect(await standing()).toEqual([]);
    expect(world.faults).toContain('a forgotten payment is undone');
    expect(await world.desk.followUp(tillReversal('m3', 'm1', 2))).toMatchObject({ disposition: 'reversed' });
    // The stored answer from now on, and the sale stays out.
    expect(await world.desk.followUp(tillReversal('m2', 'm1'))).toEqual(reversal);
    expect((await world.desk.authorize(tillSale('m1', 'R-1'))).disposition).toBe('refused');
    expect((await world.transactions()).filter((one) => one.kind === 'reversal')).toHaveLength(2);
  });

  it('undoes it once, whatever is repeated', async () => {
    await world.desk.authorize(tillSale('m1', 'R-1'));
    await forget();
    await world.desk.followUp(tillReversal('m2', 'm1'));
    await forget();
    expect(await world.desk.followUp(tillReversal('m2', 'm1'))).toMatchObject({ disposition: 'reversed' });
    expect((await world.transactions()).filter((one) => one.kind === 'reversal')).toHaveLength(1);
  });

  it('does not say that nothing happened while the acquirer is silent', async () => {
    await world.desk.authorize(tillSale('m1', 'R-1'));
    await forget();
    world.line.cut = true;
    await expect(world.desk.followUp(tillReversal('m2', 'm1'))).rejects.toBeInstanceOf(TryLaterError);
    world.line.cut = false;
    expect(await world.desk.followUp(tillReversal('m2', 'm1'))).toMatchObject({ disposition: 'reversed' });
  });

  it.each([99_999, 1, undefined])('undoes what stands, when the till names %s minor units', async (minor) => {
    await world.desk.authorize(tillSale('m1', 'R-1'));
    await forget();
    const { amount: _, ...reversal } = tillReversal('m2', 'm1');
    const named = minor === undefined ? reversal : { ...reversal, amount: { minor, currency: 'EUR' } };
    expect(await world.desk.followUp(named)).toMatchObject({ disposition: 'reversed' });
    expect(await standing()).toEqual([]);
  });

  it('is told by the acquirer when nothing is left to undo, and leaves that to a person', async () => {
    await world.desk.authorize(tillSale('m1', 'R-1', { type: 'PA' }));
    await world.desk.followUp({
      origin: message('m2', 1),
      type: 'CP',
      target: { by: 'message', messageId: 'm1' },
      amount: { minor: 1_234, currency: 'EUR' },
    });
    await forget();
    expect(await world.desk.followUp(tillReversal('m3', 'm1', 2))).toMatchObject({
      disposition: 'refused',
      resultCode: '700.400.300',
    });
    expect(await standing()).toHaveLength(2);
  });

  it('still answers that there was nothing, where the acquirer knows nothing either', async () => {
    await forget();
    expect(await world.desk.followUp(tillReversal('m2', 'm1'))).toMatchObject({
      disposition: 'nothing-to-reverse',
    });
    expect(await world.transactions()).toEqual([]);
  });
});
