import { overPipe } from './base-pipe.js';
import type { BytePipe } from './byte-pipe.js';

/** Bytes of a report of every HID reader that there is a codec for. */
export const HID_REPORT_BYTES = 64;

/** Marks the path of a simulated HID device: a Unix socket that carries reports one behind the other. */
export const UNIX_PREFIX = 'unix:';

/** A stream cut back into reports. */
export function reportPipe(stream: BytePipe): BytePipe {
  return overPipe(stream, {
    onData(listener) {
      let rest = Buffer.alloc(0);
      return stream.onData((bytes) => {
        rest = Buffer.concat([rest, bytes]);
        for (; rest.length >= HID_REPORT_BYTES; rest = rest.subarray(HID_REPORT_BYTES))
          listener(rest.subarray(0, HID_REPORT_BYTES));
      });
    },
  });
}
