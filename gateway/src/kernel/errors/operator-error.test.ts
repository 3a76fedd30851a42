import { describe, expect, it } from 'vitest';
import { OperatorError, operatorText } from './operator-error.js';

const ID = '0d452f56ae7f949c21be9fd6deeb2ef3';
const KEY = '0123456789ABCDEFFEDCBA9876543210';

class KeyStoreError extends Error {
  override readonly name = 'KeyStoreError';
}

describe('the text of an error for the operator', () => {
  it('names rows by their ids, which are no secret', () => {
    expect(operatorText(new OperatorError(`there is no token with the id ${ID}: look`))).toBe(
      `there is no token with the id ${ID}: look`,
    );
    expect(operatorText(new OperatorError(`${ID} is no channel of ${ID}`))).toBe(
      `${ID} is no channel of ${ID}`,
    );
  });

  it('shows nothing else that could be a key, a card or a token', () => {
    expect(operatorText(new OperatorError(`${ID}: ${KEY}, 4200000000000000, Bearer abc`))).toBe(
      `${ID}: ***16 bytes***, 420000******0000, Bearer ***`,
    );
    expect(operatorText(new OperatorError(`${ID}${ID}`))).toBe('***32 bytes***');
  });

  it('shows no id where it could be a key', () => {
    expect(operatorText(new KeyStoreError(`key ${ID}`))).toBe('key ***16 bytes***');
    expect(operatorText(new Error(`key ${ID}`))).not.toContain(ID);
  });

  it('shows where an unknown error came from', () => {
    expect(operatorText(new Error('broken'))).toMatch(/^Error: broken\n {4}at /);
    expect(operatorText('broken')).toBe('broken');
  });
});
