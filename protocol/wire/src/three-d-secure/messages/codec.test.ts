import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage, errorMessage, ThreeDSError } from './codec.js';
import { AREQ_2_1, ARES_2_1, SERVER_TRANS_ID } from './examples.test.support.js';

const BROWSER_PAYMENT = { channel: '02', category: '01' } as const;

function refusal(work: () => unknown): ThreeDSError {
  try {
    work();
  } catch (error) {
    if (error instanceof ThreeDSError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const areq = (changed: Readonly<Record<string, unknown>>) => JSON.stringify({ ...AREQ_2_1, ...changed });

describe('decodeMessage', () => {
  it('gives a message back as it was encoded', () => {
    expect(decodeMessage(encodeMessage('AReq', AREQ_2_1), ['AReq'])).toEqual(AREQ_2_1);
    expect(decodeMessage(encodeMessage('ARes', ARES_2_1, BROWSER_PAYMENT), ['ARes', 'Erro'])).toEqual(
      ARES_2_1,
    );
  });

  it('leaves out what the specification does not know, and takes null for absent', () => {
    const message = decodeMessage(areq({ unknownElement: 'x', cardholderName: null }), ['AReq']);
    expect(message).toEqual(AREQ_2_1);
  });

  it.each([
    ['no JSON', '{', '101', 'the message is no JSON'],
    ['a list', '[]', '101', 'the message is no JSON object'],
    ['another message', JSON.stringify(ARES_2_1), '101', 'messageType'],
    ['no version', areq({ messageVersion: undefined }), '201', 'messageVersion'],
    ['an unknown version', areq({ messageVersion: '2.9.0' }), '102', 'messageVersion'],
    ['two missing fields', areq({ mcc: undefined, threeDSCompInd: undefined }), '201', 'threeDSCompInd,mcc'],
    ['a wrong format', areq({ acctNumber: '42' }), '203', 'acctNumber'],
    ['a boolean as text', areq({ browserJavaEnabled: 'true' }), '203', 'browserJavaEnabled'],
    ['a country that is none', areq({ merchantCountryCode: '999' }), '304', 'merchantCountryCode'],
    ['a currency that is none', areq({ purchaseCurrency: '000' }), '304', 'purchaseCurrency'],
    ['a date that is none', areq({ purchaseDate: '20260230120000' }), '203', 'purchaseDate'],
    [
      'a critical extension',
      areq({ messageExtension: [{ id: 'A1', name: 'x', criticalityIndicator: true, data: {} }] }),
      '202',
      'A1',
    ],
    [
      'credentials in a URL',
      areq({ notificationURL: 'https://a:b@shop.example/' }),
      '203',
      'notificationURL',
    ],
  ])('refuses %s', (_case, text, code, detail) => {
    const error = refusal(() => decodeMessage(text, ['AReq']));
    expect([error.code, error.detail]).toEqual([code, detail]);
  });

  it('demands what 2.2.0 adds, and takes its codes there alone', () => {
    const missing = refusal(() => decodeMessage(areq({ messageVersion: '2.2.0' }), ['AReq']));
    expect([missing.code, missing.detail]).toEqual(['201', 'browserJavascriptEnabled']);
    const flagged = { threeDSRequestorChallengeInd: '05' };
    expect(refusal(() => decodeMessage(areq(flagged), ['AReq'])).detail).toBe('threeDSRequestorChallengeInd');
    const newer = { ...flagged, messageVersion: '2.2.0', browserJavascriptEnabled: true };
    expect(decodeMessage(areq(newer), ['AReq'])).toMatchObject(flagged);
  });

  it('demands of an answer what its request makes necessary', () => {
    const challenge = { ...ARES_2_1, transStatus: 'C', authenticationValue: undefined };
    const read = (channel: string) => () =>
      decodeMessage(JSON.stringify(challenge), ['ARes'], { channel, category: '01' });
    expect(refusal(read('02')).detail).toBe('acsChallengeMandated,authenticationType,acsURL');
    expect(refusal(read('01')).detail).toContain('acsSignedContent');
    const attempted = { ...ARES_2_1, transStatus: 'A', authenticationValue: undefined };
    expect(refusal(() => decodeMessage(JSON.stringify(attempted), ['ARes'], BROWSER_PAYMENT)).detail).toBe(
      'authenticationValue',
    );
  });
});

it('shows no value in an error, and makes the error message that answers', () => {
  const error = refusal(() => decodeMessage(areq({ acctNumber: '4200000000000091x' }), ['AReq']));
  expect(error.message).not.toContain('4200');
  const about = { threeDSServerTransID: SERVER_TRANS_ID, messageVersion: '2.2.0' };
  const text = encodeMessage('Erro', errorMessage(error, 'D', about));
  expect(decodeMessage(text, ['Erro'])).toMatchObject({
    ...about,
    errorCode: '203',
    errorComponent: 'D',
    errorDetail: 'acctNumber',
    errorMessageType: 'AReq',
  });
});
