/** How a HID device is made known to the kernel. */
export interface UhidDevice {
  readonly name: string;
  /** Serial number of the device. */
  readonly serial: string;
  readonly vendorId: number;
  readonly productId: number;
  /** HID report descriptor (HID 1.11 §6.2.2). */
  readonly descriptor: Uint8Array;
}

/** Events from the kernel. Others are of no concern to a device that has only reports. */
type UhidEvent =
  | { readonly kind: 'open' | 'close' }
  /** A report of the host. */
  | { readonly kind: 'output'; readonly report: Buffer };

/** Types of `struct uhid_event` (Linux, include/uapi/linux/uhid.h). */
const TYPES = { destroy: 1, open: 4, close: 5, output: 6, create2: 11, input2: 12 } as const;
const TYPE_BYTES = 4;
const DATA_MAX = 4_096;
const NAME_BYTES = 128;
const PHYS_BYTES = 64;
const UNIQ_BYTES = 64;
/** Offset of the descriptor in `struct uhid_create2_req`. */
const DESCRIPTOR_AT = NAME_BYTES + PHYS_BYTES + UNIQ_BYTES + 2 + 2 + 4 * 4;
const BUS_USB = 0x03;

/** Bytes of every event. */
export const UHID_EVENT_BYTES = TYPE_BYTES + DESCRIPTOR_AT + DATA_MAX;

function event(type: number): Buffer {
  const bytes = Buffer.alloc(UHID_EVENT_BYTES);
  bytes.writeUInt32LE(type);
  return bytes;
}

/** UHID_CREATE2: the device appears. @throws RangeError when the descriptor is too long */
export function createEvent({ name, serial, vendorId, productId, descriptor }: UhidDevice): Buffer {
  if (descriptor.length > DATA_MAX) throw new RangeError(`a report descriptor has at most ${DATA_MAX} bytes`);
  const bytes = event(TYPES.create2);
  let at = TYPE_BYTES;
  bytes.write(name.slice(0, NAME_BYTES - 1), at, 'latin1');
  at += NAME_BYTES + PHYS_BYTES;
  bytes.write(serial.slice(0, UNIQ_BYTES - 1), at, 'latin1');
  at += UNIQ_BYTES;
  bytes.writeUInt16LE(descriptor.length, at);
  bytes.writeUInt16LE(BUS_USB, at + 2);
  bytes.writeUInt32LE(vendorId, at + 4);
  bytes.writeUInt32LE(productId, at + 8);
  bytes.set(descriptor, TYPE_BYTES + DESCRIPTOR_AT);
  return bytes;
}

/** UHID_DESTROY: the device is gone. */
export function destroyEvent(): Buffer {
  return event(TYPES.destroy);
}

/** UHID_INPUT2: a report for the host. @throws RangeError when it is too long */
export function inputEvent(report: Uint8Array): Buffer {
  if (report.length > DATA_MAX) throw new RangeError(`a report has at most ${DATA_MAX} bytes`);
  const bytes = event(TYPES.input2);
  bytes.writeUInt16LE(report.length, TYPE_BYTES);
  bytes.set(report, TYPE_BYTES + 2);
  return bytes;
}

/**
 * Reads an event of the kernel; undefined for one that is of no concern.
 * @param numbered whether reports of the device begin with a number; others come with a zero in its place
 */
export function readEvent(bytes: Uint8Array, numbered: boolean): UhidEvent | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < TYPE_BYTES) return undefined;
  switch (buffer.readUInt32LE()) {
    case TYPES.open:
      return { kind: 'open' };
    case TYPES.close:
      return { kind: 'close' };
    case TYPES.output: {
      const sizeAt = TYPE_BYTES + DATA_MAX;
      if (buffer.length < sizeAt + 2) return undefined;
      const size = Math.min(buffer.readUInt16LE(sizeAt), DATA_MAX);
      const report = Buffer.from(buffer.subarray(TYPE_BYTES, TYPE_BYTES + size));
      return { kind: 'output', report: numbered || report[0] !== 0 ? report : withoutNumber(report) };
    }
    default:
      return undefined;
  }
}

/** A report of a whole number of eights plus one carries the zero in place of a number. */
function withoutNumber(report: Buffer): Buffer {
  return report.length % 8 === 1 ? report.subarray(1) : report;
}
