import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';

/** Work that is done now and then. */
export interface Repeated {
  readonly clock: Pick<Clock, 'setTimer'>;
  /** From the end of one round to the next, in milliseconds. */
  readonly intervalMs: number;
  readonly work: () => Promise<unknown>;
  /** Hears of a round that failed; the next one comes all the same. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Does the work once at the start and then again after every interval.
 * @returns what ends it: resolves when a round that runs has ended
 */
export function repeat({ clock, intervalMs, work, onFault }: Repeated): () => Promise<void> {
  let stopped = false;
  let timer: Timer | undefined;
  let running: Promise<void> = Promise.resolve();
  const round = async (): Promise<void> => {
    await work().catch(onFault);
    if (!stopped) timer = clock.setTimer(intervalMs, begin);
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
