import { describe, expect, it } from 'vitest';
import { EventClient, type EventSourceLike, RECONNECT_DELAYS_MS, type StreamEvent } from './events.js';

class Source implements EventSourceLike {
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;
  readonly #listeners = new Map<string, (event: MessageEvent<string>) => void>();

  constructor(readonly address: string) {}

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.#listeners.set(type, listener);
  }

  send(type: string, lastEventId: string, data: unknown): void {
    this.#listeners.get(type)?.({ data: JSON.stringify(data), lastEventId } as MessageEvent<string>);
  }

  close(): void {
    this.closed = true;
  }
}

function clientWith(tokens: readonly (string | Error | undefined)[]) {
  const sources: Source[] = [];
  const events: StreamEvent[] = [];
  const states: string[] = [];
  const delays: number[] = [];
  const waiting: (() => void)[] = [];
  let requests = 0;
  const client = new EventClient({
    address: async (after) => {
      const token = tokens[requests++];
      if (token instanceof Error) throw token;
      return token === undefined ? undefined : `/events?token=${token}&after=${after ?? ''}`;
    },
    types: ['sale'],
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
    open: (address) => {
      const source = new Source(address);
      sources.push(source);
      return source;
    },
    later: (delayMs, callback) => {
      delays.push(delayMs);
      waiting.push(callback);
    },
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const wait = async () => {
    waiting.shift()?.();
    await settle();
  };
  return { client, sources, events, states, delays, settle, wait };
}

describe('the client of event streams', () => {
  it('connects again with a new token behind the last durable event', async () => {
    const { sources, events, states, settle, wait } = clientWith(['one', 'two']);
    await settle();
    expect(sources[0]?.address).toBe('/events?token=one&after=');
    sources[0]?.onopen?.();
    sources[0]?.send('sale', '7', { step: 'accepted' });
    sources[0]?.send('sale', '', { step: 'progress' });
    sources[0]?.onerror?.();
    expect(sources[0]?.closed).toBe(true);
    await wait();
    expect(sources[1]?.address).toBe('/events?token=two&after=7');
    sources[1]?.onopen?.();
    expect(events.map(({ id, data }) => [id, data])).toEqual([
      ['7', { step: 'accepted' }],
      ['', { step: 'progress' }],
    ]);
    expect(states).toEqual(['connecting', 'open', 'connecting', 'connecting', 'open']);
  });

  it('waits longer after each failure, and briefly again once it was connected', async () => {
    const failures = RECONNECT_DELAYS_MS.map(() => new Error('not reached'));
    const { sources, delays, settle, wait } = clientWith([...failures, new Error('still not'), 'one', 'two']);
    await settle();
    for (const _ of failures) await wait();
    await wait();
    expect(delays).toEqual([...RECONNECT_DELAYS_MS, RECONNECT_DELAYS_MS.at(-1)]);
    sources[0]?.onopen?.();
    sources[0]?.onerror?.();
    expect(delays.at(-1)).toBe(RECONNECT_DELAYS_MS[0]);
  });

  it('renews a stream that a network has cut without a word', async () => {
    const { client, sources, states, settle } = clientWith(['one', 'two']);
    client.renew();
    await settle();
    sources[0]?.onopen?.();
    sources[0]?.send('sale', '7', {});
    client.renew();
    await settle();
    expect(sources.map(({ address, closed }) => [address, closed])).toEqual([
      ['/events?token=one&after=', true],
      ['/events?token=two&after=7', false],
    ]);
    sources[1]?.onopen?.();
    sources[0]?.onerror?.();
    expect(states).toEqual(['connecting', 'open', 'connecting', 'open']);
    client.end();
    client.renew();
    await settle();
    expect(sources).toHaveLength(2);
  });

  it('ends where there is no address, and for good', async () => {
    const signedOut = clientWith([undefined]);
    await signedOut.settle();
    expect(signedOut.states).toEqual(['connecting', 'ended']);
    const ended = clientWith(['one', 'two']);
    await ended.settle();
    ended.client.end();
    ended.sources[0]?.send('sale', '1', {});
    ended.sources[0]?.onerror?.();
    await ended.wait();
    expect(ended.sources).toHaveLength(1);
    expect(ended.events).toEqual([]);
  });
});
