/** An HTTP answer, its JSON read. */
export interface HttpAnswer<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

/** How long a call may take: longer than any wait the programs themselves allow. */
const CALL_TIMEOUT_MS = 120_000;

/** One call; rejects when there is no HTTP answer at all. */
export async function call<T>(method: string, url: string, init: RequestInit = {}): Promise<HttpAnswer<T>> {
  const response = await fetch(url, { method, signal: AbortSignal.timeout(CALL_TIMEOUT_MS), ...init });
  const text = await response.text();
  return {
    status: response.status,
    body: (text ? JSON.parse(text) : undefined) as T,
    headers: response.headers,
  };
}

/** Options of a call with a JSON body. */
export function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}

/** Calls `probe` until it gives a value, at most `timeoutMs` long; the error names what was waited for. */
export async function until<T>(
  what: string,
  timeoutMs: number,
  probe: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const value = await probe();
      if (value !== undefined) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await pause();
  }
  throw new Error(`waited ${timeoutMs} ms for ${what}${last ? `: ${String(last)}` : ''}`);
}

/** Time between two looks at another process: its state has no event that reaches us. */
const POLL_INTERVAL_MS = 100;

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
}
