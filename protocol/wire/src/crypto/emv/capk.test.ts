import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { flipped, refusalOf } from '../random.test.support.js';
import { hex, isNegative, text, type Vector, vectorsOf } from '../vectors.test.support.js';
import { capkHash, loadCapk, loadCapkTable, modulusBits } from './capk.js';
import { loadCapksFor } from './capk-policy.js';
import { verifyCombinedData } from './oda.js';
import { recoverIccKey, recoverIssuerKey } from './oda-certificates.js';
import { DEVELOPMENT_CAPKS, isTestCapk, TEST_CAPKS } from './test-capks.js';

describe('certification authority keys', () => {
  it('the shipped test keys are those of the vectors, and load', () => {
    const published = vectorsOf('emv-capk');
    expect(TEST_CAPKS).toHaveLength(published.length);
    for (const [index, record] of TEST_CAPKS.entries()) {
      const key = loadCapk(record);
      expect(toHex(capkHash(key))).toBe(published[index]?.expected.sha1);
      expect(modulusBits(key.modulus)).toBe(published[index]?.expected.modulusBits);
      expect(isTestCapk(key)).toBe(true);
    }
  });

  it('a changed bit of any part is found at load', () => {
    for (const record of TEST_CAPKS) {
      for (const field of ['rid', 'index', 'modulus', 'exponent'] as const) {
        const changed = { ...record, [field]: toHex(flipped(record[field], 3)) };
        expect(refusalOf(() => loadCapk(changed))).toBe('badCheckValue');
      }
    }
  });

  it('are found by RID and index; a second one of the same name is refused', () => {
    const table = loadCapkTable(TEST_CAPKS);
    const [first] = TEST_CAPKS;
    if (first === undefined) throw new Error('no test key');
    const found = table.find(fromHex(first.rid), Number.parseInt(first.index, 16));
    expect(found && toHex(found.modulus)).toBe(first.modulus);
    expect(table.find(fromHex('A000000999'), 1)).toBeUndefined();
    expect(refusalOf(() => loadCapkTable([first, first]))).toBe('badArgument');
    expect(modulusBits(fromHex('00'))).toBe(0);
    expect(modulusBits(fromHex('0001FF'))).toBe(9);
  });
});

describe('offline data authentication', () => {
  const cda = vectorsOf('emv-oda', 'cda').filter((vector) => !isNegative(vector));

  function authenticate(
    vector: Vector,
    changes: Partial<Record<string, Buffer>> = {},
    pan = text(vector, 'pan'),
  ) {
    const value = (name: string) => changes[name] ?? hex(vector, name);
    const optional = (name: string) => (vector.inputs[name] === undefined ? undefined : value(name));
    const capk = loadCapk(vector.inputs.capk as never);
    const issuer = recoverIssuerKey(capk, {
      certificate: value('issuerCert'),
      remainder: value('issuerRemainder'),
      exponent: value('issuerExponent'),
    });
    const certificate = {
      certificate: value('iccCert'),
      remainder: value('iccRemainder'),
      exponent: value('iccExponent'),
    };
    const icc = recoverIccKey(issuer, certificate, pan, optional('staticData'));
    const genAcResponse = optional('genAcResponseTlv');
    const empty = new Uint8Array();
    const transaction = genAcResponse && {
      pdolData: optional('pdolData') ?? empty,
      cdolData: optional('cdolData') ?? empty,
      genAcResponse,
    };
    return verifyCombinedData(icc, value('sdad'), value('unpredictableNumber'), transaction);
  }

  it.each(cda.map((v) => [v.name, v] as const))(
    '%s: each changed input is refused by its own rule',
    (_, vector) => {
      expect(toHex(authenticate(vector).applicationCryptogram)).toBe(vector.expected.applicationCryptogram);
      const rules: Record<string, string> = {
        issuerCert: 'badIssuerCertificate',
        issuerRemainder: 'badIssuerCertificate',
        issuerExponent: 'badIssuerCertificate',
        iccCert: 'badIccCertificate',
        sdad: 'badSdad',
        unpredictableNumber: 'badSdad',
        staticData: 'badIccCertificate',
        genAcResponseTlv: 'badSdad',
        cdolData: 'badSdad',
      };
      for (const [field, rule] of Object.entries(rules)) {
        const given = vector.inputs[field];
        if (typeof given !== 'string' || given === '') continue;
        // Without the response the hash over the transaction is not compared.
        if (field === 'cdolData' && vector.inputs.genAcResponseTlv === undefined) continue;
        const changed = flipped(given, 9);
        expect(
          refusalOf(() => authenticate(vector, { [field]: changed })),
          field,
        ).toBe(rule);
      }
      expect(refusalOf(() => authenticate(vector, {}, '4000000000000002'))).toBe('badIccCertificate');
      expect(refusalOf(() => authenticate(vector, { sdad: Buffer.alloc(5) }))).toBe('badSdad');
    },
  );
});

describe('the keys that a terminal is to trust', () => {
  const own = { rid: 'A000000003', index: '99', modulus: 'C5'.repeat(96), exponent: '03' };
  const sha1 = createHash('sha1')
    .update(fromHex(`A00000000399${own.modulus}03`))
    .digest('hex');

  it('are any in test mode, and in live mode none that is published', () => {
    const table = loadCapksFor('test', [...TEST_CAPKS, ...DEVELOPMENT_CAPKS]);
    expect(table.find(fromHex('A000000003'), 0xd0)).toBeDefined();
    for (const record of [...TEST_CAPKS, ...DEVELOPMENT_CAPKS])
      expect(() => loadCapksFor('live', [record])).toThrow(expect.objectContaining({ rule: 'testKey' }));
    expect(loadCapksFor('live', [{ ...own, sha1 }]).find(fromHex('A000000003'), 0x99)).toBeDefined();
  });

  it('are checked before they are looked at', () => {
    const refused = (changes: object) => () => loadCapksFor('live', [{ ...own, sha1, ...changes }]);
    expect(refused({ sha1: '00'.repeat(20) })).toThrow(/badCheckValue/);
    expect(refused({ modulus: 'xyz' })).toThrow(/badArgument.*modulus/);
    expect(refused({ rid: 'A0' })).toThrow(/badArgument/);
  });
});
