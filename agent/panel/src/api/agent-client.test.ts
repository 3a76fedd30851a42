import { afterEach, expect, it, vi } from 'vitest';
import { AgentClient } from './agent-client.js';

afterEach(() => vi.unstubAllGlobals());

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
  await new AgentClient().caller();
  expect(sent[0]?.headers).toEqual({ 'x-tillbridge-page': '1' });
});
