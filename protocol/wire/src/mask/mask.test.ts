import { describe, expect, it } from 'vitest';
import { passesLuhn } from './luhn.js';
import { isPublicId, maskPan, maskText, maskValue } from './mask.js';

describe('masking', () => {
  it('keeps the first six and last four digits of a PAN', () => {
    expect(maskPan('4200000000000000')).toBe('420000******0000');
    expect(maskPan('4200 0000 0000 0000')).toBe('420000******0000');
    expect(maskPan('12345')).toBe('*****');
  });

  it.each([
    ['a PAN in a sentence', 'card 4200000000000000 declined', 'card 420000******0000 declined'],
    ['a PAN with blanks', 'x 4111 1111 1111 1111 y', 'x 411111******1111 y'],
    ['track 2', 'read ;4200000000000000=26122011234567890? ok', 'read ***track*** ok'],
    ['a bearer token', 'Authorization: Bearer abc.DEF-123', 'Authorization: Bearer ***'],
    ['long hex', 'sent 00112233445566778899AABBCCDDEEFF', 'sent ***16 bytes***'],
  ])('hides %s', (_, text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it('leaves numbers alone that are no PAN', () => {
    expect(maskText('at 1795000000001 ms, order 4200000000000001')).toBe(
      'at 1795000000001 ms, order 4200000000000001',
    );
  });

  it('leaves payment ids readable only by name of field, never secrets by name', () => {
    const masked = maskValue({
      pin: '1234',
      nested: { accessToken: 'x', reference: 'R-1' },
      blob: Buffer.alloc(9),
    });
    expect(masked).toEqual({
      pin: '***',
      nested: { accessToken: '***', reference: 'R-1' },
      blob: '***9 bytes***',
    });
  });

  it('shows ids of ours under their own names, and nothing else that is long hex', () => {
    const hex = '0123456789abcdef0123456789abcdef';
    const masked = maskValue({ paymentId: hex, id: hex, other: hex, entityId: hex.toUpperCase() });
    expect(masked).toEqual({ paymentId: hex, id: hex, other: '***16 bytes***', entityId: '***16 bytes***' });
  });

  it('masks inside errors and their causes', () => {
    const error = new Error('bad card 4111111111111111', { cause: new Error('pan 4111111111111111') });
    expect(JSON.stringify(maskValue(error))).not.toContain('4111111111111111');
  });
});

describe('Luhn', () => {
  it.each([
    ['4200000000000000', true],
    ['4200000000000001', false],
    ['', false],
    ['42a0', false],
  ])('%s is %s', (digits, valid) => {
    expect(passesLuhn(digits)).toBe(valid);
  });
});

describe('an id of ours', () => {
  it.each([
    '4200000000000000d3405201000000ff',
    '57104200000000000000d34052010000',
    '5a08420000000000000057104200aabb',
  ])('is not what packs card data: %s', (text) => {
    expect(isPublicId(text)).toBe(false);
  });
});
