import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { SaleReportFrame } from '@tillbridge/wire/bridge/messages.js';
import { decodeTraceLine, type TraceEvent } from '@tillbridge/wire/terminals/trace/trace.js';

/** Bytes at the end of a trace that are looked at. */
const MAX_READ_BYTES = 4 * 1_024 ** 2;
/** Bytes of a frame that are reported: its head, before the content. */
const HEAD_BYTES = 8;

/**
 * What passed on the line to a terminal between two times, oldest first, as its trace has it: how many bytes, and how they begin.
 * @param file the trace; where it cannot be read there is nothing
 * @param fromMs milliseconds since 1970, both ends among them
 */
export function lineFrames(
  file: string,
  terminalId: string,
  fromMs: number,
  toMs: number,
): readonly SaleReportFrame[] {
  return tailOf(file)
    .split('\n')
    .flatMap((line) => decodeTraceLine(line) ?? [])
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
    .map((event) => frameOf(event, terminalId));
}

function frameOf(event: TraceEvent, terminalId: string): SaleReportFrame {
  const { atMs } = event;
  if (event.kind !== 'bytes')
    return { atMs, terminalId, from: event.kind, length: 0, head: new Uint8Array() };
  const { from, bytes } = event;
  return { atMs, terminalId, from, length: bytes.length, head: bytes.subarray(0, HEAD_BYTES) };
}

function tailOf(path: string): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, MAX_READ_BYTES));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8', 0, read);
  } finally {
    closeSync(file);
  }
}
