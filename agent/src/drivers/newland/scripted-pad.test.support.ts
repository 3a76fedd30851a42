import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { encodeFrame, INITIAL_FRAME_STATE, parseFrames } from '@tillbridge/wire/terminals/newland/frame.js';
import { FUNCTIONS, type FunctionName } from '@tillbridge/wire/terminals/newland/functions.js';
import {
  answerType,
  decodeMessage,
  encodeMessage,
  MESSAGES,
  type NewlandMessage,
} from '@tillbridge/wire/terminals/newland/messages.js';

/** A request that a scripted pad received: a type or a function's id, and the data after it. */
export interface PadRequest {
  readonly key: string;
  readonly body: Buffer;
}

/** Bytes of answers to a request; none where the pad stays silent. */
type Script = (request: PadRequest, times: number) => readonly Uint8Array[];

/** The key of an EMV function in {@link PadRequest}. */
export const fn = (name: FunctionName): string => `L0/${FUNCTIONS[name].id.toString(16)}`;

/** A frame that answers a request of a type. */
export function answer(type: string, body: string | Uint8Array): Buffer {
  return encodeFrame(encodeMessage({ type: answerType(type), body: Buffer.from(body as string, 'latin1') }));
}

/** A frame of an EMV function from the pad. */
export function fromFunction(name: FunctionName, body: string | Uint8Array): Buffer {
  const data = Buffer.concat([Buffer.of(FUNCTIONS[name].id), Buffer.from(body as string, 'latin1')]);
  return answer(MESSAGES.level3.type, data);
}

/** The device side of a line that answers by a script and records the requests. */
export class ScriptedPad {
  readonly requests: PadRequest[] = [];
  /** Confirmations of the host. */
  confirmed = 0;
  /** Raw cancels of the wait for a card. */
  cancels = 0;
  script: Script;
  readonly #pipe: BytePipe;
  #state = INITIAL_FRAME_STATE;

  constructor(pipe: BytePipe, script: Script) {
    this.#pipe = pipe;
    this.script = script;
    pipe.onData((bytes) => this.#receive(bytes));
  }

  /** Sends unsolicited bytes. */
  async say(...frames: readonly Uint8Array[]): Promise<void> {
    for (const frame of frames) await this.#pipe.write(frame);
  }

  /** Requests of a key. */
  of(key: string): readonly PadRequest[] {
    return this.requests.filter((each) => each.key === key);
  }

  #receive(bytes: Uint8Array): void {
    const { state, events } = parseFrames(this.#state, bytes);
    this.#state = state;
    for (const event of events) {
      if (event.kind === 'ack') this.confirmed += 1;
      else if (event.kind === 'cancel') this.cancels += 1;
      else if (event.kind === 'frame') this.#answer(decodeMessage(event.data));
    }
  }

  #answer({ type, body }: NewlandMessage): void {
    const level3 = type === MESSAGES.level3.type;
    const key = level3 ? `${type}/${body[0]?.toString(16)}` : type;
    const request = { key, body: level3 ? body.subarray(1) : body };
    const times = this.of(key).length;
    this.requests.push(request);
    void this.say(...this.script(request, times));
  }
}
