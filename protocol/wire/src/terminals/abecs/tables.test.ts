import { describe, expect, it } from 'vitest';
import {
  type AidFields,
  capkNumbers,
  decodeTableRecord,
  encodeTableRecord,
  packTableRecords,
  splitTableRecords,
  type TableRecord,
} from './tables.js';

const AID: AidFields = {
  T1_AIDLEN: '07',
  T1_AID: 'A0000000031010',
  T1_APPTYPE: '01',
  T1_DEFLABEL: 'VISA',
  T1_ICCSTD: '03',
  T1_APPVER1: '008C',
  T1_APPVER2: '0096',
  T1_APPVER3: '0000',
  T1_TRMCNTRY: '528',
  T1_TRNCURR: '978',
  T1_TRNCRREXP: '2',
  T1_MERCHID: 'SHOP1',
  T1_MCC: '5999',
  T1_TRMID: 'T1',
  T1_TRMCAPAB: 'E0F0C8',
  T1_ADDTRMCP: '6000F0A001',
  T1_TRMTYP: '22',
  T1_TACDEF: 'DC4000A800',
  T1_TACDEN: '0010000000',
  T1_TACONL: 'DC4004F800',
  T1_FLRLIMIT: '1388',
  T1_TCC: 'R',
  T1_CTLSZEROAM: '0',
  T1_CTLSMODE: '2',
  T1_CTLSTRNLIM: 'C350',
  T1_CTLSFLRLIM: '0',
  T1_CTLSCVMLIM: '1388',
  T1_CTLSAPPVER: '0000',
  T1_RUF1: '0',
  T1_TDOLDEF: '9F02065F2A02',
  T1_DDOLDEF: '9F3704',
  T1_ARCOFFLN: 'Y1Z1Y3Z3',
  T1_CTLSTACDEF: 'F850ACF800',
  T1_CTLSTACDEN: '0000000000',
  T1_CTLSTACONL: 'FC509C8800',
  T1_CTLSTRMCP: 'E0F8C8',
  T1_MOBCVM: '1',
  T1_CTLSADDTC: '6000F0A001',
  T1_CTLSMBTLIM: 'C350',
  T1_CTLSISSSCR: '0',
};
const VISA: TableRecord = { table: 'aid', acquirer: '01', index: '01', fields: AID };
const KEY: TableRecord = {
  table: 'capk',
  acquirer: '01',
  index: '02',
  fields: {
    T2_RID: 'A000000003',
    T2_CAPKIDX: '92',
    T2_RUF1: '00',
    T2_EXPLEN: '1',
    T2_EXP: '03',
    T2_MODLEN: '004',
    T2_MOD: '996AF56F',
    T2_CHKSTAT: '0',
    T2_CHECKSUM: '',
    T2_RUF2: '',
  },
};
const REVOKED: TableRecord = {
  table: 'revoked',
  acquirer: '02',
  index: '23',
  fields: { T3_RID: 'A000000004', T3_CAPKIDX: 'FE', T3_CERTSN: '333333' },
};

describe('EMV table records', () => {
  it('has the lengths of the specification', () => {
    expect(encodeTableRecord(VISA)).toHaveLength(340);
    expect(encodeTableRecord(KEY)).toHaveLength(611);
    expect(encodeTableRecord(REVOKED).toString('latin1')).toBe('02630223A000000004FE333333');
  });

  it('re-encodes every decoded record to the same bytes', () => {
    for (const record of [VISA, KEY, REVOKED]) {
      const bytes = encodeTableRecord(record);
      expect(encodeTableRecord(decodeTableRecord(bytes))).toEqual(bytes);
    }
  });

  it('left-aligns AID and DOLs, right-aligns amounts', () => {
    const decoded = decodeTableRecord(encodeTableRecord(VISA));
    expect(decoded.table === 'aid' && decoded.fields).toMatchObject({
      T1_AID: 'A0000000031010'.padEnd(32, '0'),
      T1_FLRLIMIT: '00001388',
      T1_DDOLDEF: '9F3704'.padEnd(40, '0'),
      T1_DEFLABEL: 'VISA',
    });
  });

  it('reads the older AID layouts with the assumed values', () => {
    const full = encodeTableRecord(VISA).toString('latin1');
    const old = decodeTableRecord(Buffer.from(`284${full.slice(3, 284)}`, 'latin1'));
    const middle = decodeTableRecord(Buffer.from(`314${full.slice(3, 314)}`, 'latin1'));
    const longer = decodeTableRecord(Buffer.from(`345${full.slice(3)}12345`, 'latin1'));
    expect(old.table === 'aid' && old.fields).toMatchObject({
      T1_CTLSTACDEF: AID.T1_TACDEF,
      T1_CTLSMBTLIM: '0000C350',
    });
    expect(middle.table === 'aid' && middle.fields).toMatchObject({
      T1_CTLSTACDEF: AID.T1_CTLSTACDEF,
      T1_MOBCVM: '0',
    });
    expect(longer.table === 'aid' && longer.fields.T1_CTLSISSSCR).toBe('0');
  });

  it('names the field that is wrong', () => {
    const bad = { ...VISA, fields: { ...AID, T1_TACDEF: 'XYZ' } };
    expect(() => encodeTableRecord(bad)).toThrow('T1_TACDEF: must be hex digits');
    const bytes = encodeTableRecord(REVOKED);
    bytes.write('9', 3, 'latin1');
    expect(() => decodeTableRecord(bytes)).toThrow(/TAB_ID/);
    expect(() => decodeTableRecord(encodeTableRecord(VISA).subarray(0, 200))).toThrow(/TAB_LEN/);
  });

  it('packs TLR blocks that fit and splits them again', () => {
    const records = [VISA, VISA, VISA, KEY, KEY, REVOKED];
    const blocks = packTableRecords(records);
    expect(blocks.map((block) => block.toString('latin1', 0, 2))).toEqual(['02', '02', '02']);
    for (const block of blocks) expect(block.length).toBeLessThanOrEqual(999);
    const split = blocks.flatMap(splitTableRecords);
    expect(split).toEqual(records.map(encodeTableRecord));
  });

  it('refuses a broken TLR block', () => {
    const [block = Buffer.alloc(0)] = packTableRecords([REVOKED]);
    expect(() => splitTableRecords(block.subarray(0, -1))).toThrow(/record 1/);
    expect(() => splitTableRecords(Buffer.concat([block, block]))).toThrow(/whole block/);
    expect(() => splitTableRecords(Buffer.from('0'))).toThrow(/TLR_NREC/);
    expect(() => splitTableRecords(Buffer.from('01000'))).toThrow(/record 1/);
  });

  it('gives the numbers of a public key', () => {
    const decoded = decodeTableRecord(encodeTableRecord(KEY));
    if (decoded.table !== 'capk') throw new Error('a key was encoded');
    expect(capkNumbers(decoded.fields)).toEqual({
      exponent: Buffer.from('03', 'hex'),
      modulus: Buffer.from('996AF56F', 'hex'),
    });
  });
});
