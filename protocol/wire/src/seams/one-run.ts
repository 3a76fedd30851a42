/** A function whose concurrent callers share one run of `work`; a call after its end begins another. */
export function oneRun<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
