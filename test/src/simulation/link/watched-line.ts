import {
  coveredByMac,
  packExchange,
  putMac,
  unpackExchange,
} from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import { framed, MessageFrames } from '@tillbridge/wire/iso8583/message-frames.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { SimProcess } from '../kernel/sim-process.js';
import type { LinkMutation } from '../mutations/link-mutations.js';
import { LINK_DIALECT } from './link-host.js';

/** What stands between a link and its line. */
interface WatchedLineDeps {
  /** The link's process: a dead one sends and receives nothing. */
  readonly process: SimProcess;
  readonly message: ReturnType<NonNullable<LinkMutation['message']>> | undefined;
  readonly mac: (covered: Uint8Array) => Uint8Array;
  /** Sees what leaves, and what comes before a bug may change it. */
  readonly saw: (message: ExchangeMessage, way: 'up' | 'down') => void;
}

/** A line as its link's process has it. */
export function watchedLine(pipe: BytePipe, { process, message, mac, saw }: WatchedLineDeps): BytePipe {
  const changed = (bytes: Uint8Array, way: 'up' | 'down'): Uint8Array =>
    message ? rewritten(bytes, (each) => message(each, way), mac, process.clock.nowMs()) : bytes;
  const see = (bytes: Uint8Array, way: 'up' | 'down'): void => {
    for (const each of messagesOf(bytes, process.clock.nowMs()) ?? []) saw(each, way);
  };
  process.onDeath(() => void pipe.close());
  return {
    name: pipe.name,
    write: (bytes) =>
      process.call('link sends', async () => {
        const sent = changed(bytes, 'up');
        if (sent.length === 0) return;
        see(sent, 'up');
        await pipe.write(sent);
      }),
    onData: (listener) =>
      pipe.onData((bytes) => {
        if (!process.alive) return;
        see(bytes, 'down');
        const received = changed(bytes, 'down');
        if (received.length > 0) listener(received);
      }),
    onClose: (listener) =>
      pipe.onClose((reason) => {
        if (process.alive) listener(reason);
      }),
    close: () => pipe.close(),
  };
}

/** Whole messages as a bug would have them; bytes that are none stay as they are. */
function rewritten(
  bytes: Uint8Array,
  change: (message: ExchangeMessage) => ExchangeMessage | undefined,
  mac: (covered: Uint8Array) => Uint8Array,
  nowMs: number,
): Uint8Array {
  const messages = messagesOf(bytes, nowMs);
  if (!messages) return bytes;
  return Buffer.concat(
    messages
      .map(change)
      .flatMap((message) => message ?? [])
      .map((message) => {
        const packed = packExchange(LINK_DIALECT, message, true);
        putMac(LINK_DIALECT, packed, mac(coveredByMac(LINK_DIALECT, packed)));
        return framed(packed);
      }),
  );
}

/** Whole messages; undefined for bytes that are none. */
function messagesOf(bytes: Uint8Array, nowMs: number): readonly ExchangeMessage[] | undefined {
  try {
    return new MessageFrames().push(bytes).map((each) => unpackExchange(LINK_DIALECT, each, nowMs));
  } catch (error) {
    if (error instanceof Iso8583Error) return undefined;
    throw error;
  }
}
