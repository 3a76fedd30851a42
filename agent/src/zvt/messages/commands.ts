import { findTemplate, findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { Apdu } from './apdu.js';
import { digitsOf, fromBcd } from './bcd.js';
import { type Bitmaps, readBitmaps, tlvOf } from './bitmaps.js';
import { decodeText } from './character-set.js';
import { ZvtError } from './zvt-error.js';

/** What a till sends, by class and instruction (PA00P015, "Summary of Commands"). */
export const COMMANDS = {
  statusEnquiry: 0x0501,
  registration: 0x0600,
  authorization: 0x0601,
  logOff: 0x0602,
  turnoverTotals: 0x0610,
  repeatReceipt: 0x0620,
  reservation: 0x0622,
  partialReversal: 0x0623,
  bookTotal: 0x0624,
  reservationReversal: 0x0625,
  reversal: 0x0630,
  refund: 0x0631,
  endOfDay: 0x0650,
  diagnosis: 0x0670,
  initialization: 0x0693,
  abort: 0x06b0,
  displayText: 0x06e0,
} as const;

/** How a till answers: received, and refused with a code in the lower byte. */
export const ACKNOWLEDGED = 0x8000;
const REFUSED_CLASS = 0x84;

/** What a till has reported about itself. */
export interface Registration {
  /** The till prints receipts of payments that the terminal lays out. */
  readonly printsPayments: boolean;
  /** The same of totals. */
  readonly printsTotals: boolean;
  readonly wantsIntermediate: boolean;
  /** It takes whole receipts (06 D3); else line by line (06 D1). */
  readonly takesTextBlocks: boolean;
  /** Characters in a line of its printer, where it reported it. */
  readonly columns?: number;
}

/** Money that a till requests. */
interface MoneyCommand {
  readonly minor: number;
  /** Numeric code of ISO 4217, where the till sent one. */
  readonly currency?: string;
  /** The till's own reference (TLV E9, 1F63). */
  readonly reference?: string;
}

/** A request about a reservation, which its receipt number names. */
interface FollowUpCommand {
  readonly receipt: number;
  readonly currency?: string;
  readonly reference?: string;
}

/** One request of a till. */
export type Command =
  | {
      readonly kind: 'registration';
      readonly password: string;
      readonly currency?: string;
      readonly wish: Registration;
    }
  | ({
      readonly kind: 'authorization' | 'reservation';
      readonly takesPartialApproval: boolean;
      /** How often the till may have the result repeated before it decides (bitmap 02). */
      readonly maxRepeats: number;
      /** How long the till may take to issue its goods, before it answers the result (bitmap 01). */
      readonly issueSeconds: number;
    } & MoneyCommand)
  | ({ readonly kind: 'refund'; readonly password: string } & MoneyCommand)
  | { readonly kind: 'reversal'; readonly password: string; readonly receipt: number }
  /** Books a reservation: this amount, or all of it. */
  | ({ readonly kind: 'booking'; readonly minor?: number } & FollowUpCommand)
  /** This amount of a reservation goes back, and the rest is booked. */
  | ({ readonly kind: 'partial-reversal'; readonly minor: number } & FollowUpCommand)
  | ({ readonly kind: 'reservation-reversal' } & FollowUpCommand)
  /** Requests a reservation that is open. */
  | { readonly kind: 'open-reservation' }
  | {
      readonly kind: 'end-of-day' | 'turnover-totals' | 'initialization';
      readonly password: string;
    }
  /** What the till wants once more. */
  | {
      readonly kind: 'repeat-receipt';
      readonly password: string;
      readonly wantsStatus: boolean;
      readonly wantsReceipts: boolean;
    }
  /** Without a text: the display is left as it is. */
  | { readonly kind: 'display-text'; readonly text: string }
  | { readonly kind: 'status-enquiry'; readonly wantsVersion: boolean }
  | { readonly kind: 'diagnosis' }
  | { readonly kind: 'log-off' | 'abort' | 'unknown' };

/** What a till sent: a request, or its answer to a message of ours. */
export type Received =
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'refused'; readonly code: number };

/** Fields with card data: the terminal reads the card, and no till gives one. */
const CARD_BITMAPS = [0x0e, 0x22, 0x23, 0x24, 0x2d, 0x3a];

/** Reads what a till sent. @throws ZvtError `bad-field`, `unknown-bitmap`, `card-data` */
export function readReceived({ control, data }: Apdu): Received {
  if (control === ACKNOWLEDGED) return { kind: 'acknowledged' };
  // 84 00 is an acknowledgement, too.
  if (control >>> 8 === REFUSED_CLASS) {
    const code = control & 0xff;
    return code === 0 ? { kind: 'acknowledged' } : { kind: 'refused', code };
  }
  return { kind: 'command', command: readCommand(control, data) };
}

function readCommand(control: number, data: Uint8Array): Command {
  switch (control) {
    case COMMANDS.registration:
      return readRegistration(data);
    case COMMANDS.authorization:
      return readAuthorization('authorization', readBitmaps(data));
    case COMMANDS.reservation:
      return readAuthorization('reservation', readBitmaps(data));
    case COMMANDS.partialReversal:
      return readPartialReversal(readBitmaps(data));
    case COMMANDS.bookTotal:
      return { kind: 'booking', ...readFollowUp(readBitmaps(data)) };
    case COMMANDS.reservationReversal: {
      const { minor: _all, ...followUp } = readFollowUp(readBitmaps(data));
      return { kind: 'reservation-reversal', ...followUp };
    }
    case COMMANDS.refund:
      return {
        kind: 'refund',
        password: passwordOf(data),
        ...readMoney(readBitmaps(data.subarray(PASSWORD_BYTES))),
      };
    case COMMANDS.reversal:
      return readReversal(data);
    case COMMANDS.endOfDay:
      return { kind: 'end-of-day', password: passwordOf(data) };
    case COMMANDS.turnoverTotals:
      return { kind: 'turnover-totals', password: passwordOf(data) };
    case COMMANDS.repeatReceipt:
      return readRepeatReceipt(data);
    case COMMANDS.initialization:
      return { kind: 'initialization', password: passwordOf(data) };
    case COMMANDS.displayText:
      return { kind: 'display-text', text: readTexts(readBitmaps(data)) };
    case COMMANDS.diagnosis:
      return { kind: 'diagnosis' };
    case COMMANDS.logOff:
      return { kind: 'log-off' };
    case COMMANDS.abort:
      return { kind: 'abort' };
    case COMMANDS.statusEnquiry:
      return { kind: 'status-enquiry', wantsVersion: (serviceByteOf(data) & WITHOUT_VERSION) === 0 };
    default:
      return { kind: 'unknown' };
  }
}

const PASSWORD_BYTES = 3;
const CURRENCY_BYTES = 2;

function passwordOf(data: Uint8Array): string {
  if (data.length < PASSWORD_BYTES) throw new ZvtError('bad-field', 'the password is missing');
  return digitsOf('the password', data.subarray(0, PASSWORD_BYTES));
}

/** Bits of the service byte: of a repeated receipt, of a status enquiry. */
const WITH_STATUS = 0x01;
const WITHOUT_RECEIPTS = 0x02;
const WITHOUT_VERSION = 0x02;

/** The service byte behind a password; 0 where there is none. */
function serviceByteOf(data: Uint8Array, preset = 0): number {
  if (data.length <= PASSWORD_BYTES) return preset;
  return readBitmaps(data.subarray(PASSWORD_BYTES)).get(SERVICE_BYTE)?.[0] ?? preset;
}

/** A till that states nothing gets all: it may have lost the answer. */
function readRepeatReceipt(data: Uint8Array): Command {
  const service = serviceByteOf(data, WITH_STATUS);
  return {
    kind: 'repeat-receipt',
    password: passwordOf(data),
    wantsStatus: (service & WITH_STATUS) !== 0,
    wantsReceipts: (service & WITHOUT_RECEIPTS) === 0,
  };
}

/** Bits of the configuration byte. */
const CONFIG = { printsPayments: 0x02, printsTotals: 0x04, intermediate: 0x08, laidOut: 0x80 } as const;
/** A service byte or the container follows where no currency stands. */
const SERVICE_BYTE = 0x03;
const CONTAINER = 0x06;

function readRegistration(data: Uint8Array): Command {
  const password = passwordOf(data);
  const config = data[PASSWORD_BYTES];
  if (config === undefined) throw new ZvtError('bad-field', 'the configuration byte is missing');
  let rest = data.subarray(PASSWORD_BYTES + 1);
  const hasCurrency = rest[0] !== undefined && rest[0] !== SERVICE_BYTE && rest[0] !== CONTAINER;
  const currency = hasCurrency ? currencyOf(rest.subarray(0, CURRENCY_BYTES)) : undefined;
  if (hasCurrency) rest = rest.subarray(CURRENCY_BYTES);
  const nodes = tlvOf(readBitmaps(rest));
  // Where the till lays out receipts by itself, it is sent none.
  const isLaidOut = (config & CONFIG.laidOut) !== 0;
  const columns = findTlv(nodes, '12');
  const wish: Registration = {
    printsPayments: isLaidOut && (config & CONFIG.printsPayments) !== 0,
    printsTotals: isLaidOut && (config & CONFIG.printsTotals) !== 0,
    wantsIntermediate: (config & CONFIG.intermediate) !== 0,
    takesTextBlocks: permits(nodes, TEXT_BLOCK),
    ...(columns?.length && { columns: fromBcd('TLV 12', columns) }),
  };
  return { kind: 'registration', password, wish, ...(currency !== undefined && { currency }) };
}

/** 06 D3, in the list of permitted commands. */
const TEXT_BLOCK = 0x06d3;

function permits(nodes: readonly TlvNode[], control: number): boolean {
  const list = findTemplate(nodes, '26') ?? [];
  return list.some(
    (node) => 'value' in node && node.tag === '0A' && Buffer.from(node.value).equals(bytesOf(control)),
  );
}

function bytesOf(control: number): Buffer {
  return Buffer.of(control >>> 8, control & 0xff);
}

function currencyOf(bytes: Uint8Array): string {
  const digits = digitsOf('the currency', bytes);
  if (digits.length !== 2 * CURRENCY_BYTES || !digits.startsWith('0'))
    throw new ZvtError('bad-field', 'the currency must be four digits, the first of them 0');
  return digits.slice(1);
}

function refuseCardData(bitmaps: Bitmaps): void {
  if (CARD_BITMAPS.some((bitmap) => bitmaps.has(bitmap)))
    throw new ZvtError('card-data', 'a till sends no card data: the terminal reads the card');
}

function readMoney(bitmaps: Bitmaps): MoneyCommand {
  refuseCardData(bitmaps);
  const amount = bitmaps.get(0x04);
  if (!amount) throw new ZvtError('bad-field', 'bitmap 04 (amount) is missing');
  return { minor: fromBcd('bitmap 04', amount), ...readTerms(bitmaps) };
}

function readTerms(bitmaps: Bitmaps): Pick<MoneyCommand, 'currency' | 'reference'> {
  const currency = bitmaps.get(0x49);
  const reference = referenceOf(tlvOf(bitmaps));
  return {
    ...(currency && { currency: currencyOf(currency) }),
    ...(reference !== undefined && { reference }),
  };
}

function readFollowUp(bitmaps: Bitmaps): FollowUpCommand & { readonly minor?: number } {
  refuseCardData(bitmaps);
  const amount = bitmaps.get(0x04);
  return {
    receipt: receiptOf(bitmaps),
    ...(amount && { minor: fromBcd('bitmap 04', amount) }),
    ...readTerms(bitmaps),
  };
}

/** In place of a receipt number: whether a reservation is open. */
const ANY_RECEIPT = 0xffff;

function readPartialReversal(bitmaps: Bitmaps): Command {
  const receipt = bitmaps.get(0x87);
  if (receipt && Buffer.from(receipt).readUInt16BE() === ANY_RECEIPT) return { kind: 'open-reservation' };
  // Without an amount nothing of it is unused.
  return { kind: 'partial-reversal', minor: 0, ...readFollowUp(bitmaps) };
}

/** 1 to 32 printable characters. */
const REFERENCE = /^[!-~](?:[ -~]{0,30}[!-~])?$/;

/** The individual reference number, alone or in its container. */
function referenceOf(nodes: readonly TlvNode[]): string | undefined {
  const value = findTlv(nodes, '1F63');
  if (!value) return undefined;
  const text = Buffer.from(value).toString('latin1');
  if (REFERENCE.test(text)) return text;
  throw new ZvtError('bad-field', 'TLV 1F63 must be 1 to 32 printable characters');
}

/** The standard bounds neither: an hour of repeats, one every two seconds. */
export const MAX_REPEATS = 1_800;
/** For the issue of goods, unless the till names another time (PA00P015, "Authorization"). */
const ISSUE_SECONDS = 30;

function readAuthorization(kind: 'authorization' | 'reservation', bitmaps: Bitmaps): Command {
  const partial = findTlv(tlvOf(bitmaps), '1F70')?.[0];
  return {
    kind,
    ...readMoney(bitmaps),
    takesPartialApproval: partial === 1,
    maxRepeats: bitmaps.get(0x02)?.[0] ?? MAX_REPEATS,
    issueSeconds: bitmaps.get(0x01)?.[0] || ISSUE_SECONDS,
  };
}

function readReversal(data: Uint8Array): Command {
  const password = passwordOf(data);
  return { kind: 'reversal', password, receipt: receiptOf(readBitmaps(data.subarray(PASSWORD_BYTES))) };
}

function receiptOf(bitmaps: Bitmaps): number {
  const receipt = bitmaps.get(0x87);
  if (!receipt) throw new ZvtError('bad-field', 'bitmap 87 (receipt number) is missing');
  return fromBcd('bitmap 87', receipt);
}

/** Lines of text that stand on the display. */
const TEXT_BITMAPS = [0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8];

function readTexts(bitmaps: Bitmaps): string {
  const lines = TEXT_BITMAPS.flatMap((bitmap) => bitmaps.get(bitmap) ?? []).map((line) =>
    decodeText(line).trim(),
  );
  return lines.filter((line) => line !== '').join(' ');
}
