import type { BridgeSocket as GatewaySocket } from '@tillbridge/gateway/core/bridge/bridge-socket.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, it } from 'vitest';
import { FAIR } from '../kernel/fault-rates.js';
import { SeededRandom } from '../kernel/seeded-random.js';
import { SimProcess } from '../kernel/sim-process.js';
import { Trace } from '../kernel/trace.js';
import { Network } from './network.js';

/** An agent's connection to a gateway, without faults. */
async function connected() {
  const clock = new VirtualClock();
  const trace = new Trace(clock);
  const process = (name: string) => new SimProcess(name, clock, { offsetMs: 0 }, trace);
  const arrived: number[] = [];
  const gateway: GatewaySocket[] = [];
  const network = new Network({
    name: 'net',
    clock,
    random: new SeededRandom('a message before the end'),
    trace,
    bridgeListener: () => ({ process: gatewayProcess, accept: (socket) => void gateway.push(socket) }),
    faultRates: () => FAIR.network,
    tap: (_, [first = 0]) => ({ isAnswer: false, arrived: () => void arrived.push(first) }),
  });
  const gatewayProcess = process('gateway');
  const agent = network.connect(process('agent'), {
    onOpen: () => undefined,
    onMessage: () => undefined,
    onViolation: () => undefined,
    onClose: () => undefined,
  });
  await clock.advance(1_000);
  const [far] = gateway;
  if (!far) throw new Error('the gateway has no connection');
  far.listen({ onMessage: () => undefined, onViolation: () => undefined, onClose: () => undefined });
  return { clock, agent, far, arrived };
}

it('counts nothing as arrived that comes to an agent which has closed its side', async () => {
  const { clock, agent, far, arrived } = await connected();
  far.send(Uint8Array.of(1));
  await clock.advance(1_000);
  far.send(Uint8Array.of(2));
  // The close reaches the gateway behind what the agent has sent.
  agent.send(Uint8Array.of(3), () => undefined);
  agent.close('a Challenge while hello-sent');
  await clock.advance(1_000);
  expect(arrived).toEqual([1, 3]);
});
