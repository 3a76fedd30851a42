import { toHex } from '@tillbridge/wire/bytes.js';
import type { DescribedNode } from '@tillbridge/wire/emv/describe.js';
import { overPipe } from '@tillbridge/wire/seams/base-pipe.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import { maskBytes } from '@tillbridge/wire/terminals/trace/mask-bytes.js';
import { type WireForm, wireFormOf } from '@tillbridge/wire/terminals/trace/wire-payloads.js';
import { modelSpec } from '../terminals/models.js';
import type { WireDirection } from '../terminals/wire/wire-message.js';
import type { WireFrame, WireReader } from '../terminals/wire/wire-reader.js';
import { BoundedLog, type LogEntry } from './bounded-log.js';
import type { SaleLog } from './sale-log.js';

/** Frames of one terminal that are kept, and their bytes together. */
export const MAX_FRAMES = 500;
const MAX_FRAME_LOG_BYTES = 1024 * 1024;

/** A frame that passed. */
type LoggedFrame = WireFrame & LogEntry & ReturnType<SaleLog['frame']>;

/** A frame as `GET /terminals/{id}/frames` shows it. */
export interface FrameView extends Pick<WireFrame, 'direction' | 'kind' | 'text'> {
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  readonly length: number;
  /** Number of the sale that it belongs to; absent between sales. */
  readonly sale?: number;
  /** Part of a query of the state, such as the host sends while nothing happens. */
  readonly poll?: true;
  /** Hex of the bytes on the line; card data masked unless the caller requested them. */
  readonly hex: string;
}

/** What a log of a line needs to know. */
interface WireLogDeps {
  readonly deviceType: DeviceType;
  readonly transport: string;
  readonly clock: Clock;
  /** Knows which sale a frame belongs to. */
  readonly sales?: SaleLog;
}

/** Receives what passes, piece by piece. */
interface LineWatcher {
  opened(): void;
  bytes(direction: WireDirection, bytes: Uint8Array): void;
}

/** What passed over a terminal's line, decoded by the maker's codec. Faults of the line are in it. */
export class WireLog {
  readonly frames = new BoundedLog<LoggedFrame>({
    maxEntries: MAX_FRAMES,
    maxBytes: MAX_FRAME_LOG_BYTES,
    bytesOf: ({ bytes }) => bytes.length,
  });
  readonly #deps: WireLogDeps;
  readonly #form: WireForm;
  readonly #watchers = new Set<LineWatcher>();
  #reader: WireReader;

  constructor(deps: WireLogDeps) {
    this.#deps = deps;
    this.#form = wireFormOf(deps.deviceType, deps.transport);
    this.#reader = newReader(deps);
  }

  /** The same line, whose bytes are read here as they pass; half a frame of a former line is forgotten. */
  tap(line: BytePipe): BytePipe {
    this.#reader = newReader(this.#deps);
    this.#deps.sales?.opened();
    for (const watcher of this.#watchers) watcher.opened();
    return overPipe(line, {
      write: (bytes) => {
        this.#pass('out', bytes);
        return line.write(bytes);
      },
      onData: (listener) =>
        line.onData((bytes) => {
          this.#pass('in', bytes);
          listener(bytes);
        }),
    });
  }

  /** Calls the watcher for every piece from now on. Returns the function that ends it. */
  follow(watcher: LineWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** @param unmasked with the card data that the terminal sent in clear; the simulator has published test cards alone */
  view(frame: LoggedFrame, unmasked = false): FrameView {
    const { number, atMs, direction, kind, text, bytes, sale, poll } = frame;
    const shown = unmasked ? bytes : maskBytes(bytes, this.#form);
    const at = new Date(atMs).toISOString();
    return {
      ...{ number, at, direction, kind, text, length: bytes.length, hex: toHex(shown) },
      ...(sale !== undefined && { sale }),
      ...(poll && { poll }),
    };
  }

  /** The bytes of a frame as a recording may keep them. */
  masked({ bytes }: LoggedFrame): Buffer {
    return maskBytes(bytes, this.#form);
  }

  #pass(direction: WireDirection, bytes: Uint8Array): void {
    for (const watcher of this.#watchers) watcher.bytes(direction, bytes);
    const atMs = this.#deps.clock.nowMs();
    for (const frame of this.#reader.take(direction, bytes))
      this.frames.add((number) => ({ ...frame, number, atMs, ...this.#deps.sales?.frame(number, frame) }));
  }
}

/** The data objects of a frame. */
export function frameObjects({ objects }: WireFrame): readonly DescribedNode[] {
  return objects?.() ?? [];
}

function newReader({ deviceType, transport }: WireLogDeps): WireReader {
  return modelSpec(deviceType).wire(transport);
}
