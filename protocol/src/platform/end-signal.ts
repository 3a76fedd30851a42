const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The first SIGTERM or SIGINT, by name. Called before a start, so that a signal during the start ends it cleanly, too. */
export function endSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve(signal));
  });
}

/**
 * Runs work that the first SIGTERM or SIGINT aborts, and that writes down what it has before it ends; the second one ends the process.
 * Behind it both do again what they did before.
 */
export async function untilEndSignal<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const abort = (): void => {
    for (const signal of SIGNALS) process.off(signal, abort);
    ending.abort();
  };
  for (const signal of SIGNALS) process.on(signal, abort);
  try {
    return await work(ending.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, abort);
  }
}
