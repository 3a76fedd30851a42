import { toHex } from '@tillbridge/wire/bytes.js';
import { deviceTypeOf } from '@tillbridge/wire/terminals/device-types.js';
import { maskBytes } from '@tillbridge/wire/terminals/trace/mask-bytes.js';
import type { Trace } from '@tillbridge/wire/terminals/trace/trace.js';
import { wireFormOf } from '@tillbridge/wire/terminals/trace/wire-payloads.js';
import { modelSpec } from '../terminals/models.js';
import type { FrameView } from './wire-log.js';

/** Frames of a recording that are shown. */
const MAX_RECORDED_FRAMES = 2_000;

/** The frames of a recording as its maker's codec reads them; none of a model that is not known. */
export function lineReadingOf({ header, events }: Trace): readonly FrameView[] {
  const { deviceType, transport, startedAt } = header;
  const model = deviceTypeOf(deviceType);
  if (!model) return [];
  const startMs = Date.parse(startedAt) || 0;
  const form = wireFormOf(deviceType, transport);
  const frames: FrameView[] = [];
  let reader = modelSpec(model).wire(transport);
  for (const event of events) {
    if (event.kind !== 'bytes') {
      reader = modelSpec(model).wire(transport);
      continue;
    }
    for (const { direction, kind, text, bytes } of reader.take(
      event.from === 'host' ? 'in' : 'out',
      event.bytes,
    )) {
      if (frames.length >= MAX_RECORDED_FRAMES) return frames;
      const at = new Date(startMs + event.atMs).toISOString();
      const hex = toHex(maskBytes(bytes, form));
      frames.push({ number: frames.length + 1, at, direction, kind, text, length: bytes.length, hex });
    }
  }
  return frames;
}
