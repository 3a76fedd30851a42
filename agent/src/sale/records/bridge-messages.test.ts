import { decodeEnvelope, encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { describe, expect, it } from 'vitest';
import type { StreamFact } from '../machine/state/facts.js';
import { ARQC, AT, chipCard, iccData, REQUEST, stateOf, TC } from '../sale.test.support.js';
import {
  authorizationRequest,
  statusRequest,
  streamEnvelope,
  transactionSequenceNumber,
} from './bridge-messages.js';

const PROFILE = { id: '77', deviceType: 'GERTEC_PPC930', deviceId: '123456', pinEntryAvailable: true };
const AMOUNT = { minor: 1_234, currency: 'EUR' };
const STATE = stateOf(REQUEST);
const SRED = chipCard().sred;
const overTheWire = (envelope: Parameters<typeof encodeEnvelope>[0]) =>
  decodeEnvelope(encodeEnvelope(envelope));

describe('bridge messages', () => {
  it('request an authorization with card data and PIN, outside the streams', () => {
    const pin = { data: Buffer.alloc(8, 1), ksn: Buffer.alloc(10, 2) };
    const chip = chipCard(ARQC, { pin });
    const card = { ...chip, facts: { ...chip.facts, expiry: '3112' } };
    const read = overTheWire(authorizationRequest(STATE, 'm-1', PROFILE, card, AT));
    expect(read).toMatchObject({
      id: 'm-1',
      terminalId: '77',
      sequence: 0,
      kind: 'authorizationRequest',
      body: {
        reference: 'R1',
        type: 1,
        amount: AMOUNT,
        journaledAtMs: AT,
        partialAllowed: false,
        pos: {
          terminalId: '77',
          deviceId: '123456',
          entryMode: 'ICC',
          transactionSequenceNumber: 1,
          expiry: '3112',
        },
      },
    });
    expect(read.kind === 'authorizationRequest' && Buffer.from(read.body.pos?.pin?.data ?? [])).toEqual(
      pin.data,
    );
  });

  it('refund an earlier sale by its message, without a card', () => {
    const refund = stateOf({ ...REQUEST, type: 'refund', originalReference: 'R0', originalMessageId: 'm-0' });
    const read = overTheWire(authorizationRequest(refund, 'm-1', PROFILE, undefined, AT));
    expect(read.body).toMatchObject({ type: 2, originalMessageId: 'm-0' });
    expect(read.body).not.toHaveProperty('pos');
  });

  it('ask for a status', () => {
    expect(overTheWire(statusRequest('q-1', 'm-1'))).toMatchObject({
      kind: 'statusRequest',
      sequence: 0,
      body: { messageId: 'm-1' },
    });
  });

  it('cancel if unseen what was manually resolved in a separate message: a gateway that does not know it cannot take it for a reversal', () => {
    const fact: StreamFact = {
      kind: 'cancel-if-unseen',
      messageId: 'k-1',
      originalMessageId: 'o-1',
      amount: AMOUNT,
    };
    expect(overTheWire(streamEnvelope(STATE, fact, { sequence: 6, ageMs: 7.9 }, PROFILE, undefined))).toEqual(
      {
        id: 'k-1',
        terminalId: '77',
        sequence: 6,
        kind: 'cancelIfUnseen',
        body: { originalMessageId: 'o-1', reference: 'R1' },
      },
    );
  });

  it('carry an offline record with the final cryptogram and SRED, never a PIN', () => {
    const fact: StreamFact = {
      kind: 'offline-record',
      messageId: 'o-1',
      approval: 'card-approved',
      card: chipCard().facts,
      decidedAtMs: AT,
      amount: AMOUNT,
    };
    const sensitive = { messageId: 'o-1', iccData: iccData(TC), ...(SRED && { sred: SRED }) };
    const read = overTheWire(streamEnvelope(STATE, fact, { sequence: 5, ageMs: 7.9 }, PROFILE, sensitive));
    expect(read).toMatchObject({
      id: 'o-1',
      terminalId: '77',
      sequence: 5,
      kind: 'offlineRecord',
      body: { kind: 1, amount: AMOUNT, decidedAtMs: AT, ageMs: 7 },
    });
    const pos = read.kind === 'offlineRecord' ? read.body.pos : undefined;
    expect(Buffer.from(pos?.iccData ?? [])).toEqual(Buffer.from(iccData(TC)));
    expect(Buffer.from(pos?.sred?.data ?? [])).toEqual(Buffer.from(SRED?.data ?? []));
    expect(pos).not.toHaveProperty('pin');
  });

  it('carry reversals and captures of the message they are about', () => {
    const why = { reason: 'declined-by-card', otherwise: 'declined' } as const;
    const reversal: StreamFact = {
      kind: 'reversal',
      messageId: 'r-1',
      originalMessageId: 'm-1',
      amount: AMOUNT,
      ...why,
    };
    expect(
      overTheWire(
        streamEnvelope(STATE, reversal, { sequence: 1, ageMs: 7.9 }, PROFILE, {
          messageId: 'r-1',
          iccData: iccData(0),
        }),
      ),
    ).toMatchObject({
      kind: 'reversal',
      sequence: 1,
      body: { originalMessageId: 'm-1', reference: 'R1', amount: AMOUNT, reason: 'declined-by-card' },
    });
    const capture: StreamFact = {
      kind: 'capture',
      messageId: 'c-1',
      originalMessageId: 'm-1',
      amount: { minor: 1_000, currency: 'EUR' },
    };
    expect(
      overTheWire(streamEnvelope(STATE, capture, { sequence: 2, ageMs: 7.9 }, PROFILE, undefined)),
    ).toMatchObject({
      kind: 'capture',
      body: { originalMessageId: 'm-1', amount: { minor: 1_000, currency: 'EUR' }, final: true },
    });
  });

  it('number transactions within eight digits for ever', () => {
    const numbered = (acceptedRow: number) => transactionSequenceNumber({ ...STATE, acceptedRow });
    expect([1, 99_999_999, 100_000_000].map(numbered)).toEqual([1, 99_999_999, 1]);
  });
});
