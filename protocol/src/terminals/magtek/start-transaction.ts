import { encodeTlv, findTemplate, type TlvNode, tlv } from '../../emv/tlv.js';
import { MmsFormatError } from './errors.js';
import { parameter, readParameters } from './message.js';

/** Longest wait for people that can be asked for; 0 stands for no limit. */
export const MAX_TIMEOUT_SECONDS = 255;

const TAGS = { timeout: '82', readers: 'A3', options: '84', transaction: '86' } as const;
const READERS = { stripe: '81', contact: '82', contactless: '83', pinFormat: '86' } as const;
const ENABLED = 0x01;

/** Second byte of the options. */
const QUICK_CHIP = 0x01;
const DYNAPRO_FORMAT = 0x02;

/** Formats of a PIN block that the device makes (ISO 9564-1). */
export const PIN_BLOCK_FORMATS = [0, 3, 4] as const;
export type PinBlockFormat = (typeof PIN_BLOCK_FORMATS)[number];

/** Parameters of START TRANSACTION. */
export interface StartParameters {
  readonly timeoutSeconds: number;
  readonly stripe: boolean;
  readonly contact: boolean;
  readonly contactless: boolean;
  /** Absent: as the device is set, format 0. */
  readonly pinFormat?: PinBlockFormat;
  /** The device answers the card itself and the host hears of it later; else it waits for RESUME TRANSACTION. */
  readonly quickChip: boolean;
  /** Objects of the transaction: 9C and 9F02 at least. */
  readonly transaction: readonly TlvNode[];
}

const flag = (on: boolean): Buffer => Buffer.of(on ? ENABLED : 0);

/** The parameters' bytes, in the order of the published example. */
export function encodeStart({
  timeoutSeconds,
  stripe,
  contact,
  contactless,
  pinFormat,
  quickChip,
  transaction,
}: StartParameters): Buffer {
  return encodeTlv([
    tlv(TAGS.timeout, Buffer.of(timeoutSeconds)),
    tlv(TAGS.readers, [
      tlv(READERS.stripe, flag(stripe)),
      tlv(READERS.contact, flag(contact)),
      tlv(READERS.contactless, flag(contactless)),
      ...(pinFormat === undefined ? [] : [tlv(READERS.pinFormat, Buffer.of(pinFormat))]),
    ]),
    tlv(TAGS.options, Buffer.of(0, DYNAPRO_FORMAT | (quickChip ? QUICK_CHIP : 0))),
    tlv(TAGS.transaction, encodeTlv(transaction)),
  ]);
}

/** Readers and options that are not named are as if they were named so. */
const DEFAULT_READER = Buffer.of(ENABLED);
const DEFAULT_OPTIONS = Buffer.of(0, DYNAPRO_FORMAT | QUICK_CHIP);

/** Reads the parameters as the device does. @throws MmsFormatError */
export function decodeStart(parameters: Uint8Array): StartParameters {
  const nodes = readParameters(parameters);
  const timeout = parameter(nodes, TAGS.timeout);
  if (timeout?.length !== 1) throw new MmsFormatError('timeout', 'must have one byte');
  const options = parameter(nodes, TAGS.options) ?? DEFAULT_OPTIONS;
  const [, flow = 0] = options;
  if (options.length !== 2 || (flow & DYNAPRO_FORMAT) === 0)
    throw new MmsFormatError('options', 'must have two bytes and ask for the DynaPro format');
  const readers = findTemplate(nodes, TAGS.readers) ?? [];
  const enabled = (tag: string): boolean => ((parameter(readers, tag) ?? DEFAULT_READER)[0] ?? 0) !== 0;
  const format = parameter(readers, READERS.pinFormat)?.[0];
  const pinFormat = PIN_BLOCK_FORMATS.find((known) => known === format);
  if (format !== undefined && pinFormat === undefined)
    throw new MmsFormatError('PIN block format', 'must be 0, 3 or 4');
  const transaction = readParameters(parameter(nodes, TAGS.transaction) ?? Buffer.alloc(0));
  for (const tag of ['9C', '9F02']) {
    if (!parameter(transaction, tag)) throw new MmsFormatError('transaction', `must have ${tag}`);
  }
  return {
    timeoutSeconds: timeout[0] ?? 0,
    stripe: enabled(READERS.stripe),
    contact: enabled(READERS.contact),
    contactless: enabled(READERS.contactless),
    ...(pinFormat !== undefined && { pinFormat }),
    quickChip: (flow & QUICK_CHIP) !== 0,
    transaction,
  };
}
