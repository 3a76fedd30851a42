import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleIccData, track2Of } from '../security/card-example.test.support.js';
import {
  chipAccountObjects,
  exampleTransactionObject,
  keyedInExample,
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

describe('the code printed on a card that was keyed into the terminal', () => {
  it('goes to the issuer to be verified, as one that was typed would, and no track with it', async () => {
    const sred = exampleTransactionObject(keyedInExample({ pan: VISA, expiry: '3112', code: '123' }));
    const pos = { terminalId: '1', entryMode: 'MANUAL', deviceType: 'MAGTEK_DYNAFLEX', sred };
    const { card: _card, ...request } = tillSale('m1', 'R-m1', { pos });
    expect(await world.desk.authorize(request)).toMatchObject({ disposition: 'approved' });
    const [sent] = world.line.sent;
    expect(sent).toMatchObject({ pos: { entryMode: 'MANUAL' }, account: { pan: VISA, cvv: '123' } });
    expect(sent).not.toHaveProperty('account.track2');
  });
});

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
