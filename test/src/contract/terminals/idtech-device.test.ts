import { fromHex } from '@tillbridge/wire/bytes.js';
import { AES_KSN_BYTES } from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import { PIN_BLOCK_4_BYTES } from '@tillbridge/wire/crypto/pin/pin-block-4.js';
import {
  DEVELOPMENT_AES_KEY_SETS,
  DEVELOPMENT_AES_PIN_KEY_SET,
} from '@tillbridge/wire/terminals/development-key-sets.js';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { IssuerHost } from './issuer-host.js';
import { casesOf } from './lines.js';
import type { Maker } from './maker.js';
import { MAKERS } from './makers.js';
import { runCase, saleRequest, sellAgain } from './run-case.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

// What only an ID TECH reader does: a separate command for card numbers that are keyed in, keys of AES DUKPT.

const host = new IssuerHost();
afterAll(() => host.close());

let harness: TerminalHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const [VP6800] = MAKERS.filter(({ deviceType }) => deviceType === 'IDTECH_VP6800') as [Maker];
const UNDER_AES: Maker = {
  ...VP6800,
  ksns: {
    pin: fromHex(`${DEVELOPMENT_AES_PIN_KEY_SET}543210E000000000`),
    data: fromHex(`${DEVELOPMENT_AES_KEY_SETS.get('IDTECH_VP6800')}543210E000000000`),
  },
};

async function open(maker: Maker): Promise<TerminalHarness> {
  harness = await openTerminalHarness(maker, { wire: 'memory' });
  return harness;
}

describe('under AES DUKPT keys', () => {
  test.each(casesOf(UNDER_AES).map((what) => [what.name, what] as const))('%s', async (_, what) => {
    await runCase(await open(UNDER_AES), host, what);
  });

  test.each([
    ['mastercard-debit-pin', {}],
    ['visa-contactless', { amount: { minor: 6_000, currency: 'EUR' } }],
  ] as const)('the PIN block of %s is of format 4', async (card, request) => {
    const on = await open(UNDER_AES);
    expect(await on.pass(on.driver.status())).toMatchObject({ keys: { data: 'loaded', pin: 'loaded' } });
    on.cardholder.follow({ cards: [{ card }] });
    const outcome = await on.pass(on.driver.start(saleRequest({ request }), () => {}));
    expect(outcome).toMatchObject({
      kind: 'online-required',
      card: {
        sred: { ksn: { length: AES_KSN_BYTES } },
        pin: { ksn: { length: AES_KSN_BYTES }, data: { length: PIN_BLOCK_4_BYTES } },
      },
    });
  });
});

describe('a card number', () => {
  const KEYED = { cards: [{ card: 'visa-credit-online', how: 'manual' }] } as const;

  test('is never requested while the corner of the screen is not held', async () => {
    const on = await open(VP6800);
    await sellAgain(on, host);
    expect(
      on.wireLog.frames.entries.map(({ text }) => text).filter((text) => text.includes('GET PAN')),
    ).toEqual([]);
  });

  test('is no track: the account that the gateway opens has number and expiry', async () => {
    const on = await open(VP6800);
    on.cardholder.follow(KEYED);
    const outcome = await on.pass(on.driver.start(saleRequest({}), () => {}));
    if (outcome.kind !== 'online-required') throw new Error(JSON.stringify(outcome));
    expect(await host.account('IDTECH_VP6800', outcome.card)).toEqual({
      pan: '4200000000000000',
      expiryYear: '2031',
      expiryMonth: '12',
    });
  });

  test('is not requested from a device whose keys are gone', async () => {
    const on = await open(VP6800);
    on.faults.lay([{ name: 'key-exhausted', skip: 0, times: 1, delayMs: 0, seed: 1 }]);
    on.cardholder.follow(KEYED);
    expect(await on.pass(on.driver.start(saleRequest({}), () => {}))).toMatchObject({
      kind: 'failed',
      failure: 'key-exhausted',
    });
  });
});
