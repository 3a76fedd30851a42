import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NETWORK_UP, NetworkProxy } from './network-proxy.js';

let gateway: Server;
let atGateway: Socket[];
let proxy: NetworkProxy;
let clock: VirtualClock;
let port: number;
let agents: Socket[];

beforeEach(async () => {
  atGateway = [];
  agents = [];
  gateway = createServer((socket) => atGateway.push(socket.on('error', () => undefined)));
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  clock = new VirtualClock();
  const targetPort = (gateway.address() as AddressInfo).port;
  proxy = new NetworkProxy({ host: '127.0.0.1', port: 0, targetHost: '127.0.0.1', targetPort, clock });
  port = await proxy.listen();
});

afterEach(async () => {
  await proxy.close();
  for (const socket of [...agents, ...atGateway]) socket.destroy();
  gateway.close();
  await once(gateway, 'close');
});

function dial(): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  agents.push(socket);
  return socket;
}

async function text(socket: Socket): Promise<string> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes.toString();
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** An open connection, both ends. */
async function through(): Promise<[agent: Socket, gatewayEnd: Socket]> {
  const arrived = once(gateway, 'connection');
  const agent = dial();
  const [end] = (await arrived) as [Socket];
  return [agent, end];
}

test('up: bytes pass both ways', async () => {
  const [agent, end] = await through();
  agent.write('ask');
  expect(await text(end)).toBe('ask');
  end.write('answer');
  expect(await text(agent)).toBe('answer');
});

test('down cuts what is open and refuses what comes, up serves again', async () => {
  const [agent, end] = await through();
  const cut = Promise.all([closed(agent), closed(end)]);
  proxy.set({ ...NETWORK_UP, state: 'down' });
  await cut;
  await closed(dial());
  expect(atGateway).toHaveLength(1);
  proxy.set(NETWORK_UP);
  const [again, newEnd] = await through();
  again.write('x');
  expect(await text(newEnd)).toBe('x');
});

test('dropped answers: the question arrives, the answer does not, and the holed connection does not go on', async () => {
  const [agent, end] = await through();
  const seen: string[] = [];
  agent.on('data', (bytes: Buffer) => seen.push(bytes.toString()));
  proxy.set({ ...NETWORK_UP, dropAnswers: true });
  agent.write('pay');
  expect(await text(end)).toBe('pay');
  end.write('approved');
  agent.write('more');
  expect(await text(end)).toBe('more');
  // Two rounds later the answer has been read and swallowed by the proxy.
  agent.write('and more');
  expect(await text(end)).toBe('and more');
  const cut = closed(agent);
  proxy.set(NETWORK_UP);
  await cut;
  expect(seen).toEqual([]);
});

test('slow: each piece waits for the latency, in order', async () => {
  const [agent, end] = await through();
  proxy.set({ state: 'slow', latencyMs: 500, dropAnswers: false });
  const got: string[] = [];
  end.on('data', (bytes: Buffer) => got.push(bytes.toString()));
  agent.write('late');
  while (clock.nextTimerInMs() === undefined) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(499);
  expect(got).toEqual([]);
  const arrived = once(end, 'data');
  await clock.advance(1);
  await arrived;
  expect(got).toEqual(['late']);
});
