/** The first SIGTERM or SIGINT, by name. Called before a start, so that a signal during the start ends it cleanly, too. */
export function endSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
}
