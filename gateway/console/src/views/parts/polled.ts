import { useEffect, useRef, useState } from 'preact/hooks';

/** Most milliseconds between two loads of a page whose server is away. */
const SLOWEST_MS = 60_000;

/** What a page shows of a server that it asks again and again. */
export interface Polled<T> {
  /** Undefined until the first answer. */
  readonly value: T | undefined;
  /** Why the last load failed; the value before stays. */
  readonly fault: Error | undefined;
  /** Loads at once, because of the user. */
  readonly reload: () => Promise<void>;
}

/**
 * Loads when the page is drawn, when `key` changes, and while the page is in sight every so many milliseconds; after failures at longer times.
 * One load at a time; an answer to an earlier key is dropped.
 * @param everyMs 0: once
 */
export function usePolled<T>(
  key: string,
  everyMs: number,
  load: (isUnattended: boolean) => Promise<T>,
): Polled<T> {
  const [shown, setShown] = useState<{ readonly key: string; readonly value: T }>();
  const [fault, setFault] = useState<Error>();
  const now = useRef({ load, reload: async (): Promise<void> => undefined });
  now.current.load = load;
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const run = async (isUnattended: boolean): Promise<void> => {
      clearTimeout(timer);
      try {
        const value = await now.current.load(isUnattended);
        if (isOver) return;
        failures = 0;
        setShown({ key, value });
        setFault(undefined);
      } catch (error) {
        if (isOver) return;
        failures += 1;
        setFault(error as Error);
      }
      if (everyMs > 0) timer = setTimeout(again, Math.min(SLOWEST_MS, everyMs * 2 ** failures));
    };
    const again = () => (document.hidden ? undefined : void run(true));
    now.current.reload = () => run(false);
    void run(false);
    if (everyMs > 0) document.addEventListener('visibilitychange', again);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [key, everyMs]);
  const value = shown?.key === key ? shown.value : undefined;
  return { value, fault, reload: () => now.current.reload() };
}
