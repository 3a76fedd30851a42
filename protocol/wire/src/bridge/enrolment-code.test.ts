import { createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  codeKey,
  type EnrolmentCode,
  EnrolmentCodeError,
  formatEnrolmentCode,
  isCodeAddress,
  MAX_CODE_ADDRESS,
  parseEnrolmentCode,
} from './enrolment-code.js';
import { spkiOf } from './identity-key.js';
import { EnrolmentPurpose } from './messages.js';

const code: EnrolmentCode = {
  purpose: EnrolmentPurpose.REPLACEMENT,
  id: '00a1b2c3d4',
  secret: Buffer.alloc(16, 0x5a),
  gateway: Buffer.alloc(16, 0xa5),
  isLive: false,
};
const text = formatEnrolmentCode(code);

describe('an enrolment code', () => {
  it('is eight groups of eight characters, and reads back', () => {
    expect(text).toMatch(/^([0-9A-HJKMNP-TV-Z]{8}-){7}[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(parseEnrolmentCode(text)).toEqual(code);
  });

  it('is read in either case, with blanks, and with letters that look like digits', () => {
    const typed = text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    expect(parseEnrolmentCode(typed)).toEqual(code);
  });

  it.each([
    ['nothing', ''],
    ['a group less', text.slice(9)],
    ['a character that is none', `U${text.slice(1)}`],
    ['a wrong character', `${text.startsWith('0') ? '1' : '0'}${text.slice(1)}`],
    ['two characters that changed places', text.replace(/(.)(.)(?=.{55}$)/, '$2$1X')],
  ])('is refused with %s, and not quoted', (_, wrong) => {
    expect(() => parseEnrolmentCode(wrong)).toThrow(EnrolmentCodeError);
    expect(() => parseEnrolmentCode(wrong)).toThrow(/copy it again/);
  });

  it('of a gateway that knows its address has it in front, and whether it is live', () => {
    const bridgeUrl = 'wss://gateway.example:8443/pay/bridge';
    const whole = { ...code, isLive: true, bridgeUrl };
    const text = formatEnrolmentCode(whole);
    expect(text).toMatch(/^wss:\/\/gateway\.example:8443\/pay\/bridge#([0-9A-Z]{8}-){7}[0-9A-Z]{8}$/);
    expect(parseEnrolmentCode(` ${text.replace('#', '#\n')}\n`)).toEqual(whole);
    for (const wrong of [
      text.replace('example', 'exmaple'),
      text.replace(/^[^#]*/, ''),
      text.replace(/^[^#]*#/, ''),
    ])
      expect(() => parseEnrolmentCode(wrong), wrong).toThrow(/with the address in front/);
  });

  it.each([
    'https://gateway.example/bridge',
    'wss://user@gateway.example/bridge',
    'wss://gateway.example/bridge?store=7',
    'wss://GATEWAY.example/bridge',
    `wss://gateway.example/${'x'.repeat(MAX_CODE_ADDRESS)}`,
    'gateway.example',
  ])('carries no such address: %s', (bridgeUrl) => {
    expect(isCodeAddress(bridgeUrl)).toBe(false);
    expect(() => parseEnrolmentCode(formatEnrolmentCode({ ...code, bridgeUrl }))).toThrow(EnrolmentCodeError);
  });

  it('of a later build is named as such', () => {
    const later = formatEnrolmentCode({ ...code, purpose: 100 as EnrolmentPurpose });
    expect(() => parseEnrolmentCode(later)).toThrow(/newer agent/);
  });

  it('stands for one key, which its id and its secret decide', () => {
    const publicKey = (of: EnrolmentCode) =>
      Buffer.from(spkiOf(createPublicKey(codeKey(of)))).toString('hex');
    expect(publicKey(parseEnrolmentCode(text))).toBe(publicKey(code));
    expect(publicKey({ ...code, secret: Buffer.alloc(16, 0x5b) })).not.toBe(publicKey(code));
    expect(publicKey({ ...code, id: '00a1b2c3d5' })).not.toBe(publicKey(code));
  });
});
