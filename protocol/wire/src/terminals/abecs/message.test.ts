import { describe, expect, it } from 'vitest';
import { TerminalFormatError } from '../format-error.js';
import { FieldReader, field, fields } from './field-values.js';
import { FIELDS, type FieldName, familyId, fieldName, GENERAL_INFORMATION_IDS } from './fields.js';
import {
  decodeCommandMessage,
  decodeResponseMessage,
  encodeCommandMessage,
  encodeResponseMessage,
} from './message.js';
import { encodeNotification, isNotification, notificationLines } from './notification.js';
import { decodeParameters, encodeParameters } from './parameters.js';

const ascii = (text: string) => Buffer.from(text, 'latin1');

describe('ABECS messages', () => {
  it('writes and reads a command with blocks, and one without', () => {
    const data = encodeCommandMessage({ id: 'GTS', blocks: [ascii('00')] });
    expect(data.toString('latin1')).toBe('GTS00200');
    expect(decodeCommandMessage(data)).toEqual({ id: 'GTS', blocks: [ascii('00')] });
    expect(decodeCommandMessage(ascii('OPN'))).toEqual({ id: 'OPN', blocks: [] });
    expect(decodeCommandMessage(ascii('OPN000'))).toEqual({ id: 'OPN', blocks: [Buffer.alloc(0)] });
  });

  it('writes and reads answers; an error carries no data', () => {
    const ok = encodeResponseMessage({ id: 'GTS', status: 0, blocks: [ascii('TABLES0001')] });
    expect(ok.toString('latin1')).toBe('GTS000010TABLES0001');
    expect(decodeResponseMessage(ok)).toEqual({ id: 'GTS', status: 0, blocks: [ascii('TABLES0001')] });
    expect(encodeResponseMessage({ id: 'GCX', status: 12, blocks: [] }).toString('latin1')).toBe('GCX012');
    expect(() => encodeResponseMessage({ id: 'GCX', status: 12, blocks: [ascii('x')] })).toThrow(
      TerminalFormatError,
    );
  });

  it.each([
    ['', 'id'],
    ['GT', 'id'],
    ['gts', 'id'],
    ['GTS00', 'block 1 length'],
    ['GTS0x2', 'block 1 length'],
    ['GTS00300', 'block 1'],
    ['GTS00200999', 'block 2'],
  ])('refuses the command %j naming %s', (text, where) => {
    expect(() => decodeCommandMessage(ascii(text))).toThrow(expect.objectContaining({ field: where }));
  });

  it('splits parameters into blocks of at most 999 bytes and reads them back', () => {
    const parameters = [1, 2, 3].map((id) => ({ id, value: Buffer.alloc(500, id) }));
    const blocks = encodeParameters(parameters);
    expect(blocks.map((block) => block.length)).toEqual([504, 504, 504]);
    expect(decodeParameters(blocks)).toEqual(parameters);
    expect(encodeParameters([])).toEqual([]);
    expect(encodeParameters([{ id: 1, value: Buffer.alloc(995) }])[0]).toHaveLength(999);
    expect(() => encodeParameters([{ id: 1, value: Buffer.alloc(996) }])).toThrow(/at most 995/);
  });

  it('refuses parameters that end early', () => {
    expect(() => decodeParameters([Buffer.from('0013', 'hex')])).toThrow(/inside the id or length/);
    expect(() => decodeParameters([Buffer.from('0013000C30', 'hex')])).toThrow(/longer than the rest/);
  });

  it('never crashes on mutated messages, and re-encoding gives the bytes back', () => {
    const seed = encodeResponseMessage({
      id: 'GOX',
      status: 0,
      blocks: encodeParameters(
        fields({ PP_GOXRES: '200000', PP_EMVDATA: Buffer.from('9F2701809A03260101', 'hex') }),
      ),
    });
    let accepted = 0;
    for (let at = 0; at < seed.length; at += 1) {
      for (const flip of [0x01, 0x10, 0x80]) {
        const bytes = Buffer.from(seed);
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        try {
          const message = decodeResponseMessage(bytes);
          decodeParameters(message.blocks);
          accepted += 1;
          if (message.status === 0) expect(encodeResponseMessage(message)).toEqual(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(TerminalFormatError);
        }
      }
    }
    expect(accepted).toBeGreaterThan(0);
  });
});

describe('ABECS fields', () => {
  it('pads text by format and checks lengths', () => {
    expect(field('SPE_AMOUNT', '1234').value).toEqual(ascii('000000001234'));
    expect(field('SPE_ARC', '00').value).toEqual(ascii('00'));
    expect(field('SPE_TIMEOUT', 60)).toEqual({ id: 0x0c, value: Buffer.from([60]) });
    expect(() => field('SPE_TIMEOUT', 256)).toThrow(/SPE_TIMEOUT/);
    expect(() => field('SPE_AMOUNT', '12.34')).toThrow(/decimal digits/);
    expect(() => field('SPE_TRNDATE', '2026010')).toThrow(/7 bytes, exactly 6/);
    expect(() => field('SPE_EMVDATA', Buffer.alloc(513))).toThrow(/at most 512/);
  });

  it('reads typed values, the first of repeated ids', () => {
    const reader = new FieldReader([
      ...fields({ PP_CARDTYPE: '03', PP_TLRMEM: 100_000, PP_EMVDATA: Buffer.alloc(0) }),
      ...fields({ PP_CARDTYPE: '06' }),
      { id: 0x7777, value: ascii('unknown') },
    ]);
    expect(reader.text('PP_CARDTYPE')).toBe('03');
    expect(reader.number('PP_TLRMEM')).toBe(100_000);
    expect(reader.bytes('PP_EMVDATA')).toHaveLength(0);
    expect(reader.has('PP_PAN')).toBe(false);
    expect(reader.text('PP_PAN')).toBeUndefined();
  });

  it('names the field that breaks its format, not its value', () => {
    const reader = new FieldReader([{ id: FIELDS.PP_GOXRES.id, value: ascii('secret') }]);
    expect(() => reader.text('PP_GOXRES')).toThrow('PP_GOXRES: must be decimal digits');
  });

  it('has unique ids and names them, families included', () => {
    const ids = (Object.keys(FIELDS) as FieldName[]).map((name) => FIELDS[name].id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(fieldName(0x0013)).toBe('SPE_AMOUNT');
    expect(familyId('PP_KSNTDESP', 14)).toBe(0x910e);
    expect(fieldName(0x924f)).toBe('PP_KSNTDESD79');
    expect(fieldName(0x9364)).toBeUndefined();
    expect(GENERAL_INFORMATION_IDS).toContain(FIELDS.PP_DKPTTDESP.id);
    expect(GENERAL_INFORMATION_IDS).not.toContain(FIELDS.PP_PAN.id);
  });
});

describe('ABECS notifications', () => {
  it('carries two lines of 16', () => {
    const response = encodeNotification('SOLICITE A SENHA');
    expect(encodeResponseMessage(response).toString('latin1')).toBe('NTM000016SOLICITE A SENHA');
    expect(isNotification(response)).toBe(true);
    expect(notificationLines(encodeNotification(`${'SELECIONADO:'.padEnd(16)}VISA`))).toEqual([
      'SELECIONADO:',
      'VISA',
    ]);
    expect(() => encodeNotification('x'.repeat(33))).toThrow(/at most 32/);
  });
});
