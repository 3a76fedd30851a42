import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createFile } from '@tillbridge/platform/write-file.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import {
  decodeTrace,
  encodeEvent,
  encodeHeader,
  type Trace,
} from '@tillbridge/wire/terminals/trace/trace.js';
import { TraceRecorder } from '@tillbridge/wire/terminals/trace/trace-recorder.js';
import { ControlError } from '../errors/control-error.js';
import type { WireLog } from '../inspection/wire-log.js';

/** Recordings that are kept; further ones are refused until some are removed. */
export const MAX_RECORDINGS = 100;
/** Largest recording that is taken from outside. */
export const MAX_UPLOAD_BYTES = 8 * 1024 * 1024;
/** Longest piece of one line of a recording. */
const MAX_PIECE_BYTES = 32 * 1024;
const NAME = /^[0-9A-Za-z][0-9A-Za-z._-]{0,79}\.jsonl$/;

/** A recording as `GET /recordings` shows it. */
export interface RecordingView {
  readonly name: string;
  readonly deviceType: string;
  readonly transport: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly bytes: number;
  readonly path: string;
  /** The command that plays it to an agent. */
  readonly command: string;
}

/** What a recording is of. */
export interface RecordedTerminal {
  readonly id: string;
  readonly deviceType: string;
  readonly transport: string;
}

/** The recordings in a folder; their card data are masked. */
export class Recordings {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Newest first. Files that are no recording are left out. */
  get list(): readonly RecordingView[] {
    return this.#names
      .flatMap((name) => {
        const view = this.#viewOf(name);
        return view ? [view] : [];
      })
      .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  }

  /** Begins a recording. @param onFault called once when nothing more can be written */
  begin(
    terminal: RecordedTerminal,
    onFault: (reason: string) => void,
  ): { readonly name: string; readonly recorder: TraceRecorder } {
    const name = this.#newName(terminal.id);
    const fd = openSync(join(this.#folder, name), 'wx', 0o600);
    const { deviceType, transport } = terminal;
    const recorder = new TraceRecorder({
      header: { deviceType, transport },
      clock: this.#clock,
      sink: { append: (text) => writeSync(fd, text), close: () => closeSync(fd) },
      onFault,
    });
    return { name, recorder };
  }

  /** Keeps what was just seen on a line. */
  keep(terminal: RecordedTerminal, wire: WireLog): RecordingView {
    const { entries } = wire.frames;
    const [first] = entries;
    const startMs = first?.atMs ?? this.#clock.nowMs();
    const { id, deviceType, transport } = terminal;
    const header = { deviceType, transport, startedAt: new Date(startMs).toISOString() };
    const lines = [encodeHeader(header), encodeEvent({ kind: 'open', atMs: 0 })];
    for (const frame of entries) {
      const from = frame.direction === 'in' ? 'host' : 'device';
      const bytes = wire.masked(frame);
      for (let at = 0; at < bytes.length; at += MAX_PIECE_BYTES) {
        const piece = bytes.subarray(at, at + MAX_PIECE_BYTES);
        lines.push(encodeEvent({ kind: 'bytes', from, atMs: frame.atMs - startMs, bytes: piece }));
      }
    }
    return this.#write(this.#newName(id), `${lines.join('\n')}\n`);
  }

  /** Takes a recording from outside, under a new name. @throws ControlError bad-request; TraceError */
  take(text: string): RecordingView {
    const { header } = decodeTrace(text);
    if (!/^[0-9A-Z_]{1,64}$/.test(header.deviceType))
      throw new ControlError('bad-request', 'deviceType must be a name of a model');
    return this.#write(this.#newName('taken'), text);
  }

  /** The text of a recording. @throws ControlError unknown-recording */
  text(name: string): string {
    return readFileSync(this.#known(name), 'utf8');
  }

  /** A recording, read. @throws ControlError unknown-recording; TraceError */
  trace(name: string): Trace {
    return decodeTrace(this.text(name));
  }

  /** What is known of a recording. @throws ControlError unknown-recording */
  view(name: string): RecordingView {
    this.#known(name);
    const view = this.#viewOf(name);
    if (!view) throw unknown(name);
    return view;
  }

  /** @throws ControlError unknown-recording */
  remove(name: string): void {
    rmSync(this.#known(name), { force: true });
  }

  get #names(): readonly string[] {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return readdirSync(this.#folder).filter((name) => NAME.test(name));
  }

  #write(name: string, text: string): RecordingView {
    createFile(join(this.#folder, name), text);
    return this.view(name);
  }

  #known(name: string): string {
    if (!NAME.test(name) || !this.#names.includes(name)) throw unknown(name);
    return join(this.#folder, name);
  }

  #newName(about: string): string {
    const names = this.#names;
    if (names.length >= MAX_RECORDINGS)
      throw new ControlError('not-now', `there are ${MAX_RECORDINGS} recordings: remove some of them`);
    const at = new Date(this.#clock.nowMs())
      .toISOString()
      .replace(/[-:]|\..*/g, '')
      .replace('T', '-');
    for (let count = 1; ; count += 1) {
      const name = `${about}-${at}${count === 1 ? '' : `-${count}`}.jsonl`;
      if (!names.includes(name)) return name;
    }
  }

  #viewOf(name: string): RecordingView | undefined {
    const path = join(this.#folder, name);
    const header = headerOf(path);
    if (!header) return undefined;
    return { name, ...header, bytes: statSync(path).size, path, command: replayCommand(path) };
  }
}

/** The command that plays a recording to an agent. */
function replayCommand(path: string): string {
  return `npx tillbridge-sim replay '${path.replaceAll("'", "'\\''")}' --path /tmp/tillbridge-replay`;
}

/** Bytes in which the first line of a recording stands. */
const HEAD_BYTES = 1_024;

function headerOf(path: string): Trace['header'] | undefined {
  try {
    const [line = ''] = readFileSync(path).subarray(0, HEAD_BYTES).toString('utf8').split('\n');
    return decodeTrace(line).header;
  } catch {
    return undefined;
  }
}

function unknown(name: string): ControlError {
  return new ControlError('unknown-recording', `there is no recording ${name.slice(0, 80)}`);
}
