import { encodeTlv, findTemplate, type TlvNode, tlv } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';
import { parameter, readParameters } from './message.js';

/** Longest wait for people that a request can have; 0 stands for no limit. */
export const MAX_TIMEOUT_SECONDS = 255;

const TAGS = { timeout: '82', readers: 'A3', options: '84', transaction: '86', screen: 'AC' } as const;
const READERS = { magstripe: '81', contact: '82', contactless: '83', manual: '84', pinFormat: '86' } as const;
const SCREEN = { rightButton: '83' } as const;
const ENABLED = 0x01;

/** Second byte of the options. */
const QUICK_CHIP = 0x01;
const DYNAPRO_FORMAT = 0x02;

/** Formats of a PIN block that the device makes (ISO 9564-1). */
const PIN_BLOCK_FORMATS = [0, 3, 4] as const;
export type PinBlockFormat = (typeof PIN_BLOCK_FORMATS)[number];

/**
 * How a card number is keyed in: eight to 21 digits, and the pages that property `manualEntryPages` sets; the text has no
 * other formats and sequences.
 */
interface ManualEntry {
  readonly keySounds: boolean;
}
const MANUAL_BYTES = 3;

/** Parameters of START TRANSACTION. */
export interface StartParameters {
  readonly timeoutSeconds: number;
  readonly magstripe: boolean;
  readonly contact: boolean;
  readonly contactless: boolean;
  /** A card number is keyed in; no reader may be enabled with it. */
  readonly manual?: ManualEntry;
  /** Absent: as the device is set, format 0. */
  readonly pinFormat?: PinBlockFormat;
  /** The device answers the card itself and notifies the host later; else it waits for RESUME TRANSACTION. */
  readonly quickChip: boolean;
  /** Objects of the transaction: 9C and 9F02 at least; with manual entry any or none. */
  readonly transaction: readonly TlvNode[];
  /** Label (number of an interface string) of a button on the page that prompts for a card; the host is notified when it is touched. */
  readonly rightButton?: number;
}

const flag = (on: boolean): Buffer => Buffer.of(on ? ENABLED : 0);

/** The parameters' bytes, in the order of the published examples. @throws TerminalFormatError when readers are enabled with manual entry */
export function encodeStart(parameters: StartParameters): Buffer {
  const { timeoutSeconds, magstripe, contact, contactless, manual, pinFormat } = parameters;
  const { quickChip, transaction, rightButton } = parameters;
  requireManualOnly(parameters);
  return encodeTlv([
    tlv(TAGS.timeout, Buffer.of(timeoutSeconds)),
    tlv(TAGS.readers, [
      tlv(READERS.magstripe, flag(magstripe)),
      tlv(READERS.contact, flag(contact)),
      tlv(READERS.contactless, flag(contactless)),
      ...(manual ? [tlv(READERS.manual, Buffer.of(0, 0, manual.keySounds ? 1 : 0))] : []),
      ...(pinFormat === undefined ? [] : [tlv(READERS.pinFormat, Buffer.of(pinFormat))]),
    ]),
    tlv(TAGS.options, Buffer.of(0, DYNAPRO_FORMAT | (quickChip ? QUICK_CHIP : 0))),
    tlv(TAGS.transaction, encodeTlv(transaction)),
    ...(rightButton === undefined
      ? []
      : [tlv(TAGS.screen, [tlv(SCREEN.rightButton, Buffer.of(rightButton >> 8, rightButton & 0xff))])]),
  ]);
}

function requireManualOnly({ magstripe, contact, contactless, manual }: StartParameters): void {
  if (manual && (magstripe || contact || contactless))
    throw new TerminalFormatError('reader options', 'must disable every reader except manual entry');
}

function readManual(value: Uint8Array | undefined): ManualEntry | undefined {
  if (value === undefined) return undefined;
  const [numberFormat, sequence, keySounds = 0] = value;
  if (value.length !== MANUAL_BYTES || numberFormat !== 0 || sequence !== 0 || keySounds > 1)
    throw new TerminalFormatError('manual entry mode', 'must be 000000 or 000001');
  return { keySounds: keySounds === 1 };
}

function readButton(value: Uint8Array | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (value.length !== 2) throw new TerminalFormatError('label of the right button', 'must have two bytes');
  return Buffer.from(value).readUInt16BE();
}

/** Readers and options that are not named are as if they were named so. */
const DEFAULT_READER = Buffer.of(ENABLED);
const DEFAULT_OPTIONS = Buffer.of(0, DYNAPRO_FORMAT | QUICK_CHIP);

/** Reads the parameters as the device does. @throws TerminalFormatError */
export function decodeStart(parameters: Uint8Array): StartParameters {
  const nodes = readParameters(parameters);
  const timeout = parameter(nodes, TAGS.timeout);
  if (timeout?.length !== 1) throw new TerminalFormatError('timeout', 'must have one byte');
  const options = parameter(nodes, TAGS.options) ?? DEFAULT_OPTIONS;
  const [, flow = 0] = options;
  if (options.length !== 2 || (flow & DYNAPRO_FORMAT) === 0)
    throw new TerminalFormatError('options', 'must have two bytes and ask for the DynaPro format');
  const readers = findTemplate(nodes, TAGS.readers) ?? [];
  const enabled = (tag: string): boolean => ((parameter(readers, tag) ?? DEFAULT_READER)[0] ?? 0) !== 0;
  const format = parameter(readers, READERS.pinFormat)?.[0];
  const pinFormat = PIN_BLOCK_FORMATS.find((known) => known === format);
  if (format !== undefined && pinFormat === undefined)
    throw new TerminalFormatError('PIN block format', 'must be 0, 3 or 4');
  const manual = readManual(parameter(readers, READERS.manual));
  const transaction = readParameters(parameter(nodes, TAGS.transaction) ?? Buffer.alloc(0));
  for (const tag of ['9C', '9F02']) {
    if (!manual && !parameter(transaction, tag))
      throw new TerminalFormatError('transaction', `must have ${tag}`);
  }
  const rightButton = readButton(parameter(findTemplate(nodes, TAGS.screen) ?? [], SCREEN.rightButton));
  const start: StartParameters = {
    timeoutSeconds: timeout[0] ?? 0,
    magstripe: enabled(READERS.magstripe),
    contact: enabled(READERS.contact),
    contactless: enabled(READERS.contactless),
    ...(manual && { manual }),
    ...(pinFormat !== undefined && { pinFormat }),
    quickChip: (flow & QUICK_CHIP) !== 0,
    transaction,
    ...(rightButton !== undefined && { rightButton }),
  };
  requireManualOnly(start);
  return start;
}
