import { toHex } from '@tillbridge/wire/bytes.js';
import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { deriveIccMasterKey, visaSessionKey } from '@tillbridge/wire/crypto/emv/emv-keys.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { TSI, TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { bitNames } from '@tillbridge/wire/emv/bits.js';
import { cvmResultsNames } from '@tillbridge/wire/emv/cvm-results.js';
import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { describe, expect, test } from 'vitest';
import { CardBox } from '../cards/card-box.js';
import { type Card, CardCommunicationError } from '../cards/core/card.js';
import type { CardState } from '../cards/core/card-state.js';
import { memorySlot, type StateSlot } from '../state/state-slot.js';
import { completeContact, type DecisionInputs, decideContact, openContact } from './contact-transaction.js';
import { readTap } from './contactless-transaction.js';
import { cryptogramIsTrue, issuerAuthenticationData } from './issuer.test.support.js';
import type { ApplicationParameters, RiskInputs } from './terminal-parameters.js';

const hex = (text: string) => Buffer.from(text, 'hex');
const AIDS = ['A000000003', 'A0000000041010', 'A0000000043060'];
const HIGH_FLOOR: RiskInputs = {
  floorLimitMinor: 5000,
  thresholdMinor: 0,
  targetPercent: 0,
  maxTargetPercent: 0,
};
const NO_FLOOR: RiskInputs = { ...HIGH_FLOOR, floorLimitMinor: 0 };

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

/** A draw that is always the same: never below any percentage. */
const random = { bytes: (length: number) => new Uint8Array(length).fill(98) };

function chip(name: string, slot: StateSlot<CardState> = memorySlot()): Card {
  const card = new CardBox(() => slot).take(name)?.card.contact;
  if (!card) throw new Error(`${name} has no chip`);
  return card;
}

function startInputs(date = '261120', amountMinor = 1234) {
  return {
    transaction: {
      amountMinor,
      cashbackMinor: 0,
      date,
      time: '120000',
      transactionType: 0,
      sequenceNumber: 7,
    },
    aids: AIDS,
    parametersOf,
    overrides: [] as TlvNode[],
    random,
  };
}

function decision(changes: Partial<DecisionInputs> = {}): DecisionInputs {
  return {
    parameters: parametersOf('A000000003'),
    risk: NO_FLOOR,
    cardholder: {
      askOfflinePin: () => Promise.reject(new Error('no offline PIN expected')),
      askOnlinePin: () => Promise.reject(new Error('no online PIN expected')),
    },
    onExceptionList: false,
    forceOnline: false,
    random,
    ...changes,
  };
}

/** A cardholder who enters these offline PINs in turn. */
function entering(...pins: (string | 'bypass')[]): DecisionInputs['cardholder'] {
  const tries: (number | undefined)[] = [];
  return {
    askOnlinePin: async () => 'captured',
    async askOfflinePin(triesLeft) {
      tries.push(triesLeft);
      const pin = pins.shift() ?? 'bypass';
      return pin === 'bypass' ? pin : Buffer.from(pin);
    },
  };
}

async function toFirst(card: Card, inputs: DecisionInputs, start = startInputs()) {
  const open = await openContact(card, start);
  const first = await decideContact(open, inputs);
  return {
    open,
    first,
    data: open.data,
    text: (tag: string) => Buffer.from(open.data.get(tag) ?? []).toString('latin1'),
  };
}

describe('online', () => {
  test.each([
    ['visa-credit-online', '4200000000000000', 'visa'],
    ['mastercard-debit-pin', '5454545454545454', 'mastercard'],
  ])('%s: a true ARQC, the issuer’s answer accepted, TC', async (name, pan, brand) => {
    const { open, first, data } = await toFirst(chip(name), decision({ cardholder: entering() }));
    const objects = (tag: string) => data.get(tag);
    expect(first.cryptogram).toBe('ARQC');
    expect(cryptogramIsTrue(pan, objects)).toBe(true);
    expect(bitNames(data.tvr, TVR)).toEqual([
      'Offline data authentication was not performed',
      'New card',
      ...(brand === 'mastercard' ? ['Online CVM captured'] : []),
      'Transaction exceeds floor limit',
    ]);
    expect(first.verification.pin).toBe(brand === 'mastercard' ? 'captured-online' : 'none');
    const issuerObjects = [tlv('91', issuerAuthenticationData(pan, objects, '00'))];
    const outcome = { kind: 'approved', responseCode: '00', issuerObjects } as const;
    const end = await completeContact(open, decision().parameters, outcome, false);
    expect(end.decision).toBe('approved');
    expect(bitNames(data.require('9B'), TSI).includes('Issuer authentication was performed')).toBe(
      brand === 'visa',
    );
    expect(cryptogramIsTrue(pan, objects)).toBe(true);
  });

  test('a wrong ARPC ends in AAC with the TVR bit, a decline in AAC without it', async () => {
    for (const [kind, code, bent] of [
      ['approved', '00', true],
      ['declined', '51', false],
    ] as const) {
      const { open, data } = await toFirst(chip('visa-bad-arpc'), decision());
      const answer = issuerAuthenticationData('4200000000000067', (tag) => data.get(tag), code);
      if (bent) answer[3] = (answer[3] ?? 0) ^ 0x80;
      const outcome = { kind, responseCode: code, issuerObjects: [tlv('91', answer)] };
      expect((await completeContact(open, decision().parameters, outcome, false)).decision).toBe('declined');
      expect(bitNames(data.tvr, TVR).includes('Issuer authentication failed')).toBe(bent);
    }
  });

  test('scripts run before and after the second cryptogram; a failing one is reported by number and in the TVR', async () => {
    const slot = memorySlot<CardState>();
    const { open, data } = await toFirst(chip('visa-credit-online', slot), decision());
    const smi = deriveIccMasterKey(developmentKey('imkSmi'), '4200000000000000', '01', 'optionA');
    const [atc, arqc] = [data.require('9F36'), data.require('9F26')];
    const header = hex('841E000008');
    const mac = retailMac(visaSessionKey(smi, atc), Buffer.concat([header, atc, arqc]), 'iso9797Method2');
    const script = (template: string, id: string, command: Buffer) =>
      tlv(template, [tlv('9F18', hex(id)), tlv('86', command)]);
    const issuerObjects = [
      tlv(
        '91',
        issuerAuthenticationData('4200000000000000', (tag) => data.get(tag), '00'),
      ),
      script('71', '00000001', Buffer.concat([header, Buffer.alloc(8)])),
      script('72', '00000002', Buffer.concat([header, mac])),
    ];
    const outcome = { kind: 'approved', responseCode: '00', issuerObjects } as const;
    const end = await completeContact(open, decision().parameters, outcome, false);
    expect(end.decision).toBe('approved');
    expect(toHex(end.scriptResults)).toBe('11000000012000000002');
    expect(bitNames(data.tvr, TVR)).toContain('Script processing failed before final GENERATE AC');
    expect(slot.read()?.applicationBlocked).toBe(true);
    await expect(openContact(chip('visa-credit-online', slot), startInputs())).rejects.toMatchObject({
      code: 'application-blocked',
    });
  });
});

describe('offline', () => {
  test('below the floor limit the offline card gives a TC after its PIN', async () => {
    const card = chip('maestro-offline-approved');
    const { first, data, text } = await toFirst(
      card,
      decision({ risk: HIGH_FLOOR, cardholder: entering('1111', '7531') }),
    );
    expect(first).toEqual({ cryptogram: 'TC', verification: { signature: false, pin: 'verified-offline' } });
    expect(text('8A')).toBe('Y1');
    expect(cvmResultsNames(data.require('9F34'))).toContain('Result: successful');
    expect(cryptogramIsTrue('6799851000000032', (tag) => data.get(tag))).toBe(true);
  });

  test.each([
    ['visa-credit-online', 'approved', 'Y3'],
    ['mastercard-declined', 'declined', 'Z3'],
    ['mastercard-debit-pin', 'declined', 'Z3'],
  ])('unable to go online: %s is %s (%s)', async (name, expected, code) => {
    const { open, first, text } = await toFirst(chip(name), decision({ cardholder: entering() }));
    expect(first.cryptogram).toBe('ARQC');
    const end = await completeContact(open, decision().parameters, { kind: 'unable-to-go-online' }, false);
    expect(end.decision).toBe(expected);
    expect(text('8A')).toBe(code);
  });

  test('a host that forbids offline approval gets neither TC nor Y3', async () => {
    const card = chip('maestro-offline-approved');
    const inputs = decision({ risk: HIGH_FLOOR, forceOnline: true, cardholder: entering('7531') });
    const { open, first, text } = await toFirst(card, inputs);
    expect(first.cryptogram).toBe('ARQC');
    await completeContact(open, decision().parameters, { kind: 'unable-to-go-online' }, true);
    expect(text('8A')).toBe('Z3');
  });

  test.each(['visa-offline-declined', 'visa-expired'])(
    '%s declines in the first cryptogram (Z1)',
    async (name) => {
      const { first, text } = await toFirst(chip(name), decision());
      expect(first.cryptogram).toBe('AAC');
      expect(text('8A')).toBe('Z1');
    },
  );
});

describe('cardholder verification', () => {
  const maestro = (cardholder: DecisionInputs['cardholder']) =>
    toFirst(chip('maestro-offline-approved'), decision({ risk: HIGH_FLOOR, cardholder }));

  test('a bypassed PIN falls to the next method and sets its TVR bit', async () => {
    const { data, first } = await maestro({
      askOfflinePin: async () => 'bypass',
      askOnlinePin: async () => 'bypass',
    });
    expect(bitNames(data.tvr, TVR)).toContain('PIN entry required, PIN pad present, but PIN was not entered');
    expect(first.verification.signature).toBe(true);
  });

  test('three wrong PINs end the entry; the TVR has the limit as reached', async () => {
    const { data, first } = await maestro(entering('0000', '0001', '0002'));
    expect(bitNames(data.tvr, TVR)).toContain('PIN try limit exceeded');
    expect(first.verification.pin).toBe('captured-online');
  });
});

describe('cards that cannot go on', () => {
  test.each([
    ['visa-blocked', 'application-blocked'],
    ['chip-broken-fallback', 'card-mute'],
  ])('%s: %s', async (name, failure) => {
    await expect(openContact(chip(name), startInputs())).rejects.toMatchObject({ code: failure });
  });

  test('a blocked card and an unknown application', async () => {
    const blocked = memorySlot<CardState>({
      atc: 1,
      lastOnlineAtc: 0,
      pinTryCounter: 3,
      applicationBlocked: false,
      cardBlocked: true,
    });
    await expect(openContact(chip('visa-credit-online', blocked), startInputs())).rejects.toMatchObject({
      code: 'card-blocked',
    });
    const inputs = { ...startInputs(), aids: ['A000000025'] };
    await expect(openContact(chip('visa-credit-online'), inputs)).rejects.toMatchObject({
      code: 'no-application',
    });
  });

  test('without a directory each AID is tried', async () => {
    const card = chip('visa-credit-online');
    const withoutDirectory: Card = {
      reset: () => card.reset(),
      transmit: (command) =>
        Buffer.from(command).includes('1PAY') ? Promise.resolve(hex('6A82')) : card.transmit(command),
    };
    expect((await openContact(withoutDirectory, startInputs())).application.name).toBe('A0000000031010');
  });

  test('a card pulled out fails in another way than a card that misbehaves', async () => {
    const card = chip('visa-credit-online');
    let left = 4;
    const pulled: Card = {
      reset: () => card.reset(),
      async transmit(command) {
        left -= 1;
        if (left < 0) throw new CardCommunicationError('no card');
        return card.transmit(command);
      },
    };
    await expect(openContact(pulled, startInputs())).rejects.toBeInstanceOf(CardCommunicationError);
  });
});

test('dates: the TVR knows an application that is not yet effective and one that has expired', async () => {
  const early = await toFirst(chip('visa-credit-online'), decision(), startInputs('231231'));
  expect(bitNames(early.data.tvr, TVR)).toContain('Application not yet effective');
  const late = await toFirst(chip('visa-credit-online'), decision(), startInputs('320101'));
  expect(bitNames(late.data.tvr, TVR)).toContain('Expired application');
});

test('random selection sends a transaction below the floor limit online', async () => {
  const risk = { ...HIGH_FLOOR, targetPercent: 99, maxTargetPercent: 99 };
  const { first, data } = await toFirst(
    chip('maestro-offline-approved'),
    decision({ risk, cardholder: entering('7531') }),
  );
  expect(first.cryptogram).toBe('ARQC');
  expect(bitNames(data.tvr, TVR)).toContain('Transaction selected randomly for online processing');
});

describe('tap', () => {
  const tapCard = (name: string) => {
    const card = new CardBox(() => memorySlot()).take(name)?.card.contactless;
    if (!card) throw new Error('no contactless face');
    return card;
  };

  test.each([
    ['visa-contactless', '4200000000000018', 1234, 'none'],
    ['visa-contactless', '4200000000000018', 5000, 'online-pin'],
    ['mastercard-contactless', '5200000000001021', 1234, 'none'],
    ['mastercard-contactless', '5200000000001021', 5000, 'online-pin'],
  ])('%s %s, amount %i: a true ARQC, verification %s', async (name, pan, amountMinor, verification) => {
    const inputs = startInputs('261120', amountMinor);
    const tap = await readTap(tapCard(name), inputs, () => ({ cvmLimitMinor: 5000 }));
    expect(tap.cryptogram).toBe('ARQC');
    expect(tap.verification).toBe(verification);
    expect(cryptogramIsTrue(pan, (tag) => tap.data.get(tag))).toBe(true);
  });
});
