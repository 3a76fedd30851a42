import { generateKeyPairSync } from 'node:crypto';
import { TEST_ROOTS } from '@tillbridge/wire/crypto/wallets/test-roots.js';
import { openWalletToken } from '@tillbridge/wire/crypto/wallets/wallet-token.js';
import { WALLET_NAMES, type WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import { describe, expect, it } from 'vitest';
import { issueToken } from './issue-token.js';
import { TOKEN_FLAWS, TOKEN_LIFE_MS, type TokenOrder } from './token-order.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const merchant = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

const ORDER: Omit<TokenOrder, 'wallet'> = {
  merchantKey: merchant.publicKey.export({ format: 'der', type: 'spki' }),
  merchantIdentifier: 'merchant.example',
  payment: {
    pan: '4200000000000000',
    expiryMonth: '12',
    expiryYear: '2031',
    numberType: 'DPAN',
    cryptogram: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
    eci: '05',
    amount: { minor: 1_234, currency: 'EUR' },
  },
  tokenId: 'token-1',
  nowMs: NOW_MS,
};

const open = (
  wallet: WalletName,
  token: string,
  more: { nowMs?: number; merchantIdentifier?: string } = {},
) =>
  openWalletToken(wallet, token, {
    roots: [Buffer.from(TEST_ROOTS[wallet], 'base64')],
    merchantIdentifier: ORDER.merchantIdentifier,
    gatewayMerchantId: 'shop-1',
    privateKeys: [merchant.privateKey.export({ format: 'der', type: 'pkcs8' })],
    nowMs: NOW_MS,
    ...more,
  });

describe.each(WALLET_NAMES)('the token issuer of %s', (wallet) => {
  it('issues what the protocol verifies and opens', async () => {
    const opened = await open(wallet, await issueToken({ ...ORDER, wallet }));
    expect(opened.payment).toEqual(ORDER.payment);
    expect(opened.expiresAtMs).toBeGreaterThan(NOW_MS);
  });

  it('gives each token its own id, and the same token the same', async () => {
    const ids = [];
    for (const tokenId of ['token-1', 'token-1', 'token-2'])
      ids.push((await open(wallet, await issueToken({ ...ORDER, wallet, tokenId }))).tokenId);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });

  it('issues tokens that expire', async () => {
    const token = await issueToken({ ...ORDER, wallet });
    const late = open(wallet, token, { nowMs: NOW_MS + TOKEN_LIFE_MS });
    await expect(late).rejects.toMatchObject({ rule: 'expiredMessage' });
  });

  it.each(TOKEN_FLAWS)('issues a token with a wrong %s', async (flaw) => {
    const expected = {
      format: ['malformed'],
      version: ['badVersion'],
      chain: ['badChain', 'badSignature'],
      signature: ['badSignature'],
      merchant: ['unknownKey', 'badTag'],
      expiry: ['expiredMessage'],
    }[flaw];
    const refused = await open(wallet, await issueToken({ ...ORDER, wallet, flaw })).catch((error) => error);
    expect(expected).toContain(refused.rule);
  });
});

it('issues the older scheme of walletB too, and tokens with a plain card number', async () => {
  for (const version of ['ECv1', 'ECv2'] as const) {
    const { cryptogram: _, eci: __, ...card } = ORDER.payment;
    const plain = { ...card, numberType: 'PAN' } as const;
    for (const payment of [ORDER.payment, plain]) {
      const token = await issueToken({ ...ORDER, wallet: 'walletB', version, payment });
      expect((await open('walletB', token)).payment).toEqual(payment);
    }
  }
});

it('names the merchant in tokens of walletB that a gateway receives for many', async () => {
  const merchantIdentifier = 'gateway:tillbridge';
  const order = { ...ORDER, wallet: 'walletB', merchantIdentifier } as const;
  const token = await issueToken({ ...order, gatewayMerchantId: 'shop-1' });
  expect((await open('walletB', token, { merchantIdentifier })).payment).toEqual(ORDER.payment);
  const foreign = await issueToken({ ...order, gatewayMerchantId: 'shop-2' });
  await expect(open('walletB', foreign, { merchantIdentifier })).rejects.toMatchObject({
    rule: 'notAllowed',
  });
});
