import { describe, expect, it } from 'vitest';
import {
  decodeClassicRequest,
  decodeClassicResponse,
  displayMessage,
  encodeClassicRequest,
  encodeClassicResponse,
} from './classic.js';
import { commandSpec, missingField } from './commands.js';
import { decodeKeyMap, encodeKeyMap, keyIndexText } from './key-map.js';
import {
  formatAidTableInfo,
  formatCardType,
  formatFcxOption,
  formatGoxResult,
  type GoxResult,
  parseAidTableInfo,
  parseCardType,
  parseFcxOption,
  parseFcxResult,
  parseGoxResult,
} from './results.js';
import { decodeRiskParameters, encodeRiskParameters } from './risk-parameters.js';
import { STATUSES, statusCode, statusOf } from './statuses.js';

describe('classic commands', () => {
  it('writes TLI, DSP and GPN at their fixed widths', () => {
    expect(encodeClassicRequest('TLI', { TLI_ACQIDX: '00', TLI_TABVER: 'A1' }).toString()).toBe(
      '00A1        ',
    );
    expect(encodeClassicRequest('DSP', { DSP_MSG: displayMessage('ONE', 'TWO') })).toHaveLength(32);
    const pin = encodeClassicRequest('GPN', {
      GPN_METHOD: '3',
      GPN_KEYIDX: '01',
      GPN_WKENC: '',
      GPN_PANLEN: '00',
      GPN_PAN: '',
      GPN_ENTRIES: '1',
      GPN_MIN1: '04',
      GPN_MAX1: '12',
      GPN_MSG1: displayMessage('ENTER PIN'),
    });
    expect(pin).toHaveLength(93);
    expect(decodeClassicRequest('GPN', [pin])).toMatchObject({
      GPN_PANLEN: '00',
      GPN_PAN: '',
      GPN_MAX1: '12',
    });
  });

  it('reads answers and refuses another width', () => {
    const block = encodeClassicResponse('GPN', {
      GPN_PINBLK: 'A3A40E9999087B51',
      GPN_KSN: 'FFFFF51380344601F4C8',
    });
    expect(decodeClassicResponse('GPN', [block]).GPN_PINBLK).toBe('A3A40E9999087B51');
    expect(() => decodeClassicResponse('GPN', [block.subarray(1)])).toThrow(/exactly 36/);
    expect(() => decodeClassicResponse('GTS', [])).toThrow(/0 blocks/);
  });
});

describe('command table', () => {
  it('recognizes blocking commands and missing parameters', () => {
    expect(['GCX', 'GOX', 'FCX', 'GPN', 'RMC', 'CEX'].every((id) => commandSpec(id)?.blocking)).toBe(true);
    expect(['OPN', 'GIX', 'GTK', 'TLR', 'DSP', 'CLX'].some((id) => commandSpec(id)?.blocking)).toBe(false);
    expect(commandSpec('XYZ')).toBeUndefined();
    expect(commandSpec('toString')).toBeUndefined();
    expect(missingField('GCX', (name) => name === 'SPE_TRNDATE')).toBe('SPE_TRNTIME');
    expect(missingField('GIX', () => false)).toBeUndefined();
  });

  it('has unique statuses and a word for unknown ones', () => {
    const codes = Object.values(STATUSES).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(statusOf(statusCode('ST_CTLSCOMMERR')).hint).toBe('tap-again');
    expect(statusOf(999)).toMatchObject({ name: 'ST_999', hint: 'device-error' });
  });
});

describe('result fields', () => {
  it('reads and writes every GOX result', () => {
    const decisions: GoxResult['decision'][] = ['approved-offline', 'declined', 'online'];
    const pins: GoxResult['pin'][] = ['none', 'verified-offline', 'captured-online'];
    for (const decision of decisions) {
      for (const pin of pins) {
        const result: GoxResult = { decision, pin, signature: true, verifiedOnDevice: false };
        expect(parseGoxResult(formatGoxResult(result))).toEqual(result);
      }
    }
    expect(parseGoxResult('202000')).toMatchObject({ decision: 'online', pin: 'captured-online' });
    expect(() => parseGoxResult('302000')).toThrow(/PP_GOXRES/);
  });

  it('reads and writes the small ones', () => {
    expect(parseCardType(formatCardType('contactless'))).toBe('contactless');
    expect(() => parseCardType('04')).toThrow(/PP_CARDTYPE/);
    expect(parseFcxOption(formatFcxOption('unable-to-go-online'))).toBe('unable-to-go-online');
    expect(parseFcxResult('100')).toBe('declined');
    const entries = parseAidTableInfo('010102020301');
    expect(entries[1]).toEqual({ acquirer: '02', record: '03', applicationType: '01' });
    expect(formatAidTableInfo(entries)).toBe('010102020301');
    expect(() => parseAidTableInfo('01010')).toThrow(/6 characters/);
  });

  it('packs risk parameters as two amounts and two percentages', () => {
    const risk = { floorLimitMinor: 10_000, targetPercent: 20, thresholdMinor: 2_500, maxTargetPercent: 80 };
    expect(encodeRiskParameters(risk).toString('hex')).toBe('0000271014000009c450');
    expect(decodeRiskParameters(encodeRiskParameters(risk))).toEqual(risk);
    expect(() => encodeRiskParameters({ ...risk, targetPercent: 100 })).toThrow(/target percentage/);
  });

  it('reads and writes key maps', () => {
    const slots = decodeKeyMap(encodeKeyMap(['loaded', 'absent']));
    expect(slots.slice(0, 3)).toEqual(['loaded', 'absent', 'unsupported']);
    expect(() => decodeKeyMap('01')).toThrow(/100 characters/);
    expect(keyIndexText(7)).toBe('07');
    expect(() => keyIndexText(100)).toThrow(/key index/);
  });
});
