import { present } from '@tillbridge/wire/present.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import type { HidUsage } from './choose-hid.js';
import { openHidPipe } from './hid-pipe.js';
import type { LineSettings } from './line-probe.js';
import { openSerialPipe } from './serial-pipe.js';
import { openTcpPipe } from './tcp-pipe.js';

/** Everything it takes to open a terminal's port. */
export interface PortSettings {
  readonly transport: Transport;
  /** A device file, `vendor:product[:serial]`, or `host:port`, by transport. */
  readonly path: string;
  /** For `serial`. */
  readonly line: LineSettings;
  /** For `hid`: the device numbers its reports. */
  readonly reportIds: boolean;
  /** For `hid`: where the model speaks. */
  readonly usage?: HidUsage;
}

/** Opens a port once. @throws PortOpenError whose message has the remedy */
export function openPort(
  { transport, path, line, reportIds, usage }: PortSettings,
  clock: Clock,
): Promise<BytePipe> {
  switch (transport) {
    case 'serial':
      return openSerialPipe({ path, ...line }, clock);
    case 'hid':
      return openHidPipe({ path, reportIds, ...present({ usage }) });
    case 'tcp':
      return openTcpPipe({ path });
  }
}
