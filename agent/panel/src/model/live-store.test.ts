import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AgentClient } from '../api/agent-client.js';
import { LiveStore } from './live-store.js';

/** Longer than the store takes to ask for its state. */
const A_LOOK_MS = 6_000;

/** A stream that opens, and then stays silent. */
class Source {
  static made: Source[] = [];
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;

  constructor() {
    Source.made.push(this);
    setTimeout(() => this.onopen?.());
  }

  addEventListener(): void {}

  close(): void {
    this.closed = true;
  }
}

let isCut = false;

beforeEach(() => {
  vi.useFakeTimers();
  Source.made = [];
  vi.stubGlobal('EventSource', Source);
  const status = { gateway: { state: 'up' }, terminals: [], parked: [] };
  vi.stubGlobal('fetch', async (path: string) => {
    if (isCut) throw new Error('cut');
    return Response.json(path === '/v1/status' ? status : { token: 'of-a-stream', sales: [] });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('opens the stream anew after a network that lost calls, and shows that the agent does not answer', async () => {
  const store = new LiveStore(new AgentClient(), { rights: [] }, () => undefined);
  await vi.advanceTimersByTimeAsync(A_LOOK_MS);
  expect([store.view.value.reached, Source.made.length]).toEqual([true, 1]);
  isCut = true;
  await vi.advanceTimersByTimeAsync(A_LOOK_MS);
  expect(store.view.value.reached).toBe(false);
  isCut = false;
  await vi.advanceTimersByTimeAsync(A_LOOK_MS);
  expect(Source.made.map(({ closed }) => closed)).toEqual([true, false]);
  expect(store.view.value.reached).toBe(true);
  store.end();
});
