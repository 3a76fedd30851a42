import { connect, type Socket } from 'node:net';
import { BRIDGE_SUBPROTOCOL } from '@tillbridge/protocol/bridge/limits.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { residentBytes } from '../bench/load/resident-memory.js';
import { TourContext } from '../tour/tour-context.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const MAX_RESIDENT_BYTES = 400 * 1_048_576;
/** Connections of a flood, and requests that each sends at once. */
const FLOODS = [
  { connections: 60, requests: 60 },
  { connections: 60, requests: 16 },
  { connections: 4, requests: 1_600 },
] as const;
/** What a slow reader takes at once. */
const SIP_BYTES = 512;
/** Honest requests beside a flood. */
const HONEST = 20;
/** Sockets of a stranger at the store's own address: more than it has places for the unproven. */
const STRANGERS = 100;

let system: TestStack;
let world: TourContext;
beforeAll(async () => {
  system = await startTestStack('floods');
  world = new TourContext(system.stack, 'floods');
  await world.agent.untilGateway('up', SETTLE_MS);
  await world.begin();
}, SETTLE_MS * 2);
afterAll(() => system?.end(), SETTLE_MS);

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Connections that ask for a public document again and again, and read nothing, or next to nothing. */
function flood(url: string, path: string): void {
  const { hostname, port, host } = new URL(url);
  const get = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  for (const { connections, requests } of FLOODS)
    for (let at = 0; at < connections; at += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(get.repeat(requests));
      ends.push(() => socket.destroy());
      if (at % 2 === 0) sip(socket);
    }
}

function sip(socket: Socket): void {
  const timer = setInterval(() => socket.read(SIP_BYTES), 100);
  ends.push(() => clearInterval(timer));
}

describe('pipelined requests whose answers nobody reads', () => {
  it.each([
    ['gateway', '/docs/openapi.json', '/healthz'],
    ['agent', '/docs/openapi.json', '/healthz'],
    ['simulator', '/', '/'],
  ] as const)(
    'neither end the %s nor fill its memory, and payments go on',
    async (name, path, probe) => {
      const { url } = world.stack.dev[name];
      flood(url, path);
      const part = world.stack.part(name);
      if (!part) throw new Error(`${name} was not started`);
      let most = 0;
      for (let at = 0; at < HONEST; at += 1) {
        expect((await fetch(url + probe)).status).toBe(200);
        most = Math.max(most, residentBytes(part.pid));
      }
      const sale = await world.agent.sale(world.request('12.34'));
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
        const socket = new WebSocket(world.stack.dev.gateway.bridgeUrl, BRIDGE_SUBPROTOCOL);
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
      await world.stack.part('agent')?.stop();
      await world.stack.restart('agent');
      await world.agent.untilGateway('up', 30_000);
    },
    SETTLE_MS,
  );
});
