import { afterEach, expect, it, vi } from 'vitest';
import { AgentClient } from './agent-client.js';

afterEach(() => vi.unstubAllGlobals());

it('uses the clock of the agent, not that of the tablet', async () => {
  const date = 'Mon, 23 Nov 2026 10:00:00 GMT';
  vi.stubGlobal('fetch', async () => new Response('{"rights":[]}', { headers: { date } }));
  const client = new AgentClient('a-token-of-a-till-0123');
  await client.caller();
  expect(Math.abs(client.nowMs() - Date.parse(date))).toBeLessThan(5_000);
});
