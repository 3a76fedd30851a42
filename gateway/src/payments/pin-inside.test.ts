import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleIccData, track2Of } from '../security/card-example.test.support.js';
import {
  chipAccountObjects,
  exampleTransactionObject,
  pinInside,
} from '../security/transaction-object-example.test.support.js';
import { type DeskWorld, openDeskWorld, storeOf, tillSale, VISA } from './desk-world.test.support.js';

let world: DeskWorld;
beforeEach(async () => {
  world = await openDeskWorld(storeOf('memory'));
});
afterEach(() => world.dispose());

const track2 = track2Of(VISA, '1234');

function sale(id: string, atc: string, pin: string | undefined) {
  const hidden = [...chipAccountObjects(track2), ...(pin === undefined ? [] : [pinInside(VISA, pin)])];
  const pos = {
    terminalId: '1',
    entryMode: 'ICC',
    deviceType: 'MAGTEK_DYNAFLEX',
    panSequenceNumber: '01',
    iccData: exampleIccData({ scheme: 'visa', pan: VISA, atc }),
    sred: exampleTransactionObject({ hidden }),
  };
  const { card: _card, ...request } = tillSale(id, `R-${id}`, { pos });
  return request;
}

describe('a PIN block inside the account data', () => {
  it('is verified by the issuer, as one of its own field would be', async () => {
    expect(await world.desk.authorize(sale('m1', '0042', '1234'))).toMatchObject({
      disposition: 'approved',
      responseCode: '00',
    });
    expect(await world.desk.authorize(sale('m2', '0043', '4321'))).toMatchObject({
      disposition: 'declined',
      responseCode: '55',
    });
  });

  it('goes to the acquirer translated, and is kept nowhere', async () => {
    await world.desk.authorize(sale('m1', '0042', '1234'));
    const [sent] = world.line.sent;
    expect(sent).toMatchObject({ pos: { pin: { zoneKey: 'INTERNAL' } } });
    const account = sent && 'account' in sent ? sent.account : {};
    expect(account).toMatchObject({ pan: VISA });
    expect(account).not.toHaveProperty('pin');
  });

  it('is not missed by a sale without one', async () => {
    await world.desk.authorize(sale('m1', '0042', undefined));
    expect(world.line.sent[0]).not.toHaveProperty('pos.pin');
  });
});
