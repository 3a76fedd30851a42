import { describe, expect, it } from 'vitest';
import { VirtualClock } from './virtual-clock.js';

describe('virtual clock', () => {
  it('fires timers at their own time, in order, nested ones included', async () => {
    const clock = new VirtualClock(1_000);
    const log: string[] = [];
    clock.setTimer(20, () => log.push(`b ${clock.monotonicMs()}`));
    clock.setTimer(10, () => {
      log.push(`a ${clock.monotonicMs()}`);
      void Promise.resolve().then(() => clock.setTimer(5, () => log.push(`c ${clock.monotonicMs()}`)));
    });
    clock.setTimer(20, () => log.push('second at 20'));
    await clock.advance(30);
    expect(log).toEqual(['a 10', 'c 15', 'b 20', 'second at 20']);
    expect(clock.nowMs()).toBe(1_030);
  });

  it('keeps cancelled timers silent and monotonic time apart from the wall', async () => {
    const clock = new VirtualClock(0);
    let fired = false;
    const timer = clock.setTimer(10, () => {
      fired = true;
    });
    timer.cancel();
    timer.cancel();
    clock.jumpWall(-500);
    await clock.advance(100);
    expect(fired).toBe(false);
    expect(clock.nowMs()).toBe(-400);
    expect(clock.monotonicMs()).toBe(100);
    expect(clock.nextTimerInMs()).toBeUndefined();
  });
});
