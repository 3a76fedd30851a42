import { describe, expect, it } from 'vitest';
import { isProof, proofFault } from './stated-proof.js';

const VALUE = 'AAECAwQFBgcICQoLDA0ODxAREhM=';
const ALL_ECI = ['01', '02', '03', '04', '05', '06', '07', '08'];

describe('eci, status, value and brand agree', () => {
  it.each([
    ['VISA', '05', 'Y'],
    ['VISA', '06', 'A'],
    ['AMEX', '05', 'Y'],
    ['CARTEBANCAIRE', '06', 'A'],
    ['MASTER', '02', 'Y'],
    ['MASTER', '01', 'A'],
    ['MAESTRO', '02', 'Y'],
  ])('%s %s %s: with its value, and with no other status or without it', (brand, eci, status) => {
    expect(proofFault({ eci, status, verificationId: VALUE }, [brand])).toBeUndefined();
    expect(proofFault({ eci, verificationId: VALUE }, [brand])).toBeUndefined();
    expect(proofFault({ eci, status }, [brand])).toMatchObject({ parameter: 'verificationId' });
    for (const other of ['Y', 'A', 'U'].filter((each) => each !== status))
      expect(proofFault({ eci, status: other, verificationId: VALUE }, [brand])).toEqual({
        resultCode: '100.390.117',
        parameter: 'authenticationStatus',
        must: `be ${status} with eci ${eci}`,
      });
  });

  it.each([
    ['VISA', ['05', '06']],
    ['JCB', ['05', '06']],
    ['MASTER', ['01', '02']],
  ] as const)('%s is proved by %s alone', (brand, proving) => {
    const proves = (eci: string) => !proofFault({ eci, verificationId: VALUE }, [brand]);
    expect(ALL_ECI.filter(proves)).toEqual(proving);
  });

  it('names the ECI of the brand', () => {
    expect(proofFault({ eci: '05', status: 'Y', verificationId: VALUE }, ['MASTER', 'MASTER'])).toEqual({
      resultCode: '100.390.117',
      parameter: 'eci',
      must: 'be one of 01, 02, 04, 06, 07 for MASTER',
    });
  });

  it('takes the ECI of either brand of a card with two, and of any where none is there', () => {
    const both = ['CARTEBANCAIRE', 'MASTER'];
    for (const eci of ['05', '02']) {
      expect(proofFault({ eci, verificationId: VALUE }, both)).toBeUndefined();
      expect(proofFault({ eci, verificationId: VALUE }, [])).toBeUndefined();
    }
  });

  it('takes no status N, whatever comes with it', () => {
    for (const more of [{}, { eci: '07' }, { eci: '05', verificationId: VALUE }, { verificationId: VALUE }])
      expect(proofFault({ status: 'N', ...more }, ['VISA'])).toMatchObject({ resultCode: '100.390.109' });
  });

  it('takes a cardholder who was not authenticated without a value', () => {
    expect(proofFault({ eci: '07', status: 'U' }, ['VISA'])).toBeUndefined();
    expect(proofFault({ eci: '06', status: 'U' }, ['MASTER'])).toBeUndefined();
    expect(proofFault({ eci: '07', status: 'U', verificationId: VALUE }, ['VISA'])).toBeDefined();
    expect(proofFault({ status: 'U', verificationId: VALUE }, ['VISA'])).toBeDefined();
  });

  it('finds no contradiction in one part, which proves nothing', () => {
    const alone = [
      ...ALL_ECI.map((eci) => ({ eci })),
      { status: 'Y' },
      { status: 'U' },
      { verificationId: VALUE },
    ];
    for (const part of alone) {
      expect(proofFault(part, ['VISA'])).toBeUndefined();
      expect(isProof(part)).toBe(false);
    }
    expect(isProof({ eci: '05', verificationId: VALUE })).toBe(true);
  });
});
