import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';

/** Work that is repeated, and its interval. */
export interface Repeated {
  readonly clock: Pick<Clock, 'setTimer'>;
  /** From the end of one round to the next, in milliseconds; read after each round. */
  readonly intervalMs: number | (() => number);
  readonly work: () => Promise<unknown>;
  /** Called when a round failed; the next one runs all the same. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Does the work once at the start and then again after every interval.
 * @returns a function that ends it, and resolves when the running round has ended
 */
export function repeat({ clock, intervalMs, work, onFault }: Repeated): () => Promise<void> {
  let stopped = false;
  let timer: Timer | undefined;
  let running: Promise<void> = Promise.resolve();
  const round = async (): Promise<void> => {
    await work().catch(onFault);
    if (!stopped) timer = clock.setTimer(typeof intervalMs === 'number' ? intervalMs : intervalMs(), begin);
  };
  const begin = (): void => {
    running = round();
  };
  begin();
  return () => {
    stopped = true;
    timer?.cancel();
    return running;
  };
}
