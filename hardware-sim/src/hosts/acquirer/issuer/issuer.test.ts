import { toHex } from '@tillbridge/wire/bytes.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { encipherPin } from '@tillbridge/wire/crypto/pin/pin-translation.js';
import { decodeTlv, encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { describe, expect, it } from 'vitest';
import { CardBox } from '../../../cards/card-box.js';
import type { CardState } from '../../../cards/core/card-state.js';
import { magstripeTracks } from '../../../cards/track-data.js';
import { completeContact, decideContact, openContact } from '../../../kernel/contact-transaction.js';
import { CRYPTOGRAM_TAGS } from '../../../kernel/issuer.test.support.js';
import type { ApplicationParameters } from '../../../kernel/terminal-parameters.js';
import { memorySlot } from '../../../state/state-slot.js';
import { HostKeys } from '../keys/host-keys.js';
import { firstKeySet } from '../keys/key-set.js';
import { AT_MS, SALE } from '../line/gateway.test.support.js';
import type { CardRow } from '../rows/tables.js';
import { HostIssuer, PIN_TRIES } from './issuer.js';

const random = { bytes: (length: number) => new Uint8Array(length).fill(98) };
const parts = { save: () => undefined, clock: { nowMs: () => AT_MS }, random };
const keys = new HostKeys(parts, firstKeySet());
const issuer = new HostIssuer(keys);
const hex = (text: string) => Buffer.from(text, 'hex');
const CARD: CardRow = { card: 'hash', last4Digits: '0000', pinTriesLeft: PIN_TRIES, lastAtc: 0 };
const message = (values: Partial<ExchangeMessage>): ExchangeMessage => ({
  ...SALE,
  stan: '000001',
  ...values,
});

function parametersOf(aid: string): ApplicationParameters {
  return {
    aid,
    objects: new Map([
      ['9F1A', hex('0276')],
      ['5F2A', hex('0978')],
      ['9F33', hex('E0F8C8')],
      ['9F35', hex('22')],
      ['9F40', hex('6000F0A001')],
    ]),
    versions: ['0096', '0002'],
    actionCodes: { denial: hex('0010000000'), online: hex('584004F800'), default: hex('5840000000') },
  };
}

/** A chip card in a terminal, up to its request cryptogram. */
async function atCounter(name: string, pan: string) {
  const slot = memorySlot<CardState>();
  const card = new CardBox(() => slot).take(name)?.card.contact;
  if (!card) throw new Error(`${name} has no chip`);
  const transaction = {
    amountMinor: 1234,
    cashbackMinor: 0,
    date: '261120',
    time: '120000',
    transactionType: 0,
    sequenceNumber: 7,
  };
  const aids = ['A000000003', 'A0000000041010', 'A0000000043060'];
  const open = await openContact(card, { transaction, aids, parametersOf, overrides: [], random });
  const parameters = parametersOf(aids[0] ?? '');
  await decideContact(open, {
    parameters,
    risk: { floorLimitMinor: 0, thresholdMinor: 0, targetPercent: 0, maxTargetPercent: 0 },
    cardholder: { askOfflinePin: async () => 'bypass', askOnlinePin: async () => 'captured' },
    onExceptionList: false,
    forceOnline: false,
    random,
  });
  const nodes = [...CRYPTOGRAM_TAGS, '9F26', '9F27', '9F10'].map((tag) => tlv(tag, open.data.require(tag)));
  const request = message({ pan, entryMode: 'chip', cardSequence: '001', iccData: toHex(encodeTlv(nodes)) });
  /** How the card ends with the issuer's answer. */
  const complete = async (iccData: string | undefined) => {
    const issuerObjects = decodeTlv(hex(iccData ?? ''));
    const outcome = { kind: 'approved', responseCode: '00', issuerObjects } as const;
    return (await completeContact(open, parameters, outcome, false)).decision;
  };
  return { request, complete, state: () => slot.read() };
}

describe('cryptograms', () => {
  it.each([
    ['visa-credit-online', '4200000000000000', 'approved'],
    ['mastercard-debit-pin', '5454545454545454', 'approved'],
    ['visa-bad-arpc', '4200000000000067', 'declined'],
  ])('of %s are answered with an ARPC by which the card is %s', async (name, pan, end) => {
    const { request, complete } = await atCounter(name, pan);
    const verdict = issuer.judge(request, CARD, {}, AT_MS);
    expect(verdict).toMatchObject({ responseCode: '00', hasCryptogram: true, card: { lastAtc: 1 } });
    expect(await complete(verdict.iccData('00'))).toBe(end);
  });

  it('that are not the card’s are a security violation, without an answer', async () => {
    const { request } = await atCounter('visa-credit-online', '4200000000000000');
    for (const iccData of [request.iccData?.replace(/9F2608../, '9F2608FF'), '9F26', '', '9F2701']) {
      const verdict = issuer.judge(
        message({ ...request, ...(iccData !== undefined && { iccData }) }),
        CARD,
        {},
        AT_MS,
      );
      expect(verdict).toMatchObject({ responseCode: '63', hasCryptogram: false });
      expect(verdict.iccData('63')).toBeUndefined();
    }
  });

  it('bring the commands of the issuer: the card carries them out', async () => {
    const { request, complete, state } = await atCounter('visa-credit-online', '4200000000000000');
    const { iccData } = issuer.judge(request, CARD, { script: 'application-block' }, AT_MS);
    expect(await complete(iccData('00'))).toBe('approved');
    expect(state()?.applicationBlocked).toBe(true);
    const other = await atCounter('mastercard-debit-pin', '5454545454545454');
    const unblock = issuer.judge(other.request, CARD, { script: 'pin-unblock' }, AT_MS);
    expect(await other.complete(unblock.iccData('00'))).toBe('approved');
  });
});

describe('online PIN', () => {
  const { pan } = SALE;
  const { track2 } = magstripeTracks({
    pan,
    expiry: '3112',
    serviceCode: '201',
    cardholderName: 'A/B',
    pin: '4315',
  });
  const withPin = (pin: string) => {
    const zone = { format: 0, cipher: 'tdes', key: developmentKey('zonePinKey') } as const;
    const pinBlock = toHex(encipherPin(zone, pin, pan, random.bytes));
    return message({ pinBlock, track2: track2 ?? '' });
  };

  it('is refused three times, then always; a right one gives the tries back', () => {
    let card = CARD;
    const say = (pin: string) => {
      const verdict = issuer.judge(withPin(pin), card, {}, AT_MS);
      card = verdict.card;
      return verdict.responseCode;
    };
    expect([say('0000'), say('0001'), say('4315')]).toEqual(['55', '55', '00']);
    expect(card.pinTriesLeft).toBe(PIN_TRIES);
    expect([say('0000'), say('0000'), say('0000'), say('4315')]).toEqual(['55', '55', '75', '75']);
  });

  it('of a card without one is wrong', () => {
    const { responseCode } = issuer.judge(
      { ...withPin('4315'), track2: `${pan}=3112201000000` },
      CARD,
      {},
      AT_MS,
    );
    expect(responseCode).toBe('55');
  });
});

it.each([
  ['no card number', { pan: '4200000000000001' }, '14'],
  ['an expired card', { expiry: '2510' }, '54'],
  ['a card that its issuer declines', { pan: '4200000000000125' }, '62'],
  ['a referral', { pan: '4200000000000158' }, '01'],
  ['a referral with the code of a call', { pan: '4200000000000158', approvalCode: '123456' }, '00'],
])('%s gets %s', (_, values, responseCode) => {
  expect(issuer.judge(message(values), CARD, {}, AT_MS).responseCode).toBe(responseCode);
});
