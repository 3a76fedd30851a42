import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { describe, expect, it } from 'vitest';
import { WALLET_TOKEN_CHECKS } from '../../../kernel/errors/error-table.js';
import { takeWalletToken, type WalletCheck, type WalletTokenUse, walletRefusal } from './wallet-token-use.js';

const USE: WalletTokenUse = { wallet: 'walletB', token: 'ab'.repeat(32), expiresAtMs: 2_000 };
const BY = { paymentId: 'payment', nowMs: 1_000 };

describe('the use of a wallet token', () => {
  it('is taken by the payment that comes first, and by no other', () => {
    const change = takeWalletToken(undefined, USE, BY);
    const row = { ...USE, paymentId: 'payment', createdAtMs: 1_000, version: 1 };
    expect(change).toEqual({ op: 'insert', table: 'usedWalletTokens', row });
    expect(takeWalletToken(row, USE, { ...BY, paymentId: 'another' })).toBeUndefined();
  });
});

describe('a refusal', () => {
  it.each(Object.keys(WALLET_TOKEN_CHECKS) as WalletCheck[])(
    'for %s has a result code, and names field and check',
    (check) => {
      const { resultCode, detail } = walletRefusal('walletC', check);
      expect(resultDescription(resultCode)).not.toBe('');
      expect(detail).toBe(`walletC.paymentToken: ${check}`);
    },
  );
});
