import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { describe, expect, it } from 'vitest';
import { TILL_RIGHTS } from '../../access/rights.js';
import { encodeApdu } from '../messages/apdu.js';
import { ACK, encodeFrame, FrameReader } from '../serial/framing.js';
import { SERIAL_LIMITS } from '../serial/serial-link.js';
import { PasswordGuard } from '../service/password-guard.js';
import {
  ACKNOWLEDGEMENT,
  authorization,
  CONFIG,
  registration,
  ZvtHarness,
} from '../service/zvt-harness.test.support.js';
import { serveSerialTill } from './serial-till.js';

/** A till at the other end of a cable. It acknowledges frames unless it is deaf. */
async function plugIn() {
  const agent = await new ZvtHarness().boot();
  const { clock } = agent.sale;
  const [host, till] = memoryPipe();
  serveSerialTill(host, clock, {
    till: { till: 'front', terminalId: '11', rights: TILL_RIGHTS },
    service: agent.service,
    password: new PasswordGuard('000000', clock),
    recallRegistration: () => undefined,
    keepRegistration: () => undefined,
    onEvent: (listener) => agent.sale.runner.service.onEvent(listener),
    refused: (code) => agent.refusals.push(code),
    fault: (error) => agent.sale.faults.push(error),
  });
  const reader = new FrameReader();
  const received: string[] = [];
  const line = { isDeaf: false };
  till.onData((bytes) => {
    for (const event of reader.push(bytes)) {
      if (event.kind !== 'message') continue;
      const control = event.bytes.subarray(0, 2).toString('hex');
      received.push(control);
      if (line.isDeaf) continue;
      void till.write(Buffer.of(ACK));
      if (control !== '8000') void till.write(encodeFrame(encodeApdu(ACKNOWLEDGEMENT)));
    }
  });
  const send = async (apdu: Parameters<typeof encodeApdu>[0]) => {
    received.length = 0;
    await till.write(encodeFrame(encodeApdu(apdu)));
    for (let spent = 0; spent < 5_000; spent += 50) await clock.advance(50);
    return [...received];
  };
  return { agent, line, send, received, write: (bytes: Uint8Array) => till.write(bytes) };
}

describe('a till on a serial line', () => {
  it('registers and sells', async () => {
    const { send } = await plugIn();
    expect(await send(registration(CONFIG.silent))).toEqual(['8000', '060f']);
    expect(await send(authorization(100))).toEqual(['8000', '040f', '060f']);
  });

  it('is not refused as busy where the acknowledgement of its request was lost and it sends that again', async () => {
    const { agent, line, send, received, write } = await plugIn();
    await send(registration(CONFIG.silent));
    received.length = 0;
    line.isDeaf = true;
    const frame = encodeFrame(encodeApdu(authorization(100)));
    await write(frame);
    await agent.sale.clock.advance(1_000);
    // It waits for the acknowledgement of its frame, and takes nothing else before.
    await write(frame);
    line.isDeaf = false;
    for (let spent = 0; spent < 10_000; spent += 50) await agent.sale.clock.advance(50);
    expect(received.filter((control) => control.startsWith('84'))).toEqual([]);
    expect(received.at(-1)).toBe('060f');
    expect(agent.sale.disk.rows.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
  });

  it('is sent a frame again that it did not acknowledge, and joins its sale when it receives again', async () => {
    const { agent, line, send, received } = await plugIn();
    await send(registration(CONFIG.silent));
    line.isDeaf = true;
    await send(authorization(100));
    for (let time = 0; time < 10; time += 1) await agent.sale.clock.advance(SERIAL_LIMITS.acknowledgeMs);
    expect(received.filter((control) => control === '8000')).toHaveLength(1 + SERIAL_LIMITS.maxRepeats);
    line.isDeaf = false;
    expect(await send(authorization(100))).toEqual(['8000', '040f', '060f']);
    expect(agent.sale.disk.rows.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
  });
});
