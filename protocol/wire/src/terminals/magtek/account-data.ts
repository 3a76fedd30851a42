import { encodeTlv, findTemplate, findTlv, type TlvNode, tlv } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';
import { parameter, readParameters } from './message.js';

/** Tags of the clear data of an object. */
const ACCOUNT_TAGS = {
  container: 'FC',
  magstripe: 'F4',
  track1Status: 'DFDF36',
  track1: 'DFDF37',
  track2Status: 'DFDF38',
  track2: 'DFDF39',
  track3Status: 'DFDF3A',
  magstripeKsn: 'DFDF50',
  magstripeType: 'DFDF51',
  pin: 'F5',
  pinFormat: 'DF71',
  pinBlock: '99',
  pinKsn: 'DFDF41',
  pinType: 'DFDF42',
} as const;

/** Values of the track states. */
const TRACK_STATES = { ok: 0x00, empty: 0x01, error: 0x02, disabled: 0x03 } as const;

/** A PIN block as the device enciphered it under its PIN key. */
export interface EncipheredPinBlock {
  readonly ksn: Uint8Array;
  readonly block: Uint8Array;
  /** ISO 9564 format. */
  readonly format: number;
}

/** Bytes that the device enciphered apart from the rest. */
export interface EncipheredTrack {
  readonly ksn: Uint8Array;
  readonly data: Uint8Array;
  /** Encryption type, where the device names it. */
  readonly type?: number;
}

/** What stands in the clear data: the account of a chip, or a track that is enciphered once more; and the PIN block. */
interface ClearTransactionData {
  /** Compressed numeric digits, hex without filling. */
  readonly pan?: string;
  /** Digits with `D` as separator. */
  readonly track2?: string;
  /** `YYMM`. */
  readonly expiry?: string;
  readonly holder?: string;
  readonly magstripeTrack2?: EncipheredTrack;
  readonly pin?: EncipheredPinBlock;
}

function digits(value: Uint8Array | undefined): string | undefined {
  return value && Buffer.from(value).toString('hex').toUpperCase().replace(/F+$/, '');
}

function pinOf(nodes: readonly TlvNode[]): EncipheredPinBlock | undefined {
  const pin = findTemplate(nodes, ACCOUNT_TAGS.pin);
  const block = pin && parameter(pin, ACCOUNT_TAGS.pinBlock);
  // A batch names the container and leaves it empty where no PIN was entered.
  if (!pin || !block || block.length === 0) return undefined;
  const [format, ksn] = [parameter(pin, ACCOUNT_TAGS.pinFormat), parameter(pin, ACCOUNT_TAGS.pinKsn)];
  if (format?.length !== 1 || !ksn) throw new TerminalFormatError('PIN data', 'must have DF71 and DFDF41');
  return { ksn, block, format: format[0] ?? 0 };
}

function magstripeOf(nodes: readonly TlvNode[]): EncipheredTrack | undefined {
  const magstripe = findTemplate(nodes, ACCOUNT_TAGS.magstripe);
  const data = magstripe && parameter(magstripe, ACCOUNT_TAGS.track2);
  if (!magstripe || !data || data.length === 0) return undefined;
  const ksn = parameter(magstripe, ACCOUNT_TAGS.magstripeKsn);
  if (!ksn) throw new TerminalFormatError('magstripe data', 'must have DFDF50');
  const [type] = parameter(magstripe, ACCOUNT_TAGS.magstripeType) ?? [];
  return { ksn, data, ...(type !== undefined && { type }) };
}

/** Reads the clear data of DFDF59, without its padding. @throws TerminalFormatError; it never names a value */
export function readClearData(clear: Uint8Array): ClearTransactionData {
  const [container, more] = readParameters(clear);
  if (container?.tag !== ACCOUNT_TAGS.container || !('children' in container) || more)
    throw new TerminalFormatError('clear data', 'must be one FC');
  const nodes = container.children;
  const track2 = digits(findTlv(nodes, '57'));
  const pan = digits(findTlv(nodes, '5A')) ?? track2?.split('D')[0];
  const expiry = digits(findTlv(nodes, '5F24'))?.slice(0, 4) ?? track2?.split('D')[1]?.slice(0, 4);
  const holder = findTlv(nodes, '5F20');
  const [magstripeTrack2, pin] = [magstripeOf(nodes), pinOf(nodes)];
  return {
    ...(pan !== undefined && { pan }),
    ...(track2 !== undefined && { track2 }),
    ...(expiry !== undefined && { expiry }),
    ...(holder && { holder: Buffer.from(holder).toString('latin1').trim() }),
    ...(magstripeTrack2 && { magstripeTrack2 }),
    ...(pin && { pin }),
  };
}

/** FC around the objects of a transaction. */
export function encodeClearData(objects: readonly TlvNode[]): Buffer {
  return encodeTlv([tlv(ACCOUNT_TAGS.container, objects)]);
}

/** F5. @param type how the PIN key is used */
export function pinObject({ ksn, block, format }: EncipheredPinBlock, type: number): TlvNode {
  return tlv(ACCOUNT_TAGS.pin, [
    tlv(ACCOUNT_TAGS.pinFormat, Buffer.of(format)),
    tlv(ACCOUNT_TAGS.pinBlock, block),
    tlv(ACCOUNT_TAGS.pinKsn, ksn),
    tlv(ACCOUNT_TAGS.pinType, Buffer.of(type)),
  ]);
}

/** F4 of a magstripe whose second track was read. */
export function magstripeObject({ ksn, data, type }: Required<EncipheredTrack>): TlvNode {
  return tlv(ACCOUNT_TAGS.magstripe, [
    tlv(ACCOUNT_TAGS.track1Status, Buffer.of(TRACK_STATES.disabled)),
    tlv(ACCOUNT_TAGS.track2Status, Buffer.of(TRACK_STATES.ok)),
    tlv(ACCOUNT_TAGS.track2, data),
    tlv(ACCOUNT_TAGS.track3Status, Buffer.of(TRACK_STATES.disabled)),
    tlv(ACCOUNT_TAGS.magstripeKsn, ksn),
    tlv(ACCOUNT_TAGS.magstripeType, Buffer.of(type)),
  ]);
}

/** Track 2 in characters with its sentinels, filled by zero bytes. */
const TRACK2 = /^;?(\d{8,19})=(\d{4})(\d*)\??\0*$/;

/** Reads a deciphered track 2 of a magstripe. @throws TerminalFormatError */
export function readMagstripeTrack2(
  clear: Uint8Array,
): Required<Pick<ClearTransactionData, 'pan' | 'track2' | 'expiry'>> {
  const [, pan, expiry, rest = ''] = TRACK2.exec(Buffer.from(clear).toString('latin1')) ?? [];
  if (pan === undefined || expiry === undefined) throw new TerminalFormatError('track 2', 'is no track 2');
  return { pan, expiry, track2: `${pan}D${expiry}${rest}` };
}

/** Track 2 as the device enciphers it: characters with sentinels. */
export function magstripeTrack2Text(track2: string): Buffer {
  return Buffer.from(`;${track2}?`, 'latin1');
}

/** A card as it is keyed in. */
export interface KeyedInCard {
  readonly pan: string;
  /** `YYMM`. */
  readonly expiry: string;
  /** The three or four digits printed on the card; absent where they were not requested. */
  readonly code?: string;
}

/**
 * Track 2 that the device makes of what was keyed in: service code 000, then the maker's own discretionary data: 000, the
 * printed code, 00, and a digit for what was requested (0 without a name).
 */
const KEYED_IN_TRACK2 = /^;?(\d{8,19})=(\d{4})000000(\d{3,4})?00[01]\??\0*$/;

/**
 * The track of a card that was keyed in, without sentinels. Where no code was requested, nothing stands in its place (from
 * public sources incomplete).
 */
export function keyedInTrack2({ pan, expiry, code = '' }: KeyedInCard): string {
  return `${pan}=${expiry}000000${code}000`;
}

/** Reads a deciphered track 2 that was made of a card that was keyed in. @throws TerminalFormatError; it never names a value */
export function readKeyedInTrack2(clear: Uint8Array): KeyedInCard {
  const [, pan, expiry, code] = KEYED_IN_TRACK2.exec(Buffer.from(clear).toString('latin1')) ?? [];
  if (pan === undefined || expiry === undefined)
    throw new TerminalFormatError('track 2', 'is none of a card number that was keyed in');
  return { pan, expiry, ...(code !== undefined && { code }) };
}
