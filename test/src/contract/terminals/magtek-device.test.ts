import { openMaker } from '@tillbridge/agent/drivers/magtek/session.js';
import { RESET_AFTER_MS } from '@tillbridge/hardware-sim/terminals/magtek/self-reset.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { AES_KSN_BYTES } from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import { PIN_BLOCK_4_BYTES } from '@tillbridge/wire/crypto/pin/pin-block-4.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import {
  DEVELOPMENT_AES_KEY_SETS,
  DEVELOPMENT_AES_PIN_KEY_SET,
} from '@tillbridge/wire/terminals/development-key-sets.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CASES } from './cases.js';
import { IssuerHost } from './issuer-host.js';
import type { Maker } from './maker.js';
import { MAKERS } from './makers.js';
import { runCase, saleRequest, sellAgain } from './run-case.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

// What only a MagTek device does: the PIN block inside its card data, requests that come again, its daily reset.

const host = new IssuerHost();
afterAll(() => host.close());

let harness: TerminalHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const CHIP = { cards: [{ card: 'visa-credit-online' }] } as const;
const LIVENESS_MS = 15_000;
const MINUTE_MS = 60_000;

function maker(patience: { readonly seconds: number; readonly retries: number }): Maker {
  return {
    deviceType: 'MAGTEK_DYNAFLEX',
    transports: ['hid', 'serial'],
    abilities: new Set(),
    openMaker: (parts) => openMaker(parts, patience),
  };
}

const PATIENT = maker({ seconds: 1, retries: 250 });

async function open(who: Maker = PATIENT, transport: Transport = 'hid'): Promise<TerminalHarness> {
  harness = await openTerminalHarness(who, { wire: 'memory', transport });
  return harness;
}

function passed({ clock, pass }: TerminalHarness, ms: number): Promise<void> {
  return pass(new Promise<void>((resolve) => void clock.setTimer(ms, resolve)));
}

/** Frames of the simulated device that hold a text. */
function framesWith({ wireLog }: TerminalHarness, text: string): readonly string[] {
  return wireLog.frames.entries.map((frame) => frame.text).filter((frame) => frame.includes(text));
}

async function hours(on: TerminalHarness, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE_MS) await on.virtualClock?.advance(Math.min(left, MINUTE_MS));
}

describe('a PIN for the issuer', () => {
  test('never leaves the card data that it was put into', async () => {
    const on = await open();
    on.cardholder.follow({ cards: [{ card: 'mastercard-debit-pin' }] });
    const outcome = await on.pass(on.driver.start(saleRequest({}), () => {}));
    if (outcome.kind !== 'online-required') throw new Error(JSON.stringify(outcome));
    expect(outcome.card.pin).toBeUndefined();
    expect(outcome.card.pinInside).toBe(true);
    const account = await host.account('MAGTEK_DYNAFLEX', outcome.card);
    expect(account.pin).toMatchObject({ format: 0 });
    expect(await host.pinIsRight(outcome.card, account)).toBe(true);
    expect(
      await host.pinIsRight(outcome.card, { ...account, pan: '5200000000000007' }).catch(() => false),
    ).toBe(false);
  });

  test('of a tap is known as well, and none where none was requested', async () => {
    const on = await open();
    for (const [minor, pinInside] of [
      [6_000, true],
      [1_234, undefined],
    ] as const) {
      on.cardholder.follow({ cards: [{ card: 'visa-contactless' }] });
      const request = { ...saleRequest({}), amount: { minor, currency: 'EUR' } };
      const outcome = await on.pass(on.driver.start(request, () => {}));
      if (outcome.kind !== 'online-required') throw new Error(JSON.stringify(outcome));
      expect(outcome.card.pinInside).toBe(pinInside);
      const account = await host.account('MAGTEK_DYNAFLEX', outcome.card);
      expect(account.pin !== undefined).toBe(pinInside === true);
      await on.pass(on.driver.finish('THANK YOU'));
    }
  });

  test('that is wrong does not verify', async () => {
    const on = await open();
    on.cardholder.follow({ cards: [{ card: 'mastercard-debit-pin' }], pins: ['wrong'] });
    const outcome = await on.pass(on.driver.start(saleRequest({}), () => {}));
    if (outcome.kind !== 'online-required') throw new Error(JSON.stringify(outcome));
    expect(await host.pinIsRight(outcome.card, await host.account('MAGTEK_DYNAFLEX', outcome.card))).toBe(
      false,
    );
  });
});

describe('card data on their way', () => {
  test.each([
    ['an EMV object in clear', '9F26'],
    ['the enciphered part', 'DFDF59'],
    ['the device that vouches for them', 'DFDF25'],
  ])('are refused with a changed bit in %s', async (_, tag) => {
    const on = await open();
    on.cardholder.follow(CHIP);
    const outcome = await on.pass(on.driver.start(saleRequest({}), () => {}));
    if (outcome.kind !== 'online-required' || !outcome.card.sred) throw new Error(JSON.stringify(outcome));
    const data = Buffer.from(outcome.card.sred.data);
    const at = data.indexOf(Buffer.from(tag, 'hex')) + tag.length / 2 + 3;
    data[at] = (data[at] ?? 0) ^ 0x01;
    const bent = { ...outcome.card, sred: { ...outcome.card.sred, data } };
    await expect(host.account('MAGTEK_DYNAFLEX', bent)).rejects.toThrow('MAC of the account data is wrong');
    const ksn = Buffer.from(outcome.card.sred.ksn);
    ksn[9] = (ksn[9] ?? 0) ^ 0x01;
    const other = { ...outcome.card, sred: { ...outcome.card.sred, ksn } };
    await expect(host.account('MAGTEK_DYNAFLEX', other)).rejects.toThrow('KSN');
  });

  test('show nothing of the card in the frame log', async () => {
    const on = await open();
    await sellAgain(on, host);
    on.cardholder.follow({ cards: [{ card: 'magstripe-only' }] });
    await on.pass(on.driver.start(saleRequest({}), () => {}));
    const log = on.wireLog.frames.entries.map(({ text }) => text).join('\n');
    expect(log).toContain('contact requestData');
    expect(log).toContain('DFDF59=***');
    expect(log).not.toMatch(/42000000000000|4200 ?0000/);
  });
});

describe('under AES DUKPT keys', () => {
  const aes: Maker = {
    ...PATIENT,
    ksns: {
      pin: fromHex(`${DEVELOPMENT_AES_PIN_KEY_SET}543210E000000000`),
      data: fromHex(`${DEVELOPMENT_AES_KEY_SETS.get('MAGTEK_DYNAFLEX')}543210E000000000`),
    },
  };
  const { abilities } = MAKERS.find(({ deviceType }) => deviceType === 'MAGTEK_DYNAFLEX') ?? aes;
  const cases = CASES.filter(({ needs = [] }) => needs.every((ability) => abilities.has(ability)));

  test.each(cases.map((what) => [what.name, what] as const))('%s', async (_, what) => {
    await runCase(await open(aes), host, what);
  });

  test('PIN blocks are of format 4, and their key is reported', async () => {
    const on = await open(aes);
    expect(await on.pass(on.driver.status())).toMatchObject({ keys: { data: 'loaded', pin: 'loaded' } });
    on.cardholder.follow({ cards: [{ card: 'mastercard-debit-pin' }] });
    const outcome = await on.pass(on.driver.start(saleRequest({}), () => {}));
    if (outcome.kind !== 'online-required') throw new Error(JSON.stringify(outcome));
    expect(outcome.card.sred?.ksn).toHaveLength(AES_KSN_BYTES);
    const { pin } = await host.account('MAGTEK_DYNAFLEX', outcome.card);
    expect(pin).toMatchObject({ ksn: { length: AES_KSN_BYTES }, pinBlock: { length: PIN_BLOCK_4_BYTES } });
    expect(framesWith(on, '86=04')).toHaveLength(1);
  });
});

describe('a request without an answer yet', () => {
  test('comes again, and is still the same sale', async () => {
    const on = await open();
    on.cardholder.follow(CHIP);
    const outcome = await on.pass(on.driver.start(saleRequest({}), () => {}));
    if (outcome.kind !== 'online-required') throw new Error(JSON.stringify(outcome));
    const result = await host.answer(
      outcome.card,
      await host.account('MAGTEK_DYNAFLEX', outcome.card),
      'approve',
    );
    await passed(on, 4_500);
    expect(framesWith(on, 'requestData')).toHaveLength(5);
    expect(await on.pass(on.driver.complete(result, () => {}))).toMatchObject({ kind: 'approved' });
    await on.pass(on.driver.finish('THANK YOU'));
    await sellAgain(on, host);
  });

  test('is left to the card when the device has sent it often enough, as the till learns', async () => {
    const on = await open(maker({ seconds: 1, retries: 1 }));
    on.cardholder.follow(CHIP);
    const outcome = await on.pass(on.driver.start(saleRequest({}), () => {}));
    if (outcome.kind !== 'online-required') throw new Error(JSON.stringify(outcome));
    await passed(on, 5_000);
    expect(framesWith(on, 'requestData')).toHaveLength(2);
    const alone = await on.pass(on.driver.complete({ kind: 'unable-to-go-online' }, () => {}));
    if (alone.kind === 'failed') throw new Error(alone.detail);
    // The card approved by itself, and no one else declined.
    expect(alone.kind).toBe('approved');
    expect(Buffer.from(findTlv(decodeTlv(alone.iccData), '8A') ?? []).toString()).toBe('Y3');
    await on.pass(on.driver.finish('THANK YOU'));
    await sellAgain(on, host);
  });

  test('is not approved by the card against the issuer', async () => {
    const on = await open(maker({ seconds: 1, retries: 0 }));
    on.cardholder.follow(CHIP);
    await on.pass(on.driver.start(saleRequest({}), () => {}));
    await passed(on, 3_000);
    const declined = { kind: 'declined', responseCode: '05', issuerData: Buffer.alloc(0) } as const;
    expect(await on.pass(on.driver.complete(declined, () => {}))).toMatchObject({ kind: 'declined' });
  });
});

describe.each(['hid', 'serial'] as const)('the daily reset, over %s', (transport) => {
  test('is brought forward to a quiet moment when the device warns of it', async () => {
    const on = await open(PATIENT, transport);
    await hours(on, RESET_AFTER_MS - 2 * MINUTE_MS);
    expect(framesWith(on, 'RESET DEVICE')).toHaveLength(2);
    expect(on.driver.state).toBe('ready');
    await sellAgain(on, host);
    // The day began anew: nothing happens at the time at which it would have ended.
    await hours(on, 3 * MINUTE_MS);
    await sellAgain(on, host);
  });

  test('does not happen during a sale that is under way when the device warns', async () => {
    const on = await open(PATIENT, transport);
    await hours(on, RESET_AFTER_MS - 3 * MINUTE_MS - LIVENESS_MS);
    on.cardholder.follow(CHIP);
    const outcome = await on.pass(on.driver.start(saleRequest({}), () => {}));
    if (outcome.kind !== 'online-required') throw new Error(JSON.stringify(outcome));
    const result = await host.answer(
      outcome.card,
      await host.account('MAGTEK_DYNAFLEX', outcome.card),
      'approve',
    );
    await passed(on, 2 * LIVENESS_MS);
    expect(framesWith(on, 'reset in 3 minutes')).toHaveLength(1);
    expect(framesWith(on, 'RESET DEVICE')).toHaveLength(0);
    expect(await on.pass(on.driver.complete(result, () => {}))).toMatchObject({ kind: 'approved' });
    await on.pass(on.driver.finish('THANK YOU'));
    await hours(on, MINUTE_MS);
    expect(framesWith(on, 'RESET DEVICE')).toHaveLength(2);
    await sellAgain(on, host);
  });

  test('in the middle of a sale fails that sale at once, and no other', async () => {
    const on = await open(PATIENT, transport);
    on.cardholder.follow({});
    const sale = on.driver.start(saleRequest({}), () => {});
    await passed(on, 1_000);
    on.device.reset();
    const before = on.clock.monotonicMs();
    expect(await on.pass(sale)).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
    expect(on.clock.monotonicMs() - before).toBeLessThan(2_000);
    await on.until('ready');
    await sellAgain(on, host);
  });
});
