const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * The first SIGTERM or SIGINT, by name. Called before a start, so that a signal during the start ends it cleanly, too. A further SIGTERM
 * changes nothing: a signal to a process group arrives twice where the parent passes it on, and the work of ending is not cut short. A
 * second SIGINT, from a person at a terminal, ends the process at once.
 */
export function endSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve('SIGTERM'));
    process.once('SIGINT', () => resolve('SIGINT'));
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
