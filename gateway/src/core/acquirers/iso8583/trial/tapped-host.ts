import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import type { LineForm } from '@tillbridge/wire/iso8583/line-form.js';
import { MessageFrames } from '@tillbridge/wire/iso8583/message-frames.js';
import type { HostConnector } from '../link/link-deps.js';

/** What a tap sees of connections to a host. */
export interface TapObserver {
  /** A whole message, without length and header of the line. Its bytes are wiped afterwards. */
  message(direction: 'sent' | 'received', bytes: Uint8Array): void;
  /** Something else that an operator should know. */
  note(text: string): void;
}

/** The same connector, of whose connections an observer sees all messages; what passes is not changed. */
export function tappedHost(connect: HostConnector, line: LineForm, observer: TapObserver): HostConnector {
  return async () => {
    const pipe = await connect().catch((error: unknown) => {
      observer.note(`no connection: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    });
    observer.note(`connected: ${pipe.name}`);
    pipe.onClose((reason) => observer.note(`the connection has ended: ${reason}`));
    const sent = reader('sent', line, observer);
    const received = reader('received', line, observer);
    return {
      name: pipe.name,
      write(bytes) {
        sent(bytes);
        return pipe.write(bytes);
      },
      onData: (listener) =>
        pipe.onData((bytes) => {
          // First the message, then what it causes.
          received(bytes);
          listener(bytes);
        }),
      onClose: (listener) => pipe.onClose(listener),
      close: () => pipe.close(),
    };
  };
}

/** Gives whole messages to the observer, until bytes come that are none. */
function reader(
  direction: 'sent' | 'received',
  line: LineForm,
  observer: TapObserver,
): (bytes: Uint8Array) => void {
  const frames = new MessageFrames(undefined, line);
  let isReadable = true;
  return (bytes) => {
    if (!isReadable) return;
    try {
      for (const message of frames.push(bytes)) {
        observer.message(direction, message);
        message.fill(0);
      }
    } catch (error) {
      if (!(error instanceof Iso8583Error)) throw error;
      isReadable = false;
      observer.note(`${direction} bytes are no message in the frame of the dialect: ${error.message}`);
    }
  };
}
