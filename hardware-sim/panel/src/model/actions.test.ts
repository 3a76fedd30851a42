import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NetworkState } from '../api/types.js';
import { setNetwork } from './actions.js';
import { panel } from './model.js';

const network = (more: Partial<NetworkState> = {}): NetworkState => {
  return { state: 'up', latencyMs: 0, dropAnswers: false, ...more };
};
const answer = (status: number, body: object) =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));

beforeEach(() => panel.change((now) => ({ ...now, network: network({ dropAnswers: true }) })));
afterEach(() => vi.unstubAllGlobals());

it('shows a switched network at once, so that the next click adds to it', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  void setNetwork(network());
  expect(panel.value.network?.dropAnswers).toBe(false);
});

it('shows what is true where the switch was refused', async () => {
  const refused = { error: { code: 'bad-request', message: 'no' } };
  vi.stubGlobal('fetch', (_path: string, { method }: RequestInit) =>
    method === 'PUT' ? answer(400, refused) : answer(200, network({ state: 'slow' })),
  );
  vi.stubGlobal('setTimeout', () => 0);
  expect(await setNetwork(network({ state: 'down' }))).toBe(false);
  expect(panel.value.network?.state).toBe('slow');
});
