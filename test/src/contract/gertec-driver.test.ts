import type { CardData, StartOutcome } from '@tillbridge/agent/drivers/driver.js';
import {
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/protocol/crypto/dukpt-tdes.js';
import { tdesDecryptCbc } from '@tillbridge/protocol/crypto/tdes.js';
import { developmentKey } from '@tillbridge/protocol/crypto/test-keys.js';
import { cryptogramType } from '@tillbridge/protocol/emv/cid.js';
import { decodeTlv, findTlv } from '@tillbridge/protocol/emv/tlv.js';
import { TEST_CARDS } from '@tillbridge/protocol/payment/test-cards.js';
import { decodeAccountData } from '@tillbridge/protocol/terminals/abecs/account-data.js';
import { afterEach, describe, expect, it } from 'vitest';
import { type GertecBench, openBench, saleRequest } from './gertec-bench.js';

let bench: GertecBench;
afterEach(async () => {
  expect(bench.faults).toEqual([]);
  await bench.close();
});

const quiet = () => {};

async function start(card: string, floorLimitMinor = 0): Promise<StartOutcome> {
  bench = await openBench(card);
  return bench.pass(bench.driver.start(saleRequest({}, floorLimitMinor), quiet));
}

function cardOf(outcome: StartOutcome): CardData {
  if (!('card' in outcome)) throw new Error(`no card: ${JSON.stringify(outcome)}`);
  return outcome.card;
}

/** Deciphers what the gateway would get, with the development data key. */
function decipher(card: CardData): ReturnType<typeof decodeAccountData> {
  if (!card.sred) throw new Error('no enciphered card data');
  const initial = deriveInitialKey(developmentKey('bdkData'), card.sred.ksn);
  const key = workingKey(deriveTransactionKey(initial, card.sred.ksn), 'dataRequest');
  return decodeAccountData(tdesDecryptCbc(key, Buffer.alloc(8), card.sred.data));
}

function cryptogram(iccData: Uint8Array): string {
  return cryptogramType(findTlv(decodeTlv(iccData), '9F27')?.[0] ?? 0xff);
}

describe('the Gertec driver on the simulated PPC930', () => {
  it('asks for an online decision with an ARQC and enciphered track 2', async () => {
    const outcome = await start('visa-credit-online');
    expect(outcome.kind).toBe('online-required');
    const card = cardOf(outcome);
    expect(card.facts).toMatchObject({
      entryMode: 'ICC',
      bin: TEST_CARDS.visaCredit.pan.slice(0, 6),
      last4Digits: TEST_CARDS.visaCredit.pan.slice(-4),
      expiry: '3112',
      panSequenceNumber: '01',
      aid: 'A0000000031010',
      label: 'VISA CREDIT',
    });
    expect(card.facts.paymentAccountReference).toMatch(/^TLBR/);
    expect(cryptogram(card.iccData)).toBe('ARQC');
    const nodes = decodeTlv(card.iccData);
    for (const tag of ['82', '95', '9A', '9C', '5F2A', '9F02', '9F10', '9F1A', '9F26', '9F36', '9F37']) {
      expect(findTlv(nodes, tag), tag).toBeDefined();
    }
    for (const tag of ['57', '5A', '5F20', '9F1F', '9F20']) expect(findTlv(nodes, tag), tag).toBeUndefined();
    expect(Buffer.from(findTlv(nodes, '9F41') ?? []).toString('hex')).toBe('00000007');
    expect(decipher(card)).toMatchObject({
      pan: TEST_CARDS.visaCredit.pan,
      expiry: '3112',
      serviceCode: '201',
    });
  });

  it('lets the card decide when nobody can be reached: TC, Y3', async () => {
    await start('visa-credit-online');
    const end = await bench.pass(bench.driver.complete({ kind: 'unable-to-go-online' }, quiet));
    expect(end.kind).toBe('approved');
    if (end.kind === 'failed') return;
    expect(cryptogram(end.iccData)).toBe('TC');
    expect(Buffer.from(findTlv(decodeTlv(end.iccData), '8A') ?? []).toString()).toBe('Y3');
    await bench.pass(bench.driver.finish('APPROVED'));
    expect(bench.driver.state).toBe('ready');
    expect(bench.twin.front.inserted).toBeUndefined();
  });

  it('ends in AAC when the issuer declines, or when the card wants no decision without it', async () => {
    await start('visa-credit-online');
    const declined = { kind: 'declined', responseCode: '05', issuerData: Buffer.alloc(0) } as const;
    expect(await bench.pass(bench.driver.complete(declined, quiet))).toMatchObject({ kind: 'declined' });
    await bench.close();
    await start('mastercard-debit-pin');
    const end = await bench.pass(bench.driver.complete({ kind: 'unable-to-go-online' }, quiet));
    expect(end).toMatchObject({ kind: 'declined' });
    if (end.kind === 'declined') expect(cryptogram(end.iccData)).toBe('AAC');
  });

  it('does not take an approval whose issuer cannot be authenticated', async () => {
    await start('visa-credit-online');
    const issuerData = Buffer.from('91081111111122222222', 'hex');
    const wrong = { kind: 'approved', responseCode: '00', issuerData } as const;
    expect(await bench.pass(bench.driver.complete(wrong, quiet))).toMatchObject({ kind: 'declined' });
  });

  it('carries an online PIN block', async () => {
    const card = cardOf(await start('mastercard-debit-pin'));
    expect(card.pin?.data).toHaveLength(8);
    expect(card.pin?.ksn).toHaveLength(10);
    expect(card.facts.entryMode).toBe('ICC');
  });

  it('approves offline below the floor limit with an offline PIN, and online above it', async () => {
    const outcome = await start('maestro-offline-approved', 5_000);
    expect(outcome.kind).toBe('approved-offline');
    expect(cryptogram(cardOf(outcome).iccData)).toBe('TC');
    await bench.close();
    expect((await start('maestro-offline-approved', 1_000)).kind).toBe('online-required');
  });

  it.each(['visa-offline-declined', 'visa-expired'])('is declined by %s', async (name) => {
    const outcome = await start(name);
    expect(outcome.kind).toBe('declined-offline');
    expect(cryptogram(cardOf(outcome).iccData)).toBe('AAC');
  });

  it('reads a tap', async () => {
    const card = cardOf(await start('visa-contactless'));
    expect(card.facts.entryMode).toBe('NFC_ICC');
    expect(decipher(card).pan).toBe(TEST_CARDS.visaContactless.pan);
  });

  it('reads a stripe, and a stripe after a mute chip', async () => {
    const stripe = await start('magstripe-only');
    expect(stripe).toMatchObject({ kind: 'online-required', card: { facts: { entryMode: 'MAGSTRIPE' } } });
    expect(decipher(cardOf(stripe)).pan).toBe(TEST_CARDS.magstripeOnly.pan);
    await bench.close();
    const fallback = await start('chip-broken-fallback');
    expect(fallback).toMatchObject({ card: { facts: { entryMode: 'MAGSTRIPE_AS_FALLBACK' } } });
    expect(decipher(cardOf(fallback)).pan).toBe(TEST_CARDS.chipBroken.pan);
  });

  it('says that a blocked card is blocked', async () => {
    expect(await start('visa-blocked')).toMatchObject({ kind: 'failed', failure: 'card-blocked' });
  });

  it('cancels a wait for a card and sells the next one', async () => {
    bench = await openBench('no-such-card');
    const sale = bench.driver.start(saleRequest(), quiet);
    await bench.clock.advance(5_000);
    await bench.pass(bench.driver.cancel());
    expect(await sale).toEqual({ kind: 'cancelled', by: 'till' });
    const again = bench.driver.start(saleRequest({ cardTimeoutMs: 3_000 }), quiet);
    expect(await bench.pass(again)).toEqual({ kind: 'cancelled', by: 'timeout' });
  });
});
