import { maskBytes } from './mask-bytes.js';

/** First words of a trace: what the file is, and which rules it follows. */
const TRACE_FORMAT = 'tillbridge-terminal-trace-1';
/** Longest line of a trace: a piece of 32 KiB in hex, with its frame. */
const MAX_TRACE_LINE = 80_000;

/** What was recorded, at the head of the file. */
export interface TraceHeader {
  /** `pos.deviceType`. */
  readonly deviceType: string;
  readonly transport: string;
  /** When it began, ISO 8601. */
  readonly startedAt: string;
}

/** One thing that happened on the line. */
export type TraceEvent =
  | {
      readonly kind: 'bytes';
      readonly atMs: number;
      readonly from: 'host' | 'device';
      readonly bytes: Buffer;
    }
  | { readonly kind: 'open' | 'closed'; readonly atMs: number };

/** A whole recording. */
export interface Trace {
  readonly header: TraceHeader;
  readonly events: readonly TraceEvent[];
}

/** A file is no trace; the message names the line. */
export class TraceError extends Error {
  override readonly name = 'TraceError';
}

/** The first line. */
export function encodeHeader({ deviceType, transport, startedAt }: TraceHeader): string {
  return JSON.stringify({ format: TRACE_FORMAT, deviceType, transport, startedAt });
}

/** One line: JSON, bytes in hex, masked. */
export function encodeEvent(event: TraceEvent): string {
  const { kind, atMs } = event;
  if (event.kind !== 'bytes') return JSON.stringify({ atMs, line: kind });
  return JSON.stringify({ atMs, [event.from]: maskBytes(event.bytes).toString('hex').toUpperCase() });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseLine(text: string, number: number): Readonly<Record<string, unknown>> {
  if (text.length > MAX_TRACE_LINE)
    throw new TraceError(`line ${number} is longer than ${MAX_TRACE_LINE} characters`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TraceError(`line ${number} is no JSON`);
  }
  if (!isRecord(value)) throw new TraceError(`line ${number} is no JSON object`);
  return value;
}

function headerOf(line: Readonly<Record<string, unknown>>): TraceHeader {
  const { format, deviceType, transport, startedAt } = line;
  if (format !== TRACE_FORMAT)
    throw new TraceError(`line 1 is not the head of a trace: expected format ${TRACE_FORMAT}`);
  if (typeof deviceType !== 'string' || typeof transport !== 'string' || typeof startedAt !== 'string') {
    throw new TraceError('line 1 must name deviceType, transport and startedAt');
  }
  return { deviceType, transport, startedAt };
}

function eventOf(line: Readonly<Record<string, unknown>>, number: number): TraceEvent {
  const { atMs } = line;
  if (typeof atMs !== 'number' || !(atMs >= 0))
    throw new TraceError(`line ${number}: atMs must be a number from 0`);
  if (line.line === 'open' || line.line === 'closed') return { kind: line.line, atMs };
  for (const from of ['host', 'device'] as const) {
    const hex = line[from];
    if (typeof hex !== 'string') continue;
    if (!/^([0-9A-Fa-f]{2})*$/.test(hex))
      throw new TraceError(`line ${number}: ${from} must be hex digits in pairs`);
    return { kind: 'bytes', atMs, from, bytes: Buffer.from(hex, 'hex') };
  }
  throw new TraceError(`line ${number} must have host, device or line`);
}

/** The event of one line of a trace; undefined for its head, and for a line that is cut off or none. */
export function decodeTraceLine(line: string): TraceEvent | undefined {
  try {
    return eventOf(parseLine(line, 1), 1);
  } catch {
    return undefined;
  }
}

/** Reads a trace; empty lines are passed over. @throws TraceError */
export function decodeTrace(text: string): Trace {
  const lines = text
    .split('\n')
    .map((line, at) => ({ line: line.trim(), number: at + 1 }))
    .filter(({ line }) => line !== '');
  const [first, ...rest] = lines;
  if (!first) throw new TraceError('the trace is empty');
  return {
    header: headerOf(parseLine(first.line, first.number)),
    events: rest.map(({ line, number }) => eventOf(parseLine(line, number), number)),
  };
}
