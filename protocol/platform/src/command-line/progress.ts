/** When a command that still works says so for the first time, and how often it does so then, in milliseconds. */
export const COMMAND_PROGRESS_MS = { first: 2_000, next: 5_000 } as const;

/**
 * Says now and then that work goes on, until the returned function is called: nothing of work that is done within two seconds. It does not
 * keep the process alive.
 * @param what the work, such as the name of a command
 * @param write takes a line without its end
 */
export function showProgress(what: string, write: (line: string) => void): () => void {
  const beganMs = performance.now();
  let timer: NodeJS.Timeout;
  const wait = (delayMs: number): void => {
    timer = setTimeout(() => {
      write(`${what}: still at work (${Math.round((performance.now() - beganMs) / 1_000)} s)`);
      wait(COMMAND_PROGRESS_MS.next);
    }, delayMs);
    timer.unref();
  };
  wait(COMMAND_PROGRESS_MS.first);
  return () => clearTimeout(timer);
}
