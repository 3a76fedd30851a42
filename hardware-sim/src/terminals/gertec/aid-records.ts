import { fromHex } from '@tillbridge/wire/bytes.js';
import type { TableRecord } from '@tillbridge/wire/terminals/abecs/tables.js';
import type { ApplicationParameters } from '../../kernel/terminal-parameters.js';

/** A record of the AID tables. */
export type AidRecord = Extract<TableRecord, { table: 'aid' }>;

/** Which records a GCX may use (SPE_AIDLIST, SPE_ACQREF, SPE_APPTYPE; ABECS 2.12 §6.9.1). */
interface AidFilter {
  /** Entries `AARR`; decides alone when there. */
  readonly list: string | undefined;
  readonly acquirer: string | undefined;
  /** Entries of two digits. */
  readonly types: string | undefined;
}

const EMV_STANDARD = '03';
const NO_VERSION = '0000';
/** T1_CTLSMODE of records that this device can serve by tap: Visa in magstripe mode and qVSDC, M/Chip. */
const TAP_MODES: ReadonlySet<string> = new Set(['1', '2', '4']);

function pieces(text: string, length: number): ReadonlySet<string> {
  return new Set(text.match(new RegExp(`.{${length}}`, 'g')) ?? []);
}

/** The candidate records of a command. */
export function candidateRecords(records: readonly TableRecord[], filter: AidFilter): AidRecord[] {
  return records.flatMap((record) => {
    if (record.table !== 'aid' || record.fields.T1_ICCSTD !== EMV_STANDARD) return [];
    return matches(record, filter) ? [record] : [];
  });
}

function matches(record: AidRecord, { list, acquirer, types }: AidFilter): boolean {
  if (list !== undefined) return pieces(list, 4).has(record.acquirer + record.index);
  if (acquirer !== undefined && record.acquirer !== acquirer) return false;
  return types === undefined || pieces(types, 2).has(record.fields.T1_APPTYPE);
}

/** The AID of a record, hex without its filling. */
export function aidOf({ fields }: AidRecord): string {
  return fields.T1_AID.slice(0, Number(fields.T1_AIDLEN) * 2).toUpperCase();
}

/** Whether an amount may be tapped under this record (ABECS 2.12 §6.9.1.3). */
export function allowsTap({ fields }: AidRecord, amountMinor: number): boolean {
  if (!TAP_MODES.has(fields.T1_CTLSMODE)) return false;
  if (amountMinor === 0) return fields.T1_CTLSZEROAM === '1';
  return amountMinor <= Math.max(hexNumber(fields.T1_CTLSTRNLIM), hexNumber(fields.T1_CTLSMBTLIM));
}

/** From this amount on a tap requires cardholder verification. */
export function tapCvmLimit({ fields }: AidRecord): number {
  return hexNumber(fields.T1_CTLSCVMLIM);
}

function hexNumber(text: string): number {
  return Number.parseInt(text, 16) || 0;
}

/** Bytes of tag 9F1E, the interface device's serial number. */
const IFD_SERIAL_BYTES = 8;

/** What the kernel needs of a record (ABECS 2.12 §6.9.1.2, §6.9.1.3), and of the device. */
export function parametersOf(
  record: AidRecord,
  face: 'contact' | 'tap',
  serial: string,
): ApplicationParameters {
  const { fields } = record;
  const tap = face === 'tap';
  const versions = [fields.T1_APPVER1, fields.T1_APPVER2, fields.T1_APPVER3].map((text) =>
    text.toUpperCase(),
  );
  return {
    aid: aidOf(record),
    objects: new Map<string, Uint8Array>([
      ['9F1A', fromHex(fields.T1_TRMCNTRY.padStart(4, '0'))],
      ['5F2A', fromHex(fields.T1_TRNCURR.padStart(4, '0'))],
      ['5F36', fromHex(fields.T1_TRNCRREXP.padStart(2, '0'))],
      ['9F16', Buffer.from(fields.T1_MERCHID.padEnd(15), 'latin1')],
      ['9F15', fromHex(fields.T1_MCC)],
      ['9F1C', Buffer.from(fields.T1_TRMID.padEnd(8), 'latin1')],
      ['9F33', fromHex(tap ? fields.T1_CTLSTRMCP : fields.T1_TRMCAPAB)],
      ['9F40', fromHex(tap ? fields.T1_CTLSADDTC : fields.T1_ADDTRMCP)],
      ['9F35', fromHex(fields.T1_TRMTYP)],
      ['9F1E', Buffer.from(serial.slice(-IFD_SERIAL_BYTES).padStart(IFD_SERIAL_BYTES, '0'), 'latin1')],
      ['9F1B', fromHex(fields.T1_FLRLIMIT)],
      ['9F53', Buffer.from(fields.T1_TCC.padEnd(1), 'latin1')],
    ]),
    versions: versions.filter((version, index) => index === 0 || version !== NO_VERSION),
    actionCodes: {
      denial: fromHex(tap ? fields.T1_CTLSTACDEN : fields.T1_TACDEN),
      online: fromHex(tap ? fields.T1_CTLSTACONL : fields.T1_TACONL),
      default: fromHex(tap ? fields.T1_CTLSTACDEF : fields.T1_TACDEF),
    },
  };
}
