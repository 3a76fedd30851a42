import { overPipe } from '@tillbridge/wire/seams/base-pipe.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import * as abecs from '@tillbridge/wire/terminals/abecs/framing.js';
import type { NeoFrame } from '@tillbridge/wire/terminals/idtech/frame.js';
import * as idtech from '@tillbridge/wire/terminals/idtech/line.js';
import { lineFraming } from '@tillbridge/wire/terminals/magtek/line-framing.js';
import * as miura from '@tillbridge/wire/terminals/miura/packet.js';
import * as newland from '@tillbridge/wire/terminals/newland/frame.js';
import type { Parsed } from '@tillbridge/wire/terminals/parsed.js';
import * as verifone from '@tillbridge/wire/terminals/verifone/frame-a.js';
import type { Maker } from '../terminals/maker.js';

/** What a device sends in place of a message; the same message gives the same. */
export type Change = (message: Buffer) => Uint8Array;

type Editor = (change: Change) => (bytes: Uint8Array) => readonly Uint8Array[];

function editor<S, E>(
  initial: S,
  parse: (state: S, bytes: Uint8Array) => Parsed<S, E>,
  again: (event: E, change: Change) => readonly Uint8Array[],
): Editor {
  return (change) => {
    let state = initial;
    return (bytes) => {
      const parsed = parse(state, bytes);
      state = parsed.state;
      return parsed.events.flatMap((event) => again(event, change));
    };
  };
}

const CONTROLS = { ack: 0x06, nak: 0x15, eot: 0x04, can: 0x18 } as const;

/** Confirmations go on as they are. @throws Error for anything that no whole device sends */
function control({ kind }: { readonly kind: string }): readonly Uint8Array[] {
  const byte = CONTROLS[kind as keyof typeof CONTROLS];
  if (byte === undefined) throw new Error(`${kind} on a line that is in order`);
  return [Uint8Array.of(byte)];
}

/** A change sees command and status in front of the data. */
function neo({ command, second, data }: NeoFrame, change: Change): NeoFrame {
  const [first = 0, status = 0, ...rest] = change(Buffer.concat([Buffer.of(command, second), data]));
  return { command: first, second: status, data: Buffer.from(rest) };
}

const mms = lineFraming('hid', 'to-device');

/** The messages of a device on the first of its transports, changed and put into frames again. */
const EDITORS: Readonly<Record<Maker['deviceType'], Editor>> = {
  GERTEC_PPC930: editor(abecs.INITIAL_FRAME_STATE, abecs.parseFrames, (event, change) =>
    event.kind === 'packet' ? [abecs.encodePacket(change(event.data))] : control(event),
  ),
  IDTECH_VP6800: editor(
    idtech.INITIAL_LINE_STATE,
    (state, bytes) => idtech.parseLine('hid', 'device', state, bytes),
    (event, change) =>
      event.kind === 'frame'
        ? idtech.encodeOnLine('hid', 'device', neo(event.frame, change))
        : control(event),
  ),
  MAGTEK_DYNAFLEX: editor(mms.initial, mms.parse, (event, change) =>
    event.kind === 'message' ? mms.frames(change(event.bytes)) : control(event),
  ),
  MIURA_M020: editor(miura.INITIAL_PACKET_STATE, miura.parsePackets, (event, change) =>
    event.kind === 'message'
      ? [miura.encodeMessagePackets({ ...event.message, apdu: Buffer.from(change(event.message.apdu)) })]
      : control(event),
  ),
  NEWLAND_P180: editor(newland.INITIAL_FRAME_STATE, newland.parseFrames, (event, change) =>
    event.kind === 'frame' ? [newland.encodeFrame(change(event.data))] : control(event),
  ),
  VERIFONE_P400: editor(verifone.INITIAL_FRAME_A, verifone.parseTypeA, (event, change) =>
    event.kind === 'block' ? verifone.encodeTypeA(change(event.data)) : control(event),
  ),
};

/** The line of a device that sends other messages. */
export function editedLine(deviceType: Maker['deviceType'], change: Change): (pipe: BytePipe) => BytePipe {
  return (pipe) =>
    overPipe(pipe, {
      onData: (listener) => {
        const edit = EDITORS[deviceType](change);
        return pipe.onData((bytes) => {
          for (const piece of edit(bytes)) listener(piece);
        });
      },
    });
}

/** Puts other bytes for those that a pattern finds in the hex digits of a message, only at whole bytes; lengths stay. */
export function otherBytes(pattern: RegExp, to: string): Change {
  return (message) => {
    const hex = message.toString('hex').toUpperCase();
    const changed = hex.replace(new RegExp(pattern, 'g'), (found: string, ...rest: unknown[]) =>
      rest.some((value) => typeof value === 'number' && value % 2 === 0) ? found.replace(pattern, to) : found,
    );
    return sameLength(message, Buffer.from(changed, 'hex'));
  };
}

/** The same for characters. */
export function otherText(pattern: RegExp, to: string): Change {
  return (message) => {
    const changed = message.toString('latin1').replace(new RegExp(pattern, 'g'), to);
    return sameLength(message, Buffer.from(changed, 'latin1'));
  };
}

function sameLength(message: Buffer, changed: Buffer): Buffer {
  if (changed.length !== message.length) throw new Error('a message of another length');
  return changed;
}
