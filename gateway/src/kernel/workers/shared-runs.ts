/**
 * Work that goes on once at a time. A call while it runs is answered by the next run, which begins when that one has ended and which all share
 * that wait: each is answered by a run that began after the call.
 * @throws what the run throws
 */
export function sharedRuns<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    // The next one begins only after this.
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (next) return next;
    if (!running) return begin();
    next = running.then(begin, begin);
    return next;
  };
}
