import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTraceFile } from '@tillbridge/agent/ports/recording-pipe.js';
import { lineReadingOf } from '@tillbridge/hardware-sim/inspection/read-recording.js';
import { modelSpec } from '@tillbridge/hardware-sim/terminals/models.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { decodeTrace } from '@tillbridge/wire/terminals/trace/trace.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAKERS } from './makers.js';
import { saleRequest } from './run-case.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

// What the frame view of the simulator shows is what the codec makes of the bytes that the host recorded at its own end of the line.

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'shown-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const quiet = (): void => {};

describe.each(MAKERS.map((maker) => [maker.deviceType, maker] as const))('%s', (deviceType, maker) => {
  const transport = maker.transports[0];

  /** A sale, with the recording of the host. */
  async function sold(): Promise<{ readonly harness: TerminalHarness; readonly text: string }> {
    const path = join(home, 'trace.jsonl');
    let close = quiet;
    const harness = await openTerminalHarness(maker, {
      wire: 'memory',
      wrap: (pipe, clock) => {
        const onFault = (reason: string): never => {
          throw new Error(reason);
        };
        const trace = openTraceFile({ path, header: { deviceType, transport }, clock, onFault });
        close = () => trace.close();
        return trace.watch(pipe);
      },
    });
    harness.cardholder.follow({ cards: [{ card: 'visa-credit-online' }] });
    await harness.pass(harness.driver.start(saleRequest({}), quiet));
    await harness.close();
    close();
    return { harness, text: readFileSync(path, 'utf8') };
  }

  test('the frames that are shown are those of the recording of the same bytes', async () => {
    const { harness, text } = await sold();
    const { wireLog } = harness;
    const shown = wireLog.frames.entries.map((frame) => wireLog.view(frame));
    const trace = decodeTrace(text);
    // Every byte is in one frame, masked as in the recording.
    for (const [from, direction] of [
      ['host', 'in'],
      ['device', 'out'],
    ] as const) {
      const recorded = trace.events.flatMap((event) =>
        event.kind === 'bytes' && event.from === from ? [toHex(event.bytes)] : [],
      );
      const hex = shown.flatMap((frame) => (frame.direction === direction ? [frame.hex] : []));
      expect(hex.join(''), from).toBe(recorded.join(''));
    }
    // A recording that lost digits has a wrong check value; all others are equal.
    const kept = wireLog.frames.entries.map((frame) => wireLog.view(frame, true).hex);
    const read = lineReadingOf(trace);
    for (const direction of ['in', 'out']) {
      const again = read.filter((frame) => frame.direction === direction);
      const all = shown.flatMap((frame, at) => (frame.direction === direction ? [{ frame, at }] : []));
      expect(again).toHaveLength(all.length);
      for (const [place, { frame, at }] of all.entries()) {
        const { kind, text, hex } = again[place] ?? frame;
        expect(hex).toBe(frame.hex);
        if (kept[at] === hex) expect([kind, text]).toEqual([frame.kind, frame.text]);
      }
    }
    expect(shown.every(({ kind }) => kind !== 'damaged')).toBe(true);
    expect(shown.some(({ kind }) => kind === 'message')).toBe(true);
    expect(JSON.stringify(shown)).not.toMatch(/4200000000000000/);
  });

  test('frames are the same however the line cuts the bytes', async () => {
    const { harness } = await sold();
    const { entries } = harness.wireLog.frames;
    const isHid = transport === 'hid';
    for (const pieceBytes of isHid ? [64, 640] : [1, 7, 100_000]) {
      const reader = modelSpec(maker.deviceType).wire(transport);
      const again = entries.flatMap(({ direction, bytes }) => {
        const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
          bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
        );
        return pieces.flatMap((piece) => reader.take(direction, piece));
      });
      expect(again.map(({ text, bytes }) => [text, toHex(bytes)])).toEqual(
        entries.map(({ text, bytes }) => [text, toHex(bytes)]),
      );
    }
  });

  test('a frame that a fault bends is shown as damaged', async () => {
    const { harness } = await sold();
    const { entries } = harness.wireLog.frames;
    const reply = entries.find(({ direction, kind }) => direction === 'out' && kind === 'message');
    harness.faults.lay([{ name: 'corrupt-crc', skip: 0, times: 1, delayMs: 0, seed: 1 }]);
    const { pieces } = harness.faults.strike(reply?.bytes ?? Buffer.alloc(0));
    const reader = modelSpec(maker.deviceType).wire(transport);
    const first = reader.take('out', pieces[0] ?? Buffer.alloc(0));
    expect(first.map(({ kind }) => kind)).not.toContain('message');
  });
});
