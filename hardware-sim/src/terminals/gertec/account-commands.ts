import { toHex } from '@tillbridge/wire/bytes.js';
import { compressedNumeric } from '@tillbridge/wire/emv/compressed-numeric.js';
import {
  ACCOUNT_DATA_BLOCK,
  type AccountField,
  encodePanField,
  encodeTrack1Field,
  encodeTrack2Field,
} from '@tillbridge/wire/terminals/abecs/account-data.js';
import {
  decodeClassicRequest,
  displayLines,
  encodeClassicResponse,
} from '@tillbridge/wire/terminals/abecs/classic.js';
import { type FieldReader, field } from '@tillbridge/wire/terminals/abecs/field-values.js';
import type { FieldNameOf } from '@tillbridge/wire/terminals/abecs/fields.js';
import { encodeParameters, type Parameter } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import type { DukptDevice } from '../core/dukpt-device.js';
import type { CommandHandler, DeviceContext, StoredTracks } from './device-context.js';
import { StatusError } from './failure-statuses.js';
import { askForPin } from './pin-entry.js';

const METHOD_ECB = '50';
const METHOD_CBC = '51';
const DUKPT_METHODS: ReadonlySet<string> = new Set([METHOD_ECB, METHOD_CBC]);
/** Master key and working key. */
const MASTER_KEY_METHODS: ReadonlySet<string> = new Set(['10', '11']);
/** Longest SPE_DATAIN. */
const MAX_BLOCK_BYTES = 256;
const ALL_TRACKS = '1111';
const ZERO_IV = Buffer.alloc(8);
const METHOD_DUKPT_TDES = '3';
const PIN_PATIENCE_MS = 60_000;
const MIN_PIN_DIGITS = 4;

interface Wanted {
  readonly dataField: FieldNameOf<Uint8Array>;
  readonly ksnField: FieldNameOf<Uint8Array>;
  readonly account: AccountField;
}

/**
 * GTK: card data, once for each card (ABECS 2.12 §6.5.12): in clear where the host names no method, else under a DUKPT data key;
 * the device has no other.
 */
export const getTracks: CommandHandler = (device, { fields }) => {
  const { tracks } = device.session;
  if (!tracks) throw new StatusError('ST_INVCALL');
  const method = fields.text('SPE_MTHDDAT');
  const which = fields.text('SPE_TRACKS') ?? ALL_TRACKS;
  if (method === undefined) {
    device.session.tracks = undefined;
    return encodeParameters(clearFields(tracks, which));
  }
  const key = dataKeyOf(device, fields);
  const openDigits = Number(fields.text('SPE_OPNDIG') ?? '0');
  const wanted = wantedFields(tracks, which, openDigits);
  const answer =
    method === METHOD_CBC
      ? encipherApart(key, wanted, fields.bytes('SPE_IVCBC') ?? ZERO_IV)
      : encipherAtOnce(key, wanted);
  device.session.tracks = undefined;
  return encodeParameters(answer);
};

/** The data key of a method and an index. @throws StatusError */
function dataKeyOf({ dataKey }: DeviceContext, fields: FieldReader): DukptDevice {
  const index = fields.text('SPE_KEYIDX');
  if (index === undefined) throw new StatusError('ST_MANDAT');
  if (!DUKPT_METHODS.has(fields.text('SPE_MTHDDAT') ?? '') || Number(index) !== dataKey.index)
    throw new StatusError('ST_ERRKEY');
  return dataKey.key;
}

/** Card data as they came from the card: digits packed, track 1 as text. */
function clearFields({ pan, fromChip, track1, track2 }: StoredTracks, which: string): Parameter[] {
  const isWanted = (at: number) => which[at] === '1';
  return [
    ...(isWanted(0) && fromChip && pan !== undefined ? [field('PP_ENCPAN', compressedNumeric(pan))] : []),
    ...(isWanted(1) && track1 !== undefined ? [field('PP_TRACK1', Buffer.from(track1, 'latin1'))] : []),
    ...(isWanted(2) && track2 !== undefined
      ? [field('PP_TRACK2', compressedNumeric(track2.replace('=', 'D')))]
      : []),
  ];
}

/** EBX: a block under the data key (ABECS 2.12 §3.3.6). */
export const encipherBlock: CommandHandler = (device, { fields }) => {
  const data = fields.bytes('SPE_DATAIN') ?? Buffer.alloc(0);
  const method = fields.text('SPE_MTHDDAT') ?? '';
  if (MASTER_KEY_METHODS.has(method) && !fields.has('SPE_WKENC')) throw new StatusError('ST_MANDAT');
  const key = dataKeyOf(device, fields);
  if (data.length === 0 || data.length % ACCOUNT_DATA_BLOCK !== 0 || data.length > MAX_BLOCK_BYTES)
    throw new StatusError('ST_INVPARM');
  const iv = method === METHOD_CBC ? (fields.bytes('SPE_IVCBC') ?? ZERO_IV) : undefined;
  const { data: enciphered, ksn } = key.encipherData(data, iv);
  return encodeParameters([field('PP_DATAOUT', enciphered), field('PP_KSN', ksn)]);
};

function wantedFields(tracks: StoredTracks, which: string, openDigits: number): Wanted[] {
  const { pan, fromChip, track1, track2 } = tracks;
  const isWanted = (at: number) => which[at] === '1';
  const wanted: Wanted[] = [];
  if (isWanted(0) && fromChip && pan !== undefined) {
    wanted.push({
      dataField: 'PP_ENCPAN',
      ksnField: 'PP_ENCPANKSN',
      account: encodePanField(pan, openDigits),
    });
  }
  if (isWanted(1) && track1 !== undefined) {
    wanted.push({
      dataField: 'PP_TRACK1',
      ksnField: 'PP_TRK1KSN',
      account: encodeTrack1Field(track1, openDigits),
    });
  }
  if (isWanted(2) && track2 !== undefined) {
    wanted.push({
      dataField: 'PP_TRACK2',
      ksnField: 'PP_TRK2KSN',
      account: encodeTrack2Field(track2, openDigits),
    });
  }
  return wanted;
}

/** CBC: each field under its own key (ABECS 2.12 §6.3.4.2). */
function encipherApart(key: DukptDevice, wanted: readonly Wanted[], iv: Uint8Array): Parameter[] {
  return wanted.flatMap(({ dataField, ksnField, account }) => {
    const { data, ksn } = key.encipherData(account.toEncipher, iv);
    return [field(dataField, Buffer.concat([account.open, data])), field(ksnField, ksn)];
  });
}

/** ECB: one key for all fields together. */
function encipherAtOnce(key: DukptDevice, wanted: readonly Wanted[]): Parameter[] {
  if (wanted.length === 0) return [];
  const { data, ksn } = key.encipherData(
    Buffer.concat(wanted.map(({ account }) => account.toEncipher)),
    undefined,
  );
  let at = 0;
  return wanted.flatMap(({ dataField, ksnField, account }) => {
    const part = data.subarray(at, at + account.toEncipher.length);
    at += part.length;
    return [field(dataField, Buffer.concat([account.open, part])), field(ksnField, ksn)];
  });
}

/** GPN: a PIN for a swiped card, enciphered for the issuer (ABECS 2.12 §6.5.11). */
export const getPin: CommandHandler = async (device, { blocks, signal }) => {
  const request = decodeClassicRequest('GPN', blocks);
  if (Number(request.GPN_MIN1) < MIN_PIN_DIGITS)
    throw new TerminalFormatError('GPN_MIN1', 'must be 04 or more');
  if (request.GPN_ENTRIES !== '1') throw new TerminalFormatError('GPN_ENTRIES', 'must be 1');
  const { index, key } = device.pinKey;
  if (request.GPN_METHOD !== METHOD_DUKPT_TDES || Number(request.GPN_KEYIDX) !== index) {
    throw new StatusError('ST_ERRKEY');
  }
  const pan = panFor(device, Number(request.GPN_PANLEN), request.GPN_PAN);
  const digits = await askForPin(device, displayLines(request.GPN_MSG1), PIN_PATIENCE_MS, signal);
  // An empty entry cannot be enciphered: for GPN it is the cardholder's refusal.
  if (digits === 'bypass') throw new StatusError('ST_CANCEL');
  const { data, ksn } = key.encipherPin(digits, pan);
  return [encodeClassicResponse('GPN', { GPN_PINBLK: toHex(data), GPN_KSN: toHex(ksn) })];
};

function panFor(device: DeviceContext, length: number, text: string): string {
  if (length === 0) {
    const pan = device.session.tracks?.pan;
    if (pan === undefined) throw new StatusError('ST_INVCALL');
    return pan;
  }
  const pan = text.slice(0, length);
  if (!/^\d{2,19}$/.test(pan) || pan.length !== length)
    throw new TerminalFormatError('GPN_PAN', 'must be 2 to 19 digits');
  return pan.padStart(13, '0');
}
