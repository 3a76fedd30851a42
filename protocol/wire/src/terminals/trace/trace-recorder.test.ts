import { beforeEach, expect, test } from 'vitest';
import { VirtualClock } from '../../seams/testing/virtual-clock.js';
import { decodeTrace } from './trace.js';
import { MASK_WAIT_MS, MASK_WINDOW_BYTES, MAX_TRACE_BYTES, TraceRecorder } from './trace-recorder.js';

const PAN = '5454545454545454';

let clock: VirtualClock;
let written: string;
let closed: number;
let faults: string[];
beforeEach(() => {
  clock = new VirtualClock();
  written = '';
  closed = 0;
  faults = [];
});

function keep(text: string): void {
  written += text;
}

function recorder(append = keep): TraceRecorder {
  const header = { deviceType: 'GERTEC_PPC930', transport: 'serial' };
  const close = (): void => {
    closed += 1;
  };
  return new TraceRecorder({
    header,
    sink: { append, close },
    clock,
    onFault: (reason) => faults.push(reason),
  });
}

/** The bytes of one side, as the trace has them. */
function bytesOf(from: 'host' | 'device'): string {
  const { events } = decodeTrace(written);
  const pieces = events.flatMap((event) =>
    event.kind === 'bytes' && event.from === from ? [event.bytes] : [],
  );
  return Buffer.concat(pieces).toString('latin1');
}

const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each(Array.from({ length: PAN.length - 1 }, (_, at) => at + 1))(
  'a card number that the line cut behind digit %i is masked',
  async (at) => {
    const trace = recorder();
    trace.bytes('device', bytes(`x${PAN.slice(0, at)}`));
    await clock.advance(20);
    trace.bytes('device', bytes(`${PAN.slice(at)}y`));
    trace.close();
    expect(bytesOf('device')).toBe('x5454540000005454y');
    expect(decodeTrace(written).events.map(({ atMs }) => atMs)).toEqual([0, 20]);
    expect(closed).toBe(1);
  },
);

test('each byte of a card number may come alone', () => {
  const trace = recorder();
  for (const digit of PAN) trace.bytes('device', bytes(digit));
  trace.bytes('host', bytes('ok'));
  expect(bytesOf('device')).toBe('5454540000005454');
  trace.close();
  expect(bytesOf('host')).toBe('ok');
});

test('what nothing follows is written after a moment', async () => {
  const trace = recorder();
  trace.bytes('device', bytes('silence follows'));
  expect(bytesOf('device')).toBe('');
  await clock.advance(MASK_WAIT_MS);
  expect(bytesOf('device')).toBe('silence follows');
  expect(clock.nextTimerInMs()).toBeUndefined();
  trace.close();
});

test('little waits, and a card number at its edge is masked', () => {
  const trace = recorder();
  const before = 'x'.repeat(MASK_WINDOW_BYTES - 8);
  trace.bytes('device', bytes(before));
  for (const digit of PAN) trace.bytes('device', bytes(digit));
  trace.bytes('device', bytes('y'.repeat(MASK_WINDOW_BYTES)));
  expect(bytesOf('device').length).toBeGreaterThanOrEqual(MASK_WINDOW_BYTES - 8);
  trace.close();
  expect(bytesOf('device')).toBe(`${before}5454540000005454${'y'.repeat(MASK_WINDOW_BYTES)}`);
});

test('a full recording ends, which is reported once', () => {
  const trace = recorder(() => undefined);
  const piece = Buffer.alloc(32 * 1024, 0xff);
  for (let left = MAX_TRACE_BYTES; left > 0; left -= piece.length) trace.bytes('device', piece);
  expect(faults).toEqual([`it has ${MAX_TRACE_BYTES} bytes`]);
  expect(closed).toBe(1);
  expect(clock.nextTimerInMs()).toBeUndefined();
  trace.close();
  expect(closed).toBe(1);
});

test('a disk that fails ends the recording, which is reported once', () => {
  const trace = recorder(() => {
    throw new Error('ENOSPC');
  });
  trace.mark('open');
  trace.bytes('host', bytes('x'));
  trace.close();
  expect(faults).toEqual(['ENOSPC']);
  expect(closed).toBe(1);
});
