import { BRIDGE_SUBPROTOCOL } from '@tillbridge/wire/bridge/limits.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { flood } from '../clients/flood.js';
import { residentBytes } from '../load/process/resident-memory.js';
import { TourContext } from '../tour/tour-context.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const MAX_RESIDENT_BYTES = 400 * 1_048_576;
/** Honest requests during a flood. */
const HONEST = 20;
/** Sockets of a stranger at the store's own address: more than it has places for the unproven. */
const STRANGERS = 100;

let system: TestStack;
let tour: TourContext;
beforeAll(async () => {
  system = await startTestStack('floods');
  tour = new TourContext(system.stack, 'floods');
  await tour.agent.untilGateway('up', SETTLE_MS);
  await tour.begin();
}, SETTLE_MS * 2);
afterAll(() => system?.end(), SETTLE_MS);

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

describe('pipelined requests whose answers are never read', () => {
  it.each([
    ['gateway', '/docs/openapi.json', '/healthz'],
    ['agent', '/docs/openapi.json', '/healthz'],
    ['simulator', '/', '/'],
  ] as const)(
    'neither end the %s nor fill its memory, and payments go on',
    async (name, path, probe) => {
      const { url } = tour.stack.dev[name];
      ends.push(flood({ url, path }));
      const part = tour.stack.part(name);
      if (!part) throw new Error(`${name} was not started`);
      let most = 0;
      for (let at = 0; at < HONEST; at += 1) {
        expect((await fetch(url + probe)).status).toBe(200);
        most = Math.max(most, residentBytes(part.pid));
      }
      const sale = await tour.agent.sale(tour.request('12.34'));
      expect(sale.body.outcome).toBe('approved');
      most = Math.max(most, residentBytes(part.pid));
      expect(part.running).toBe(true);
      expect(most).toBeLessThan(MAX_RESIDENT_BYTES);
    },
    SETTLE_MS,
  );
});

describe('a stranger at the address of a store', () => {
  it(
    'does not keep its agent offline by sockets that prove nothing',
    async () => {
      let open = 0;
      const hold = (): void => {
        const socket = new WebSocket(tour.stack.dev.gateway.bridgeUrl, BRIDGE_SUBPROTOCOL);
        socket.on('error', () => undefined);
        socket.on('open', () => {
          open += 1;
        });
        let isOver = false;
        socket.on('close', () => {
          if (!isOver) setImmediate(hold);
        });
        ends.push(() => {
          isOver = true;
          socket.terminate();
        });
      };
      for (let at = 0; at < STRANGERS; at += 1) hold();
      await expect.poll(() => open, { timeout: SETTLE_MS }).toBeGreaterThanOrEqual(60);
      await tour.stack.part('agent')?.stop();
      await tour.stack.restart('agent');
      await tour.agent.untilGateway('up', 30_000);
    },
    SETTLE_MS,
  );
});
