import { TerminalFormatError } from '../format-error.js';
import { decodeLayout, encodeLayout, type Layout, type LayoutValues, layoutWidth } from './layout.js';
import { MAX_BLOCK_LENGTH } from './message.js';

const HEAD = {
  TAB_LEN: 'N3',
  TAB_ID: 'N1',
  TAB_ACQ: 'N2',
  TAB_RECIDX: 'A2',
} as const satisfies Layout;

const HEAD_WIDTH = layoutWidth(HEAD);

/** Fields of an AID record up to the 284-byte layout (ABECS 2.12 §4.1.1). */
const AID_BASE = {
  T1_AIDLEN: 'N2',
  T1_AID: 'H32<',
  T1_APPTYPE: 'N2',
  T1_DEFLABEL: 'S16',
  T1_ICCSTD: 'N2',
  T1_APPVER1: 'H4',
  T1_APPVER2: 'H4',
  T1_APPVER3: 'H4',
  T1_TRMCNTRY: 'N3',
  T1_TRNCURR: 'N3',
  T1_TRNCRREXP: 'N1',
  T1_MERCHID: 'A15',
  T1_MCC: 'N4',
  T1_TRMID: 'A8',
  T1_TRMCAPAB: 'H6',
  T1_ADDTRMCP: 'H10',
  T1_TRMTYP: 'N2',
  T1_TACDEF: 'H10',
  T1_TACDEN: 'H10',
  T1_TACONL: 'H10',
  T1_FLRLIMIT: 'H8',
  T1_TCC: 'A1',
  T1_CTLSZEROAM: 'A1',
  T1_CTLSMODE: 'A1',
  T1_CTLSTRNLIM: 'H8',
  T1_CTLSFLRLIM: 'H8',
  T1_CTLSCVMLIM: 'H8',
  T1_CTLSAPPVER: 'H4',
  T1_RUF1: 'N1',
  T1_TDOLDEF: 'H40<',
  T1_DDOLDEF: 'H40<',
  T1_ARCOFFLN: 'A8',
} as const satisfies Layout;

/** What the 314-byte layout adds. */
const AID_CONTACTLESS_TAC = {
  T1_CTLSTACDEF: 'H10',
  T1_CTLSTACDEN: 'H10',
  T1_CTLSTACONL: 'H10',
} as const satisfies Layout;

/** What the 340-byte layout of 2.12 adds. */
const AID_MOBILE = {
  T1_CTLSTRMCP: 'H6',
  T1_MOBCVM: 'N1',
  T1_CTLSADDTC: 'H10',
  T1_CTLSMBTLIM: 'H8',
  T1_CTLSISSSCR: 'N1',
} as const satisfies Layout;

const AID_LAYOUT = { ...AID_BASE, ...AID_CONTACTLESS_TAC, ...AID_MOBILE } as const;

const CAPK_LAYOUT = {
  T2_RID: 'H10',
  T2_CAPKIDX: 'H2',
  T2_RUF1: 'N2',
  T2_EXPLEN: 'N1',
  T2_EXP: 'H6<',
  T2_MODLEN: 'N3',
  T2_MOD: 'H496<',
  T2_CHKSTAT: 'N1',
  T2_CHECKSUM: 'H40',
  T2_RUF2: 'N42',
} as const satisfies Layout;

const REVOKED_LAYOUT = {
  T3_RID: 'H10',
  T3_CAPKIDX: 'H2',
  T3_CERTSN: 'H6',
} as const satisfies Layout;

/** Which record: acquirer `00`-`99` and an index `01`-`ZZ` unique per acquirer and table (ABECS 2.12 §4.1). */
interface RecordKey {
  readonly acquirer: string;
  readonly index: string;
}

/** Fields of an AID record of 2.12 (340 bytes). */
export type AidFields = LayoutValues<typeof AID_LAYOUT>;
/** Fields of a public key record (611 bytes). */
type CapkFields = LayoutValues<typeof CAPK_LAYOUT>;
/** Fields of a revoked certificate record (26 bytes). */
type RevokedFields = LayoutValues<typeof REVOKED_LAYOUT>;

/** One record of the EMV tables (ABECS 2.12 §4.1). */
export type TableRecord =
  | (RecordKey & { readonly table: 'aid'; readonly fields: AidFields })
  | (RecordKey & { readonly table: 'capk'; readonly fields: CapkFields })
  | (RecordKey & { readonly table: 'revoked'; readonly fields: RevokedFields });

const TABLES = {
  aid: { id: '1', layout: AID_LAYOUT },
  capk: { id: '2', layout: CAPK_LAYOUT },
  revoked: { id: '3', layout: REVOKED_LAYOUT },
} as const;

const BASE_LENGTH = HEAD_WIDTH + layoutWidth(AID_BASE);
const CONTACTLESS_LENGTH = BASE_LENGTH + layoutWidth(AID_CONTACTLESS_TAC);
const FULL_LENGTH = HEAD_WIDTH + layoutWidth(AID_LAYOUT);

/** Text of one record, its length in front. @throws TerminalFormatError naming the field */
export function encodeTableRecord(record: TableRecord): Buffer {
  const { id, layout } = TABLES[record.table];
  const body = encodeLayout(layout as Layout, record.fields);
  const head = encodeLayout(HEAD, {
    TAB_LEN: String(HEAD_WIDTH + body.length),
    TAB_ID: id,
    TAB_ACQ: record.acquirer,
    TAB_RECIDX: record.index,
  });
  return Buffer.from(head + body, 'latin1');
}

/** Fills what the shorter AID layouts leave out, with the values the device assumes (ABECS 2.12 §4.1.1). */
function decodeAid(body: Uint8Array, length: number): AidFields {
  if (length >= FULL_LENGTH) return decodeLayout(AID_LAYOUT, body);
  if (length < BASE_LENGTH)
    throw new TerminalFormatError('TAB_LEN', `an AID record has at least ${BASE_LENGTH} bytes`);
  const base = decodeLayout(AID_BASE, body);
  const contactless =
    length >= CONTACTLESS_LENGTH
      ? decodeLayout(AID_CONTACTLESS_TAC, body.subarray(layoutWidth(AID_BASE)))
      : { T1_CTLSTACDEF: base.T1_TACDEF, T1_CTLSTACDEN: base.T1_TACDEN, T1_CTLSTACONL: base.T1_TACONL };
  return {
    ...base,
    ...contactless,
    T1_CTLSTRMCP: base.T1_TRMCAPAB,
    T1_MOBCVM: '0',
    T1_CTLSADDTC: base.T1_ADDTRMCP,
    T1_CTLSMBTLIM: base.T1_CTLSTRNLIM,
    T1_CTLSISSSCR: '0',
  };
}

/** Reads one record, its length in front; bytes beyond the known fields are ignored. @throws TerminalFormatError */
export function decodeTableRecord(bytes: Uint8Array): TableRecord {
  const head = decodeLayout(HEAD, bytes);
  const length = Number(head.TAB_LEN);
  if (length !== bytes.length)
    throw new TerminalFormatError('TAB_LEN', `states ${length}, the record has ${bytes.length}`);
  const body = bytes.subarray(HEAD_WIDTH);
  const key: RecordKey = { acquirer: head.TAB_ACQ, index: head.TAB_RECIDX };
  switch (head.TAB_ID) {
    case TABLES.aid.id:
      return { ...key, table: 'aid', fields: decodeAid(body, length) };
    case TABLES.capk.id:
      return { ...key, table: 'capk', fields: decodeLayout(CAPK_LAYOUT, body) };
    case TABLES.revoked.id:
      return { ...key, table: 'revoked', fields: decodeLayout(REVOKED_LAYOUT, body) };
    default:
      throw new TerminalFormatError('TAB_ID', 'must be 1 (AID), 2 (CAPK) or 3 (revoked certificate)');
  }
}

const COUNT_DIGITS = 2;
const MAX_RECORDS_PER_BLOCK = 99;

function recordBlock(records: readonly Uint8Array[]): Buffer {
  const count = String(records.length).padStart(COUNT_DIGITS, '0');
  return Buffer.concat([Buffer.from(count, 'latin1'), ...records]);
}

/** Blocks for TLR, each one command: as many records as fit 999 bytes (ABECS 2.12 §3.5.3). @throws TerminalFormatError */
export function packTableRecords(records: readonly TableRecord[]): Buffer[] {
  const blocks: Buffer[] = [];
  let current: Buffer[] = [];
  let length = COUNT_DIGITS;
  for (const record of records) {
    const encoded = encodeTableRecord(record);
    if (length + encoded.length > MAX_BLOCK_LENGTH || current.length === MAX_RECORDS_PER_BLOCK) {
      blocks.push(recordBlock(current));
      current = [];
      length = COUNT_DIGITS;
    }
    current.push(encoded);
    length += encoded.length;
  }
  if (current.length > 0) blocks.push(recordBlock(current));
  return blocks;
}

/**
 * The raw records of a TLR block, each for {@link decodeTableRecord}; a device skips the ones it cannot read (§6.7.3).
 * @throws TerminalFormatError when the block itself is broken
 */
export function splitTableRecords(block: Uint8Array): Buffer[] {
  const bytes = Buffer.from(block);
  const countText = bytes.toString('latin1', 0, COUNT_DIGITS);
  if (!/^\d{2}$/.test(countText)) throw new TerminalFormatError('TLR_NREC', 'must be 2 digits');
  const records: Buffer[] = [];
  let offset = COUNT_DIGITS;
  for (let at = 0; at < Number(countText); at += 1) {
    const lengthText = bytes.toString('latin1', offset, offset + 3);
    const length = /^\d{3}$/.test(lengthText) ? Number(lengthText) : 0;
    if (length < HEAD_WIDTH || offset + length > bytes.length) {
      throw new TerminalFormatError('TAB_LEN', `of record ${at + 1} does not fit the block`);
    }
    records.push(bytes.subarray(offset, offset + length));
    offset += length;
  }
  if (offset !== bytes.length) throw new TerminalFormatError('TLR_NREC', 'does not cover the whole block');
  return records;
}

/** Exponent or modulus of a public key record, without its filling. @throws TerminalFormatError */
export function capkNumbers(fields: CapkFields): { readonly exponent: Buffer; readonly modulus: Buffer } {
  const exponentLength = Number(fields.T2_EXPLEN);
  const modulusLength = Number(fields.T2_MODLEN);
  if (exponentLength < 1 || exponentLength > 3) throw new TerminalFormatError('T2_EXPLEN', 'must be 1 to 3');
  if (modulusLength < 1 || modulusLength > 248)
    throw new TerminalFormatError('T2_MODLEN', 'must be 1 to 248');
  return {
    exponent: Buffer.from(fields.T2_EXP.slice(0, exponentLength * 2), 'hex'),
    modulus: Buffer.from(fields.T2_MOD.slice(0, modulusLength * 2), 'hex'),
  };
}
