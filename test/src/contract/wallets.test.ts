import { generateKeyPairSync } from 'node:crypto';
import { type HttpHarness, openHttpHarness } from '@tillbridge/gateway/app/http/http-harness.test.support.js';
import type { Gate } from '@tillbridge/gateway/core/payments/gates/gate.js';
import { ENTITY, NOW_MS } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import {
  createWalletKey,
  rotateWalletKey,
  type WalletKeyCommandDeps,
} from '@tillbridge/gateway/features/wallets/service.js';
import { walletRootRow } from '@tillbridge/gateway/security/wallets/wallet-roots.js';
import { issueToken } from '@tillbridge/hardware-sim/wallets/issue-token.js';
import { TOKEN_FLAWS, type TokenOrder } from '@tillbridge/hardware-sim/wallets/token-order.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { TEST_ROOTS } from '@tillbridge/wire/crypto/wallets/test-roots.js';
import { WALLET_NAMES, type WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readVectorFiles, type Vector } from '../vectors/vector-file.js';

// Wallets' tokens through the REST API: those that the simulator issues, and the published vectors.

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const deps = (): WalletKeyCommandDeps => ({ ...harness, random: systemRandom, actor: 'test' });
const pay = (form: Readonly<Record<string, string>>) =>
  harness.post('/v1/payments', { amount: '12.34', currency: 'EUR', paymentType: 'DB', ...form });
const payWith = (wallet: WalletName, token: string, more: Readonly<Record<string, string>> = {}) =>
  pay({ [`${wallet}.paymentToken`]: token, ...more });

async function trustTestRoots(): Promise<void> {
  for (const wallet of WALLET_NAMES) {
    const row = walletRootRow(wallet, Buffer.from(TEST_ROOTS[wallet], 'base64'), 'test', 1);
    await harness.store.commit([{ op: 'insert', table: 'walletRoots', row }]);
  }
}

async function keyOf(wallet: WalletName): Promise<Buffer> {
  const { publicKey } = await createWalletKey(deps(), { entityId: ENTITY, wallet, merchantIdentifier: SHOP });
  return Buffer.from(publicKey.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
}

const SHOP = 'merchant:shop';
const DPAN = '4200000000000000';
const orderOf = (wallet: WalletName, merchantKey: Uint8Array, tokenId = 'one'): TokenOrder => ({
  wallet,
  merchantKey,
  merchantIdentifier: SHOP,
  payment: {
    pan: DPAN,
    expiryMonth: '12',
    expiryYear: '2031',
    numberType: 'DPAN',
    // Of one payment, as the id of its token.
    cryptogram:
      tokenId === 'one' ? 'AAECAwQFBgcICQoLDA0ODxAREhM=' : Buffer.alloc(20, tokenId).toString('base64'),
    eci: '05',
    amount: { minor: 1_234, currency: 'EUR' },
  },
  tokenId,
  nowMs: NOW_MS,
});
const description = (answer: { body: { resultDetails?: Readonly<Record<string, string>> } }) =>
  answer.body.resultDetails?.ExtendedDescription;

describe.each(WALLET_NAMES)('%s', (wallet) => {
  let key: Buffer;
  beforeEach(async () => {
    await trustTestRoots();
    key = await keyOf(wallet);
  });

  it('pays with the network token inside, which is marked', async () => {
    const { status, body } = await payWith(wallet, await issueToken(orderOf(wallet, key)));
    expect(body).toMatchObject({
      result: { code: '000.100.110' },
      paymentBrand: 'VISA',
      card: { bin: '420000', last4Digits: '0000', numberType: 'DPAN' },
    });
    expect(status).toBe(200);
    expect(harness.line.sent.at(-1)).toMatchObject({
      instrument: { pan: DPAN, numberType: 'DPAN', proof: { eci: '05' } },
    });
    expect(await harness.store.get('payments', [body.id])).toMatchObject({ wallet, numberType: 'DPAN' });
  });

  it('refunds what was paid', async () => {
    const { body } = await payWith(wallet, await issueToken(orderOf(wallet, key)));
    const refund = { paymentType: 'RF', amount: '12.34', currency: 'EUR' };
    const answer = await harness.post(`/v1/payments/${body.id}`, refund);
    expect(answer.body.result.code).toBe('000.100.110');
  });

  it.each(TOKEN_FLAWS)(
    'refuses a token whose %s is wrong, gives that reason, and moves no money',
    async (flaw) => {
      const token = await issueToken({ ...orderOf(wallet, key), flaw });
      const answer = await payWith(wallet, token);
      expect(answer.status).toBe(400);
      expect(answer.body.result.code).toBe('200.100.603');
      // A compact token is signed by one key: there is no chain to it.
      const check = flaw === 'chain' && wallet === 'walletC' ? 'signature' : flaw;
      expect(description(answer)).toBe(`${wallet}.paymentToken: ${check}`);
      expect(JSON.stringify(answer.body)).not.toContain(token.slice(0, 64));
      expect(harness.line.sent).toEqual([]);
    },
  );

  it.each([
    ['amount', { amount: '12.35' }],
    ['currency', { currency: 'USD' }],
  ])('refuses a payment of another %s than the shopper agreed to', async (_, more) => {
    const answer = await payWith(wallet, await issueToken(orderOf(wallet, key)), more);
    expect(answer.body.result.code).toBe('100.550.701');
    expect(description(answer)).toBe(`${wallet}.paymentToken: amount`);
  });

  it('takes a token once: later, elsewhere and at the same time', async () => {
    const token = await issueToken(orderOf(wallet, key));
    const answers = await Promise.all([1, 2, 3].map(() => payWith(wallet, token)));
    answers.push(await payWith(wallet, token));
    const approved = answers.filter(({ status }) => status === 200);
    expect(approved).toHaveLength(1);
    for (const answer of answers.filter((each) => each.status !== 200)) {
      expect(answer.body.result.code).toBe('800.110.100');
      expect(description(answer)).toBe(`${wallet}.paymentToken: replay`);
    }
    expect(harness.line.sent).toHaveLength(1);
  });

  it('a token that was refused for its amount can still be used', async () => {
    const token = await issueToken(orderOf(wallet, key));
    await payWith(wallet, token, { amount: '12.35' });
    expect((await payWith(wallet, token)).status).toBe(200);
  });

  it('opens tokens for the old key while it is being replaced, and not after', async () => {
    const made = await rotateWalletKey(deps(), { entityId: ENTITY, wallet, keepOldMs: 60_000 });
    expect((await payWith(wallet, await issueToken(orderOf(wallet, key)))).status).toBe(200);
    const fresh = Buffer.from(made.publicKey.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
    expect((await payWith(wallet, await issueToken(orderOf(wallet, fresh, 'two')))).status).toBe(200);
    harness.clock.jumpWall(60_000);
    const late = await issueToken({ ...orderOf(wallet, key, 'three'), nowMs: NOW_MS + 60_000 });
    expect(description(await payWith(wallet, late))).toBe(`${wallet}.paymentToken: merchant`);
  });

  it('keeps nothing of a token in the database or the log', async () => {
    const token = await issueToken(orderOf(wallet, key));
    await payWith(wallet, token);
    const rows = await Promise.all(
      (['payments', 'intents', 'usedWalletTokens', 'events', 'vault'] as const).map((table) =>
        harness.store.findAfter(table, undefined),
      ),
    );
    const kept = JSON.stringify(rows) + harness.log.join('');
    for (const secret of [token.slice(0, 64), DPAN, 'AAECAwQF']) expect(kept).not.toContain(secret);
  });

  it('refuses the tokens of a merchant without a key', async () => {
    const [row] = await harness.store.find('walletKeys', 'entity', [ENTITY, wallet]);
    await harness.store.commit([
      { op: 'delete', table: 'walletKeys', key: [row?.id ?? ''], version: row?.version ?? 0 },
    ]);
    const answer = await payWith(wallet, await issueToken(orderOf(wallet, key)));
    expect(answer.body.result.code).toBe('600.200.201');
    expect(description(answer)).toBe(`${wallet}.paymentToken: not-set-up`);
  });

  it('takes what the merchant has deciphered', async () => {
    const { body } = await pay({
      [`${wallet}.source`]: 'app',
      'card.number': DPAN,
      'card.expiryMonth': '12',
      'card.expiryYear': '2031',
      'threeDSecure.eci': '05',
      'threeDSecure.verificationId': 'AAECAwQFBgcICQoLDA0ODxAREhM=',
    });
    expect(body).toMatchObject({ result: { code: '000.100.110' }, card: { numberType: 'DPAN' } });
    const proof = { cryptogram: 'AAECAwQFBgcICQoLDA0ODxAREhM=', eci: '05' };
    expect(harness.line.sent.at(-1)).toMatchObject({ instrument: { numberType: 'DPAN', proof } });
  });

  it('names the wallet as paymentBrand, or the card inside', async () => {
    const first = await issueToken(orderOf(wallet, key));
    expect((await payWith(wallet, first, { paymentBrand: wallet.toUpperCase() })).status).toBe(200);
    const second = await issueToken(orderOf(wallet, key, 'two'));
    const other = await payWith(wallet, second, { paymentBrand: 'MASTER' });
    expect(other.body.result.code).toBe('100.100.700');
  });

  it('refuses a token together with another means of payment', async () => {
    const token = await issueToken(orderOf(wallet, key));
    const card = { 'card.number': DPAN, 'card.expiryMonth': '12', 'card.expiryYear': '2031' };
    const { body } = await payWith(wallet, token, card);
    expect(body.result.parameterErrors.map(({ name }) => name)).toContain(`${wallet}.paymentToken`);
  });
});

describe.each(['walletB', 'walletC'] as const)('%s with the number on the card', (wallet) => {
  it('is marked as such: nothing has authenticated the cardholder', async () => {
    await trustTestRoots();
    const order = orderOf(wallet, await keyOf(wallet));
    const { cryptogram: _, eci: __, ...card } = order.payment;
    const token = await issueToken({ ...order, payment: { ...card, numberType: 'PAN' } });
    const { body } = await payWith(wallet, token);
    expect(body.card.numberType).toBe('PAN');
    expect(harness.line.sent.at(-1)).not.toHaveProperty('instrument.proof');
  });
});

describe('where 3D Secure is active', () => {
  const seen: { readonly isSent: boolean; readonly hasProof: boolean }[] = [];
  beforeEach(async () => {
    seen.length = 0;
    await harness.dispose();
    harness = await openHttpHarness(undefined, { threeDSecureActive: async () => true });
    await trustTestRoots();
    const recorder: Gate = {
      name: 'recorder',
      pass: async ({ request, instrument }) => {
        const hasProof = instrument.kind === 'card' && instrument.proof !== undefined;
        seen.push({ isSent: request.threeDSecure !== undefined, hasProof });
        return { verdict: 'pass' };
      },
      again: async () => ({ verdict: 'pass' }),
    };
    (harness.context.gates as Gate[]).unshift(recorder);
  });

  it.each(['walletB', 'walletC'] as const)(
    'a card number out of %s is authenticated, a network token is not',
    async (wallet) => {
      const order = orderOf(wallet, await keyOf(wallet));
      const { cryptogram: _, eci: __, ...card } = order.payment;
      const plain = await issueToken({ ...order, payment: { ...card, numberType: 'PAN' } });
      // There is no directory server.
      expect((await payWith(wallet, plain)).body.result.code).toBe('000.400.104');
      expect((await payWith(wallet, await issueToken({ ...order, tokenId: 'two' }))).status).toBe(200);
      expect(seen).toEqual([
        { isSent: true, hasProof: false },
        { isSent: true, hasProof: true },
      ]);
    },
  );
});

it('a channel without a key uses that of its merchant', async () => {
  await trustTestRoots();
  const channel = 'c'.repeat(32);
  await harness.store.commit([
    {
      op: 'insert',
      table: 'entities',
      row: {
        id: channel,
        kind: 'channel',
        parentId: ENTITY,
        name: 'channel',
        compatibility: 'specification',
        createdAtMs: 1,
        version: 1,
      },
    },
  ]);
  const token = await issueToken(orderOf('walletB', await keyOf('walletB')));
  expect((await payWith('walletB', token, { entityId: channel })).status).toBe(200);
});

describe('the published vectors of wallets', () => {
  const vectors = readVectorFiles('test/vectors/wallet.json').flatMap(
    ({ content }) => (content as { vectors: readonly Vector[] }).vectors,
  );
  const AMOUNT = { minor: 100, currency: 'USD' };
  /** Check that the answer names, by the rule of the vector. */
  const CHECKS: Readonly<Record<string, string>> = {
    badSignature: 'signature',
    badChain: 'chain',
    expiredKey: 'expiry',
    expiredMessage: 'expiry',
    unknownKey: 'merchant',
    badTag: 'merchant',
    malformed: 'format',
  };

  /** The check by which REST is stricter than the vector: bare text, unsigned or unenciphered tokens are no payments. */
  function stricter({ inputs }: Vector): string | undefined {
    if (inputs.op === 'decryptOnly') return inputs.scheme === 'appleEcV1' ? 'unsigned' : undefined;
    if (inputs.scheme === 'googleEcV2SigningOnly') return 'version';
    return undefined;
  }

  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const { inputs, expected } = vector;
    const wallet: WalletName = inputs.scheme === 'appleEcV1' ? 'walletA' : 'walletB';
    await setUp(wallet, inputs);
    const atMs = inputs.evaluateAtUnixMs;
    if (typeof atMs === 'number') harness.clock.jumpWall(atMs - harness.clock.nowMs());
    const [amount, currency] = [(AMOUNT.minor / 100).toFixed(2), AMOUNT.currency];
    const answer = await payWith(wallet, JSON.stringify(inputs.token), { amount, currency });
    const check = description(answer)?.replace(`${wallet}.paymentToken: `, '');
    const strict = stricter(vector);
    if (strict === 'unsigned') expect(['format', 'chain', 'signature']).toContain(check);
    else if (strict !== undefined) expect(check).toBe(strict);
    else if (typeof expected.error === 'string') expect(check).toBe(CHECKS[expected.error]);
    else if (typeof expected.payloadText === 'string') expect(['format', 'expiry']).toContain(check);
    else {
      // Opened: whatever comes after it is about the card inside.
      expect(check).toBeUndefined();
      expect(answer.body.card).toMatchObject({ numberType: expect.stringMatching(/^D?PAN$/) });
    }
  });

  async function setUp(wallet: WalletName, inputs: Vector['inputs']): Promise<void> {
    const list = (name: string): Buffer[] =>
      ((inputs[name] as string[] | undefined) ?? []).map((item) => Buffer.from(item, 'base64'));
    for (const der of [...list('trustAnchorsDerBase64'), ...list('rootSigningKeysSpkiBase64')]) {
      const row = walletRootRow(wallet, der, 'vector', 1);
      await harness.store.commit([{ op: 'insert', table: 'walletRoots', row }]);
    }
    const [first, ...others] = [...list('merchantPrivateKeysPkcs8Base64').map(pemOf), freshKey()];
    const merchantIdentifier = String(
      wallet === 'walletA' ? `sha256:${inputs.merchantIdHashHex}` : inputs.recipientId,
    );
    if (first) await createWalletKey(deps(), { entityId: ENTITY, wallet, merchantIdentifier, pem: first });
    for (const pem of others)
      await rotateWalletKey(deps(), {
        entityId: ENTITY,
        wallet,
        keepOldMs: Number.MAX_SAFE_INTEGER / 2,
        pem,
      });
  }

  const pemOf = (der: Buffer): Buffer =>
    Buffer.from(`-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`);
  const freshKey = (): Buffer =>
    Buffer.from(
      generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
        format: 'pem',
        type: 'pkcs8',
      }),
    );
});
