import type { Clock } from '@tillbridge/wire/seams/clock.js';

/** What ends the wait for a piece of work before its result. */
interface Holds {
  readonly interrupted: AbortSignal;
  readonly limit?: { readonly clock: Clock; readonly limitMs: number };
}

/** The result of work, or why it is not waited for any longer; the work itself goes on. Rejects as the work does. */
export async function heldTo<T>(
  work: Promise<T>,
  { interrupted, limit }: Holds,
): Promise<T | 'timed out' | 'interrupted'> {
  let letGo = (): void => undefined;
  const given = new Promise<'timed out' | 'interrupted'>((resolve) => {
    const abort = (): void => resolve('interrupted');
    const timer = limit?.clock.setTimer(limit.limitMs, () => resolve('timed out'));
    interrupted.addEventListener('abort', abort);
    if (interrupted.aborted) abort();
    letGo = () => {
      timer?.cancel();
      interrupted.removeEventListener('abort', abort);
    };
  });
  return Promise.race([work, given]).finally(letGo);
}
