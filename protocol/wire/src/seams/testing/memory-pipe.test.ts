import { describe, expect, it } from 'vitest';
import { PipeClosedError } from '../byte-pipe.js';
import { memoryPipe } from './memory-pipe.js';
import { settle } from './virtual-clock.js';

describe('memory pipe', () => {
  it('delivers in order and later, both ways, as copies', async () => {
    const [host, device] = memoryPipe();
    const atDevice: number[] = [];
    const atHost: number[] = [];
    device.onData((bytes) => atDevice.push(...bytes));
    host.onData((bytes) => atHost.push(...bytes));
    const buffer = Uint8Array.of(1, 2);
    const written = host.write(buffer);
    buffer.fill(0);
    expect(atDevice).toEqual([]);
    await written;
    await host.write(Uint8Array.of(3));
    await device.write(Uint8Array.of(9));
    await settle();
    expect(atDevice).toEqual([1, 2, 3]);
    expect(atHost).toEqual([9]);
  });

  it('closes both ends once and refuses writes', async () => {
    const [host, device] = memoryPipe();
    const reasons: string[] = [];
    host.onClose((reason) => reasons.push(`host ${reason}`));
    device.onClose((reason) => reasons.push(`device ${reason}`));
    await device.close();
    await device.close();
    await settle();
    expect(reasons).toEqual(['device closed by this side', 'host closed by the other side']);
    await expect(host.write(Uint8Array.of(1))).rejects.toThrow(PipeClosedError);
    host.onClose((reason) => reasons.push(`late ${reason}`));
    await settle();
    expect(reasons.at(-1)).toBe('late closed by the other side');
  });
});
