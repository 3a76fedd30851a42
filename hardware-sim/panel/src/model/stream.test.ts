import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FrameView } from '../api/types.js';
import { panel } from './model.js';
import { follow } from './stream.js';

type Listener = (event: { readonly data: string; readonly lastEventId: string }) => void;

/** The one stream of the page. */
class Source {
  static last: Source | undefined;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly #listeners = new Map<string, Listener>();

  constructor() {
    Source.last = this;
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, listener);
  }

  frame(terminalId: string, number: number): void {
    const data = JSON.stringify({ terminalId, number });
    this.#listeners.get('frame')?.({ data, lastEventId: '' });
  }

  close(): void {}
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Source);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('shows no frame of the terminal that was looked at before', async () => {
  const client = follow();
  await vi.advanceTimersByTimeAsync(0);
  const look = (looked: string, last: number) =>
    panel.change((now) => ({ ...now, looked, frames: [{ number: last } as FrameView] }));
  look('1001', 899);
  Source.last?.frame('1001', 900);
  look('1003', 20);
  Source.last?.frame('1003', 21);
  await vi.advanceTimersByTimeAsync(100);
  expect(panel.value.frames.map(({ number }) => number)).toEqual([20, 21]);
  client.end();
});
