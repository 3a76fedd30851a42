import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { maskedForms } from './masked-forms.js';
import { messageReader, type SeenMessage } from './message-forms.js';

/** What a device sent during a step, each form once, in the order of their first coming. */
interface SeenOnLine {
  readonly messages: readonly string[];
  readonly masked: readonly string[];
}

/** Most forms of one step; a device that sends more of them differs from its model in any case. */
const MAX_FORMS = 100;

/** Listens to the device's side of each pipe of a terminal, and records only forms. */
export class LineWatch {
  readonly #deviceType: DeviceType;
  readonly #transport: Transport;
  #messages = new Set<string>();
  #masked = new Set<string>();

  constructor(deviceType: DeviceType, transport: Transport) {
    this.#deviceType = deviceType;
    this.#transport = transport;
  }

  /** The pipe, listened to from now on. */
  watch(pipe: BytePipe): BytePipe {
    const read = messageReader(this.#deviceType, this.#transport);
    pipe.onData((bytes) => {
      for (const seen of read(bytes)) this.#keep(seen);
    });
    return pipe;
  }

  /** What came since the last call. */
  take(): SeenOnLine {
    const taken = { messages: [...this.#messages], masked: [...this.#masked].sort() };
    this.#messages = new Set();
    this.#masked = new Set();
    return taken;
  }

  #keep({ form, content }: SeenMessage): void {
    if (this.#messages.size < MAX_FORMS) this.#messages.add(form);
    for (const masked of maskedForms(content)) if (this.#masked.size < MAX_FORMS) this.#masked.add(masked);
  }
}
