import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { decodeTrace } from '@tillbridge/wire/terminals/trace/trace.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTraceFile } from './recording-pipe.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'trace-'));
});
afterEach(() => rmSync(home, { recursive: true }));

test('both directions are recorded, masked, in a file that only this user reads', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 10));
  const path = join(home, 'traces', 't1.jsonl');
  const faults: string[] = [];
  const header = { deviceType: 'MIURA_M020', transport: 'serial' };
  const trace = openTraceFile({ path, header, clock, onFault: (reason) => faults.push(reason) });
  const [host, device] = memoryPipe();
  const pipe = trace.watch(host);
  const received: string[] = [];
  pipe.onData((bytes) => received.push(Buffer.from(bytes).toString('latin1')));
  await pipe.write(Buffer.from('hello'));
  await clock.advance(40);
  await device.write(Buffer.from('5454545454545454'));
  await settle();
  await pipe.close();
  await settle();
  trace.close();
  expect(received).toEqual(['5454545454545454']);
  const { events, header: read } = decodeTrace(readFileSync(path, 'utf8'));
  expect(read).toEqual({ ...header, startedAt: '2026-11-20T10:00:00.000Z' });
  expect(events).toEqual([
    { kind: 'open', atMs: 0 },
    { kind: 'bytes', atMs: 0, from: 'host', bytes: Buffer.from('hello') },
    { kind: 'bytes', atMs: 40, from: 'device', bytes: Buffer.from('5454540000005454') },
    { kind: 'closed', atMs: 40 },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(faults).toEqual([]);
});

const FULL_DISK = '/dev/full';
const hasFullDisk = existsSync(FULL_DISK);
if (!hasFullDisk) console.log(`skipped: a recording on a full disk, because there is no ${FULL_DISK}`);
test.skipIf(!hasFullDisk)('a disk that takes nothing more ends the recording, not the line', async () => {
  const faults: string[] = [];
  const trace = openTraceFile({
    path: FULL_DISK,
    header: { deviceType: 'MIURA_M020', transport: 'serial' },
    clock: new VirtualClock(),
    onFault: (reason) => faults.push(reason),
  });
  const [host, device] = memoryPipe();
  const arrived: Uint8Array[] = [];
  device.onData((bytes) => arrived.push(bytes));
  await trace.watch(host).write(Buffer.from('x'));
  await settle();
  expect(arrived).toHaveLength(1);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain('ENOSPC');
});
