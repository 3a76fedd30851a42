import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { loadCapkTable } from '@tillbridge/wire/crypto/emv/capk.js';
import { DEVELOPMENT_CAPKS, TEST_CAPKS } from '@tillbridge/wire/crypto/emv/test-capks.js';
import { TSI, TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { bitNames } from '@tillbridge/wire/emv/bits.js';
import { encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { describe, expect, test } from 'vitest';
import { CardBox } from '../cards/card-box.js';
import { decodeCommand, decodeResponse, encodeResponse, INS } from '../cards/core/apdu.js';
import type { Card } from '../cards/core/card.js';
import { memorySlot } from '../state/state-slot.js';
import { readObjects } from './card-reader.js';
import { decideContact, openContact } from './contact-transaction.js';
import { cryptogramIsTrue } from './issuer.test.support.js';
import type { OfflineAuthenticationInputs } from './offline-authentication.js';
import type { ApplicationParameters } from './terminal-parameters.js';

const AUTHORITIES: OfflineAuthenticationInputs = {
  authorities: loadCapkTable([...TEST_CAPKS, ...DEVELOPMENT_CAPKS]),
  isRevoked: () => false,
  defaultDdol: fromHex('9F3704'),
};
const FAILURES = ['SDA failed', 'DDA failed', 'CDA failed', 'ICC data missing'];
const PERFORMED = 'Offline data authentication was performed';
const NOT_PERFORMED = 'Offline data authentication was not performed';

function parametersOf(aid: string, capabilities: string): ApplicationParameters {
  return {
    aid,
    objects: new Map(
      Object.entries({
        '9F1A': '0276',
        '5F2A': '0978',
        '9F33': capabilities,
        '9F35': '22',
        '9F40': '6000F0A001',
      }).map(([tag, hex]) => [tag, fromHex(hex)]),
    ),
    versions: ['0096', '0002'],
    actionCodes: {
      denial: fromHex('0010000000'),
      online: fromHex('7C70BCF800'),
      default: fromHex('7C70BC0800'),
    },
  };
}

interface Setting {
  readonly authentication?: OfflineAuthenticationInputs | undefined;
  readonly capabilities?: string;
  readonly date?: string;
  /** Changes an answer of the card on its way. */
  readonly tamper?: (ins: number, objects: readonly TlvNode[]) => readonly TlvNode[];
  readonly forceOnline?: boolean;
}

function cardOf(name: string, tamper: Setting['tamper']): Card {
  const card = new CardBox(() => memorySlot()).take(name)?.card.contact;
  if (!card) throw new Error(`${name} has no chip`);
  if (tamper === undefined) return card;
  return {
    reset: () => card.reset(),
    async transmit(command) {
      const { data, sw } = decodeResponse(await card.transmit(command));
      const { ins } = decodeCommand(command);
      return encodeResponse({ sw, data: encodeTlv(tamper(ins, readObjects(data, 'an answer'))) });
    },
  };
}

/** Reads a card and decides; what came of it. */
async function run(name: string, setting: Setting = {}) {
  const { capabilities = 'E0F8C8', date = '261120', tamper, forceOnline = false } = setting;
  const authentication = 'authentication' in setting ? setting.authentication : AUTHORITIES;
  const random = { bytes: (length: number) => new Uint8Array(length).fill(98) };
  const open = await openContact(cardOf(name, tamper), {
    transaction: {
      amountMinor: 1234,
      cashbackMinor: 0,
      date,
      time: '120000',
      transactionType: 0,
      sequenceNumber: 7,
    },
    aids: ['A000000003', 'A0000000041010'],
    parametersOf: (aid) => parametersOf(aid, capabilities),
    overrides: [],
    random,
  });
  const { cryptogram } = await decideContact(open, {
    parameters: parametersOf('', capabilities),
    risk: undefined,
    cardholder: {
      askOfflinePin: () => Promise.reject(new Error('no PIN expected')),
      askOnlinePin: () => Promise.reject(new Error('no PIN expected')),
    },
    onExceptionList: false,
    forceOnline,
    random,
    ...(authentication && { offlineAuthentication: authentication }),
  });
  const { data } = open;
  return {
    cryptogram,
    tsi: bitNames(data.require('9B'), TSI),
    failures: bitNames(data.tvr, TVR).filter((bit) => FAILURES.includes(bit)),
    tvr: bitNames(data.tvr, TVR),
    responseCode: Buffer.from(data.get('8A') ?? []).toString('latin1'),
    data,
  };
}

/** Changes the last byte of an object wherever it comes. */
function flip(tag: string): NonNullable<Setting['tamper']> {
  const change = (nodes: readonly TlvNode[]): TlvNode[] =>
    nodes.map((node) => {
      if ('children' in node) return tlv(node.tag, change(node.children));
      if (node.tag !== tag) return node;
      const value = Buffer.from(node.value);
      value[value.length - 1] = (value[value.length - 1] ?? 0) ^ 1;
      return tlv(tag, value);
    });
  return (_ins, nodes) => change(nodes);
}

function drop(tag: string): NonNullable<Setting['tamper']> {
  const without = (nodes: readonly TlvNode[]): TlvNode[] =>
    nodes.flatMap((node) => {
      if ('children' in node) return [tlv(node.tag, without(node.children))];
      return node.tag === tag ? [] : [node];
    });
  return (_ins, nodes) => without(nodes);
}

const CARDS = [
  ['visa-sda', 'SDA failed', '4200000000000208'],
  ['visa-dda', 'DDA failed', '4200000000000307'],
  ['mastercard-cda', 'CDA failed', '5200000000002003'],
] as const;

describe('offline data authentication', () => {
  test.each(CARDS)('%s is genuine and approves below the floor limit', async (name, _failure, pan) => {
    const { cryptogram, failures, tsi, tvr, data } = await run(name);
    expect({ cryptogram, failures }).toEqual({ cryptogram: 'TC', failures: [] });
    expect(tsi).toContain(PERFORMED);
    expect(tvr).not.toContain(NOT_PERFORMED);
    expect(cryptogramIsTrue(pan, (tag) => data.get(tag))).toBe(true);
  });

  test('gives what the card proved to the terminal: DAC or dynamic number', async () => {
    const [sda, dda, again, cda] = await Promise.all(
      ['visa-sda', 'visa-dda', 'visa-dda', 'mastercard-cda'].map((name) => run(name)),
    );
    expect(toHex(sda?.data.require('9F45') ?? Buffer.alloc(0))).toBe('DAC0');
    expect(dda?.data.require('9F4C')).toHaveLength(8);
    expect(again?.data.require('9F4C')).toHaveLength(8);
    expect(cda?.data.require('9F4C')).toHaveLength(8);
  });

  test.each(CARDS)('%s without authorities in the terminal: not performed', async (name) => {
    const { tvr, tsi, failures } = await run(name, { authentication: undefined });
    expect(tvr).toContain(NOT_PERFORMED);
    expect(tsi).not.toContain(PERFORMED);
    expect(failures).toEqual([]);
  });

  test('of a card with changed data fails, and the transaction goes online', async () => {
    const { cryptogram, failures, data } = await run('visa-dda-forged');
    expect({ cryptogram, failures }).toEqual({ cryptogram: 'ARQC', failures: ['DDA failed'] });
    expect(cryptogramIsTrue('4200000000000406', (tag) => data.get(tag))).toBe(true);
  });

  const broken: readonly (readonly [string, Setting])[] = [
    ['an unknown authority', { authentication: { ...AUTHORITIES, authorities: loadCapkTable(TEST_CAPKS) } }],
    ['a certificate that was called back', { authentication: { ...AUTHORITIES, isRevoked: () => true } }],
    ['certificates that have expired', { date: '360101' }],
    ['another index', { tamper: flip('8F') }],
    ['another certificate', { tamper: flip('90') }],
    ['another exponent', { tamper: flip('9F32') }],
    ['another expiry date', { tamper: flip('5F24') }],
  ];
  test.each(broken)('fails with %s, for any method', async (_what, setting) => {
    for (const [name, failure] of CARDS) {
      const { failures, cryptogram } = await run(name, setting);
      expect(failures).toEqual([failure]);
      expect(cryptogram).not.toBe('TC');
    }
  });

  test.each([
    ['visa-sda', '93'],
    ['visa-dda', '9F46'],
    ['mastercard-cda', '9F46'],
    ['visa-dda', '90'],
    ['visa-sda', '8F'],
    ['mastercard-cda', '9F32'],
  ] as const)('%s without tag %s: data are missing', async (name, tag) => {
    const { failures } = await run(name, { tamper: drop(tag) });
    expect(failures).toContain('ICC data missing');
    expect(failures).toHaveLength(2);
  });

  test.each([
    ['visa-sda', '93'],
    ['visa-dda', '9F46'],
    ['visa-dda', '80'],
    ['mastercard-cda', '9F46'],
  ] as const)('%s with another tag %s fails', async (name, tag) => {
    const signatures = (ins: number, nodes: readonly TlvNode[]) =>
      tag === '80' && ins !== INS.internalAuthenticate ? nodes : flip(tag)(ins, nodes);
    const { failures } = await run(name, { tamper: signatures });
    expect(failures).toHaveLength(1);
  });

  test('uses the strongest method that card and terminal share', async () => {
    const noCda = await run('mastercard-cda', { capabilities: 'E0F8C0' });
    expect(noCda).toMatchObject({ cryptogram: 'TC', failures: [] });
    expect(noCda.data.cdaKey).toBeUndefined();
    expect(noCda.data.require('9F4C')).toHaveLength(8);
    const none = await run('mastercard-cda', { capabilities: 'E0F800' });
    expect(none.tvr).toContain(NOT_PERFORMED);
  });
});

describe('a signed cryptogram', () => {
  const inCryptogram =
    (change: NonNullable<Setting['tamper']>): NonNullable<Setting['tamper']> =>
    (ins, nodes) =>
      ins === INS.generateAc ? change(ins, nodes) : nodes;

  test('is checked when the card goes online too', async () => {
    const { cryptogram, failures, data } = await run('mastercard-cda', { forceOnline: true });
    expect({ cryptogram, failures }).toEqual({ cryptogram: 'ARQC', failures: [] });
    expect(cryptogramIsTrue('5200000000002003', (tag) => data.get(tag))).toBe(true);
  });

  test.each([
    ['with another signature', flip('9F4B')],
    ['without one', drop('9F4B')],
    ['with other issuer data', flip('9F10')],
    ['with another counter', flip('9F36')],
  ])('%s counts for nothing: TC or ARQC, the transaction is declined', async (_what, change) => {
    for (const forceOnline of [false, true]) {
      const cryptograms: number[] = [];
      const tamper: NonNullable<Setting['tamper']> = (ins, nodes) => {
        if (ins === INS.generateAc) cryptograms.push(ins);
        return cryptograms.length > 1 ? nodes : inCryptogram(change)(ins, nodes);
      };
      const { cryptogram, failures, responseCode } = await run('mastercard-cda', { forceOnline, tamper });
      expect({ cryptogram, failures, responseCode }).toEqual({
        cryptogram: 'AAC',
        failures: ['CDA failed'],
        responseCode: 'Z1',
      });
      // A card that waits for the issuer gets a second GENERATE AC to end; one that has approved has ended.
      expect(cryptograms).toHaveLength(forceOnline ? 2 : 1);
    }
  });

  test('must match the answer in clear', async () => {
    // The card approved, the line makes a refusal of it: an AAC needs no signature and approves nothing.
    const lowered = (ins: number, nodes: readonly TlvNode[]) => {
      const cid = findTlv(nodes, '9F27');
      if (ins === INS.generateAc && cid) Buffer.from(cid.buffer, cid.byteOffset, 1).fill(0x00);
      return nodes;
    };
    expect((await run('mastercard-cda', { tamper: lowered })).cryptogram).toBe('AAC');
  });
});
