import { CardBox } from '@tillbridge/hardware-sim/cards/card-box.js';
import { memorySlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { parseDol } from '@tillbridge/wire/emv/dol.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import { describe, expect, it } from 'vitest';
import { wrongApproval, wrongRecord } from './card-check.js';
import { CardRecorder } from './card-recorder.js';

const SELECT_VISA = '00A4040007A000000003101000';
/** Country and currency of the terminal, as the list of the card requires. */
const GET_PROCESSING_OPTIONS = '80A800000683040276097800';
const REQUESTED = { TC: 0x40, ARQC: 0x80 } as const;
/** Tag 8A of a terminal that cannot reach the issuer. */
const UNABLE_TO_GO_ONLINE = Buffer.from('Y3', 'latin1');
/** Template 80 of GENERATE AC (EMV Book 3 §6.5.5.4). */
const CRYPTOGRAM_AT = [3, 11] as const;

/** A chip of the catalogue behind a recorder; `pay` gives both cryptograms of a transaction without the issuer. */
function chip(name: string) {
  const recorder = new CardRecorder();
  const taken = new CardBox(() => memorySlot<never>()).take(name);
  const card = taken && recorder.watch(taken.card).contact;
  const lists = taken?.definition.contact;
  if (!card || !lists) throw new Error(`the catalogue has no chip ${name}`);
  const generate = async (type: number, list: string): Promise<string> => {
    const values = parseDol(fromHex(list)).map(({ tag, length }) =>
      tag === '8A' ? UNABLE_TO_GO_ONLINE : Buffer.alloc(length),
    );
    const data = Buffer.concat(values);
    const head = Buffer.from([0x80, 0xae, type, 0, data.length]);
    const answer = await card.transmit(Buffer.concat([head, data, Buffer.alloc(1)]));
    const flat = findTlv(decodeTlv(answer.subarray(0, -2)), '80');
    if (!flat) throw new Error(`no cryptogram: ${toHex(answer)}`);
    return toHex(flat.subarray(...CRYPTOGRAM_AT));
  };
  const pay = async (): Promise<readonly [string, string]> => {
    await card.reset();
    await card.transmit(fromHex(SELECT_VISA));
    await card.transmit(fromHex(GET_PROCESSING_OPTIONS));
    return [await generate(REQUESTED.ARQC, lists.cdol1), await generate(REQUESTED.TC, lists.cdol2)];
  };
  return { recorder, pay };
}

describe('cryptograms of a card', () => {
  it.each([
    ['visa-credit-online', 'TC'],
    ['visa-online-only', 'AAC'],
  ] as const)('are recorded as the card gave them: %s ends with %s', async (name, last) => {
    const { recorder, pay } = chip(name);
    const [first, second] = await pay();
    const [again] = await pay();
    const transaction = { card: name, first: 'ARQC', second: last, isTap: false };
    expect(recorder.transactionOf(first)).toEqual(transaction);
    expect(recorder.transactionOf(second)).toEqual(transaction);
    expect(recorder.transactionOf(again)).not.toBe(recorder.transactionOf(first));
    expect(recorder.transactionOf('00'.repeat(8))).toBeUndefined();
  });
});

describe('an approval', () => {
  const card = 'any';
  it.each([
    [{ card, first: 'ARQC', second: 'TC', isTap: false }, undefined],
    [{ card, first: 'ARQC', isTap: true }, undefined],
    [{ card, first: 'ARQC', second: 'AAC', isTap: false }, 'its card answered AAC'],
    [{ card, first: 'ARQC', isTap: false }, 'its card answered ARQC, and got no second request'],
    [undefined, 'no card gave its cryptogram'],
  ] as const)('of the issuer after %j: %s', (transaction, wrong) => {
    expect(wrongApproval(transaction)).toBe(wrong);
  });

  it.each([
    [false, { card, first: 'TC', isTap: false }, undefined],
    [false, { card, first: 'ARQC', second: 'AAC', isTap: false }, 'its card answered AAC, not TC'],
    [true, { card, first: 'ARQC', second: 'AAC', isTap: false }, undefined],
    [true, { card, first: 'TC', isTap: false }, 'its card answered TC, not ARQC'],
  ] as const)('without the issuer, deferred %s, after %j: %s', (isDeferred, transaction, wrong) => {
    expect(wrongRecord(isDeferred, transaction)).toBe(wrong);
  });
});
