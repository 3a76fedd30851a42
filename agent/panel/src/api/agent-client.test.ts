import { afterEach, expect, it, vi } from 'vitest';
import { AgentClient, ATTENDED_MS } from './agent-client.js';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('uses the clock of the agent, not that of the tablet', async () => {
  const date = 'Mon, 23 Nov 2026 10:00:00 GMT';
  vi.stubGlobal('fetch', async () => new Response('{"rights":[]}', { headers: { date } }));
  const client = new AgentClient();
  await client.caller();
  expect(Math.abs(client.nowMs() - Date.parse(date))).toBeLessThan(5_000);
});

it('marks its requests as those of the agent’s own page, and sends no token', async () => {
  const sent: RequestInit[] = [];
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    sent.push(init);
    return new Response('{"rights":[],"locked":false}');
  });
  const client = new AgentClient();
  client.attended();
  await client.caller();
  expect(sent[0]?.headers).toEqual({ 'x-tillbridge-page': '1' });
});

it('states which requests it sends without a person: they do not keep a till unlocked', async () => {
  vi.useFakeTimers();
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get('x-tillbridge-page'));
    return new Response('{"rights":[]}');
  });
  const client = new AgentClient();
  await client.caller();
  client.attended();
  await client.caller();
  vi.advanceTimersByTime(ATTENDED_MS);
  await client.caller();
  expect(sent).toEqual(['unattended', '1', 'unattended']);
});

it.each([
  ['lock', '/v1/sign-in/lock'],
  ['signOut', '/v1/sign-out'],
] as const)('does %s before all else where the agent was away, also after a reload', async (leave, path) => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  const sent: string[] = [];
  let isAway = true;
  vi.stubGlobal('fetch', async (to: string, { method }: RequestInit) => {
    if (isAway) throw new TypeError('refused');
    sent.push(`${method} ${to}`);
    return new Response(method === 'GET' ? '{"rights":[]}' : null, { status: method === 'GET' ? 200 : 204 });
  });
  await expect(new AgentClient()[leave]()).rejects.toThrow();
  await expect(new AgentClient().caller()).rejects.toThrow();
  isAway = false;
  const reloaded = new AgentClient();
  await reloaded.caller();
  await reloaded.caller();
  expect(sent).toEqual([`POST ${path}`, 'GET /v1/caller', 'GET /v1/caller']);
});
