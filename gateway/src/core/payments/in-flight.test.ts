import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import { TryLaterError } from '../../kernel/errors/try-later-error.js';
import { InFlight, Turns, within } from './in-flight.js';

/** A promise that the test ends. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe('InFlight', () => {
  it('runs the same key once at a time, and again afterwards', async () => {
    const running = new InFlight<number>();
    let runs = 0;
    const work = async (): Promise<number> => {
      runs += 1;
      return runs;
    };
    expect(
      await Promise.all([running.once('a', work), running.once('a', work), running.once('b', work)]),
    ).toEqual([1, 1, 2]);
    expect(running.get('a')).toBeUndefined();
    expect(await running.once('a', work)).toBe(3);
  });

  it('forgets work that failed', async () => {
    const running = new InFlight<number>();
    await expect(running.once('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await running.once('a', async () => 1)).toBe(1);
  });
});

describe('Turns', () => {
  it('lets one work at a time, in the order of asking, keys apart', async () => {
    const turns = new Turns(new VirtualClock());
    const order: string[] = [];
    const first = gate();
    const works = [
      turns.take('a', 1_000, async () => {
        await first.opened;
        order.push('first');
      }),
      turns.take('a', 1_000, async () => order.push('second')),
      turns.take('b', 1_000, async () => order.push('other')),
    ];
    await works[2];
    expect(order).toEqual(['other']);
    first.open();
    await Promise.all(works);
    expect(order).toEqual(['other', 'first', 'second']);
  });

  it('makes no caller wait longer than the limit, and still lets the next one through', async () => {
    const clock = new VirtualClock();
    const turns = new Turns(clock);
    const slow = gate();
    const first = turns.take('a', 1_000, () => slow.opened);
    const late = turns.take('a', 1_000, async () => 'never');
    const refused = expect(late).rejects.toBeInstanceOf(TryLaterError);
    await clock.advance(1_000);
    await refused;
    const third = turns.take('a', 1_000, async () => 'third');
    slow.open();
    await first;
    expect(await third).toBe('third');
  });
});

describe('within', () => {
  it('passes a result and an error on, and leaves no timer behind', async () => {
    const clock = new VirtualClock();
    expect(await within(clock, 10, Promise.resolve(1), 'late')).toBe(1);
    await expect(within(clock, 10, Promise.reject(new Error('no')), 'late')).rejects.toThrow('no');
    expect(clock.nextTimerInMs()).toBeUndefined();
  });
});
