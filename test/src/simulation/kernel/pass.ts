import type { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';

const STEP_MS = 2_000;

/** Lets time pass until the promise settles or the condition holds. @returns false when the time ran out first */
export async function pass(
  clock: VirtualClock,
  limitMs: number,
  promise?: Promise<unknown>,
  until?: () => Promise<boolean>,
): Promise<boolean> {
  let settled = false;
  const endMs = clock.monotonicMs() + limitMs;
  promise?.finally(() => {
    settled = true;
  });
  const enough = async (): Promise<boolean> => {
    if (!until) return settled;
    let answer: boolean | undefined;
    void until().then((value) => {
      answer = value;
    });
    await clock.advance(0);
    return answer === true;
  };
  while (clock.monotonicMs() < endMs) {
    await clock.advance(STEP_MS);
    if (await enough()) return true;
  }
  return false;
}
