import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { arpcMethod1, arpcMethod2, verifyArqc } from '@tillbridge/wire/crypto/emv/cryptogram.js';
import {
  atcDiversifier,
  commonSessionKey,
  deriveIccMasterKey,
  visaSessionKey,
} from '@tillbridge/wire/crypto/emv/emv-keys.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { encodePinBlock } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { decisionCsu } from '@tillbridge/wire/emv/bit-fields.js';
import { buildDol } from '@tillbridge/wire/emv/dol.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import { describe, expect, test } from 'vitest';
import { memorySlot, StateError, type StateSlot } from '../../state/state-slot.js';
import { CardBox } from '../card-box.js';
import { cardCatalogue } from '../catalogue.js';
import { decodeResponse, encodeCommand, INS, SW } from '../core/apdu.js';
import type { Card } from '../core/card.js';
import type { CardState } from '../core/card-state.js';

const VISA = 'A0000000031010';
const MASTERCARD = 'A0000000041010';
const MAESTRO = 'A0000000043060';

/** What the terminal of these tests knows. */
const TERMINAL: Readonly<Record<string, string>> = {
  '9F02': '000000001234',
  '9F03': '000000000000',
  '9F1A': '0276',
  '95': '8000008000',
  '5F2A': '0978',
  '9A': '261120',
  '9C': '00',
  '9F37': '52BF4585',
  '9F66': '36000000',
};

function contactOf(name: string, slot: StateSlot<CardState> = memorySlot()): Card {
  const card = new CardBox(() => slot).take(name)?.card.contact;
  if (!card) throw new Error(`${name} has no chip`);
  return card;
}

async function send(
  card: Card,
  cla: number,
  ins: number,
  p1 = 0,
  p2 = 0,
  data: Uint8Array = Buffer.alloc(0),
) {
  return decodeResponse(await card.transmit(encodeCommand({ cla, ins, p1, p2, data })));
}

const select = (card: Card, name: string) => send(card, 0x00, INS.select, 0x04, 0, fromHex(name));

async function initiate(card: Card, aid: string) {
  await card.reset();
  const fci = await select(card, aid);
  const pdol = findTlv(decodeTlv(fci.data), '9F38') ?? Buffer.alloc(0);
  const values = fill(pdol);
  return send(
    card,
    0x80,
    INS.getProcessingOptions,
    0,
    0,
    Buffer.concat([Buffer.from([0x83, values.length]), values]),
  );
}

function fill(dol: Uint8Array, extra: Readonly<Record<string, string>> = {}): Buffer {
  return buildDol(dol, (tag) => {
    const value = extra[tag] ?? TERMINAL[tag];
    return value === undefined ? undefined : fromHex(value);
  });
}

async function readLists(card: Card) {
  const { data } = await send(card, 0x00, INS.readRecord, 2, (2 << 3) | 4);
  const nodes = decodeTlv(data);
  const list = (tag: string) => findTlv(nodes, tag) ?? Buffer.alloc(0);
  return { cdol1: list('8C'), cdol2: list('8D') };
}

const TC = 0x40;
const ARQC = 0x80;

async function generateAc(
  card: Card,
  p1: number,
  dol: Uint8Array,
  extra: Readonly<Record<string, string>> = {},
) {
  const answer = await send(card, 0x80, INS.generateAc, p1, 0, fill(dol, extra));
  expect(answer.sw).toBe(SW.ok);
  return readCryptogram(answer.data);
}

/** Both answer formats of GENERATE AC (EMV Book 3 §6.5.5.4). */
function readCryptogram(data: Uint8Array) {
  const nodes = decodeTlv(data);
  const flat = findTlv(nodes, '80');
  if (flat)
    return { cid: flat[0], atc: flat.subarray(1, 3), ac: flat.subarray(3, 11), iad: flat.subarray(11) };
  const value = (tag: string) => findTlv(nodes, tag) ?? Buffer.alloc(0);
  return { cid: value('9F27')[0], atc: value('9F36'), ac: value('9F26'), iad: value('9F10') };
}

function sessionKey(pan: string, atc: Uint8Array) {
  return commonSessionKey(
    deriveIccMasterKey(developmentKey('imkAc'), pan, '01', 'optionA'),
    atcDiversifier(atc),
  );
}

/** The issuer's view of what the cryptogram covers. */
function coveredData(aip: string, atc: Uint8Array, covered: Uint8Array) {
  const tags = ['9F02', '9F03', '9F1A', '95', '5F2A', '9A', '9C', '9F37'];
  return Buffer.concat([fromHex(tags.map((tag) => TERMINAL[tag]).join('') + aip), atc, covered]);
}

describe('selection', () => {
  test('by full name, by the beginning of a name and through the directory', async () => {
    const card = contactOf('visa-credit-online');
    await card.reset();
    for (const name of [VISA, VISA.slice(0, 10)]) {
      const answer = await select(card, name);
      expect(answer.sw).toBe(SW.ok);
      expect(toHex(findTlv(decodeTlv(answer.data), '84') ?? Buffer.alloc(0))).toBe(VISA);
    }
    expect((await select(card, MASTERCARD)).sw).toBe(SW.fileNotFound);
    expect((await select(card, Buffer.from('1PAY.SYS.DDF01').toString('hex'))).sw).toBe(SW.ok);
    const entry = await send(card, 0x00, INS.readRecord, 1, (1 << 3) | 4);
    expect(toHex(findTlv(decodeTlv(entry.data), '4F') ?? Buffer.alloc(0))).toBe(VISA);
    expect((await send(card, 0x00, INS.readRecord, 2, (1 << 3) | 4)).sw).toBe(SW.recordNotFound);
  });

  test('a blocked application warns and refuses to begin', async () => {
    const card = contactOf('visa-blocked');
    await card.reset();
    expect((await select(card, VISA)).sw).toBe(SW.selectedFileInvalidated);
    expect((await initiate(card, VISA)).sw).toBe(SW.conditionsNotSatisfied);
  });

  test('commands out of turn, unknown and malformed ones are refused', async () => {
    const card = contactOf('visa-credit-online');
    await card.reset();
    expect((await send(card, 0x80, INS.generateAc, ARQC)).sw).toBe(SW.conditionsNotSatisfied);
    expect((await send(card, 0x00, INS.readRecord, 1, 0x0c)).sw).toBe(SW.conditionsNotSatisfied);
    expect((await send(card, 0x00, 0xff)).sw).toBe(SW.instructionNotSupported);
    expect((await send(card, 0x90, INS.select)).sw).toBe(SW.classNotSupported);
    expect(decodeResponse(await card.transmit(fromHex('00A40400FF00'))).sw).toBe(SW.wrongLength);
  });
});

describe('Visa CVN 18', () => {
  async function toArqc(card: Card) {
    expect((await initiate(card, VISA)).sw).toBe(SW.ok);
    const lists = await readLists(card);
    return { lists, first: await generateAc(card, ARQC, lists.cdol1) };
  }

  test('the issuer verifies the ARQC, the card the ARPC; the transaction ends in TC', async () => {
    const card = contactOf('visa-credit-online');
    const { lists, first } = await toArqc(card);
    const key = sessionKey('4200000000000000', first.atc);
    expect(first.cid).toBe(ARQC);
    expect(verifyArqc(key, coveredData('1C00', first.atc, first.iad), 'iso9797Method2', first.ac)).toBe(true);

    const csu = decisionCsu(true);
    const answer = Buffer.concat([arpcMethod2(key, first.ac, csu), csu]);
    expect((await send(card, 0x00, INS.externalAuthenticate, 0, 0, answer)).sw).toBe(SW.ok);
    const second = await generateAc(card, TC, lists.cdol2, { '8A': '3030' });
    expect(second.cid).toBe(TC);
    expect(verifyArqc(key, coveredData('1C00', second.atc, second.iad), 'iso9797Method2', second.ac)).toBe(
      true,
    );
  });

  test.each([
    ['wrong', true],
    ['of a declining issuer', false],
  ])('an ARPC that is %s ends in AAC', async (_, wrong) => {
    const card = contactOf('visa-bad-arpc');
    const { lists, first } = await toArqc(card);
    const key = sessionKey('4200000000000067', first.atc);
    const csu = decisionCsu(wrong);
    const answer = Buffer.concat([arpcMethod2(key, first.ac, csu), csu]);
    if (wrong) answer[0] = (answer[0] ?? 0) ^ 1;
    const { sw } = await send(card, 0x00, INS.externalAuthenticate, 0, 0, answer);
    expect(sw).toBe(wrong ? SW.authenticationFailed : SW.ok);
    expect((await send(card, 0x00, INS.externalAuthenticate, 0, 0, answer)).sw).toBe(
      SW.conditionsNotSatisfied,
    );
    expect((await generateAc(card, TC, lists.cdol2, { '8A': '3030' })).cid).toBe(0x00);
  });

  test('an approval without any ARPC ends in AAC; unable to go online in TC', async () => {
    const card = contactOf('visa-credit-online');
    const online = await toArqc(card);
    expect((await generateAc(card, TC, online.lists.cdol2, { '8A': '3030' })).cid).toBe(0x00);
    const offline = await toArqc(card);
    expect((await generateAc(card, TC, offline.lists.cdol2, { '8A': '5933' })).cid).toBe(TC);
  });

  test('an issuer command needs its MAC; a right one unblocks what another blocked', async () => {
    const slot = memorySlot<CardState>();
    const card = contactOf('visa-credit-online', slot);
    const { first } = await toArqc(card);
    const smi = deriveIccMasterKey(developmentKey('imkSmi'), '4200000000000000', '01', 'optionA');
    const mac = (ins: number) =>
      retailMac(
        visaSessionKey(smi, first.atc),
        Buffer.concat([Buffer.from([0x84, ins, 0, 0, 8]), first.atc, first.ac]),
        'iso9797Method2',
      );
    expect((await send(card, 0x84, INS.applicationBlock, 0, 0, Buffer.alloc(8))).sw).toBe(
      SW.secureMessagingIncorrect,
    );
    expect(slot.read()?.applicationBlocked).toBe(false);
    expect((await send(card, 0x84, INS.applicationBlock, 0, 0, mac(INS.applicationBlock))).sw).toBe(SW.ok);
    expect(slot.read()?.applicationBlocked).toBe(true);
    expect((await send(card, 0x84, INS.applicationUnblock, 0, 0, mac(INS.applicationUnblock))).sw).toBe(
      SW.ok,
    );
    expect(slot.read()?.applicationBlocked).toBe(false);
  });
});

test('M/Chip CVN 20: the ARQC verifies, tag 91 in the second list is checked by method 1', async () => {
  for (const [arcInside, arcOutside, outcome] of [
    ['3030', '3030', TC],
    ['3531', '3030', 0x00],
  ] as const) {
    const card = contactOf('mastercard-debit-pin');
    expect((await initiate(card, MASTERCARD)).sw).toBe(SW.ok);
    const { cdol1, cdol2 } = await readLists(card);
    const first = await generateAc(card, ARQC, cdol1);
    const key = sessionKey('5454545454545454', first.atc);
    const covered = coveredData('1800', first.atc, first.iad.subarray(2, 8));
    expect(verifyArqc(key, covered, 'iso9797Method2', first.ac)).toBe(true);
    const answer = toHex(arpcMethod1(key, first.ac, fromHex(arcInside))) + arcInside;
    const second = await generateAc(card, TC, cdol2, { '91': answer, '8A': arcOutside });
    expect(second.cid).toBe(outcome);
  }
});

test('one card in two terminals at once runs two transactions, each under its own ATC', async () => {
  const box = new CardBox(() => memorySlot());
  const chips = ['first', 'second'].map(() => box.take('mastercard-debit-pin')?.card.contact);
  const atcs: string[] = [];
  for (const chip of chips) expect(chip && (await initiate(chip, MASTERCARD)).sw).toBe(SW.ok);
  for (const chip of chips) {
    if (!chip) throw new Error('no chip');
    const { cdol1, cdol2 } = await readLists(chip);
    const first = await generateAc(chip, ARQC, cdol1);
    const key = sessionKey('5454545454545454', first.atc);
    const covered = coveredData('1800', first.atc, first.iad.subarray(2, 8));
    expect(verifyArqc(key, covered, 'iso9797Method2', first.ac)).toBe(true);
    const answer = `${toHex(arpcMethod1(key, first.ac, fromHex('3030')))}3030`;
    expect((await generateAc(chip, TC, cdol2, { '91': answer, '8A': '3030' })).cid).toBe(TC);
    atcs.push(toHex(first.atc));
  }
  expect(new Set(atcs).size).toBe(2);
});

test('a TC in the first GENERATE AC is given by an offline card alone', async () => {
  const maestro = contactOf('maestro-offline-approved');
  await initiate(maestro, MAESTRO);
  expect((await generateAc(maestro, TC, (await readLists(maestro)).cdol1)).cid).toBe(TC);
  const visa = contactOf('visa-credit-online');
  await initiate(visa, VISA);
  expect((await generateAc(visa, TC, (await readLists(visa)).cdol1)).cid).toBe(ARQC);
});

test('a tap gives its ARQC with the processing options', async () => {
  const card = new CardBox(() => memorySlot()).take('visa-contactless')?.card.contactless;
  if (!card) throw new Error('no contactless face');
  const answer = await initiate(card, VISA);
  const { cid, atc, ac, iad } = readCryptogram(answer.data);
  const key = sessionKey('4200000000000018', atc);
  expect(cid).toBe(ARQC);
  expect(verifyArqc(key, coveredData('2000', atc, iad), 'iso9797Method2', ac)).toBe(true);
});

describe('VERIFY', () => {
  const pinBlock = (pin: string) => encodePinBlock({ format: 2, pin });
  const verifyPin = (card: Card, pin: string) => send(card, 0x00, INS.verify, 0, 0x80, pinBlock(pin));

  test('counts wrong PINs down to blocked, also across a reset; a right one restores the counter', async () => {
    const slot = memorySlot<CardState>();
    const card = contactOf('maestro-offline-approved', slot);
    await initiate(card, MAESTRO);
    expect((await verifyPin(card, '0000')).sw).toBe(0x63c2);
    expect((await verifyPin(card, '7531')).sw).toBe(SW.ok);
    expect((await verifyPin(card, '0000')).sw).toBe(0x63c2);
    await initiate(card, MAESTRO);
    expect((await verifyPin(card, '0000')).sw).toBe(0x63c1);
    expect((await verifyPin(card, '0000')).sw).toBe(SW.authenticationMethodBlocked);
    expect((await verifyPin(card, '7531')).sw).toBe(SW.authenticationMethodBlocked);
    expect(slot.read()?.pinTryCounter).toBe(0);
  });
});

describe('memory', () => {
  test('the ATC is written before it is used, and goes on where a former card left it', async () => {
    const slot = memorySlot<CardState>();
    await initiate(contactOf('visa-credit-online', slot), VISA);
    const again = contactOf('visa-credit-online', slot);
    await initiate(again, VISA);
    const first = await generateAc(again, ARQC, (await readLists(again)).cdol1);
    expect(toHex(first.atc)).toBe('0002');
    expect(slot.read()?.atc).toBe(2);
  });

  test('a memory that cannot be written refuses the transaction', async () => {
    const full: StateSlot<CardState> = {
      read: () => undefined,
      write: () => {
        throw new StateError('no space left');
      },
    };
    expect((await initiate(contactOf('visa-credit-online', full), VISA)).sw).toBe(SW.memoryFailure);
  });
});

test('every card of the catalogue has its own face and name', () => {
  const names = cardCatalogue().map((card) => card.name);
  expect(new Set(names).size).toBe(names.length);
  const box = new CardBox(() => memorySlot());
  for (const name of names) {
    const card = box.take(name)?.card;
    expect([card?.contact, card?.contactless, card?.magstripe].some((face) => face !== undefined)).toBe(true);
  }
  expect(box.take('unknown')).toBeUndefined();
});
