import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleIccData, nextKsn, track2Of } from '../../../security/module/card-example.test.support.js';
import {
  chipAccountObjects,
  exampleTransactionObject,
  keyedInExample,
  pinInside,
  tdesKeys,
} from '../../../security/module/transaction-object-example.test.support.js';
import {
  MAGTEK,
  openPaymentHarness,
  type PaymentHarness,
  storeOf,
  tillSale,
  VISA,
} from '../payment-harness.test.support.js';

let harness: PaymentHarness;
beforeEach(async () => {
  harness = await openPaymentHarness(storeOf('memory'));
});
afterEach(() => harness.dispose());

const track2 = track2Of(VISA, '1234');

function sale(id: string, atc: string, pin: string | undefined) {
  const keys = tdesKeys(nextKsn(MAGTEK));
  const hidden = [...chipAccountObjects(track2), ...(pin === undefined ? [] : [pinInside(VISA, pin, keys)])];
  const pos = {
    terminalId: '1',
    entryMode: 'ICC',
    deviceType: 'MAGTEK_DYNAFLEX',
    panSequenceNumber: '01',
    iccData: exampleIccData({ scheme: 'visa', pan: VISA, atc }),
    sred: exampleTransactionObject({ keys, hidden }),
  };
  const { card: _card, ...request } = tillSale(id, `R-${id}`, { pos });
  return request;
}

describe('the code printed on a card that was keyed into the terminal', () => {
  it('goes to the issuer to be verified, as one that was typed would, and no track with it', async () => {
    const sred = exampleTransactionObject(
      keyedInExample({ pan: VISA, expiry: '3112', code: '123' }, tdesKeys(nextKsn(MAGTEK))),
    );
    const pos = { terminalId: '1', entryMode: 'MANUAL', deviceType: 'MAGTEK_DYNAFLEX', sred };
    const { card: _card, ...request } = tillSale('m1', 'R-m1', { pos });
    expect(await harness.service.authorize(request)).toMatchObject({ disposition: 'approved' });
    const [sent] = harness.line.sent;
    expect(sent).toMatchObject({ pos: { entryMode: 'MANUAL' }, instrument: { pan: VISA, cvv: '123' } });
    expect(sent).not.toHaveProperty('instrument.track2');
  });
});

describe('a PIN block inside the account data', () => {
  it('is verified by the issuer, as one in a separate field is', async () => {
    expect(await harness.service.authorize(sale('m1', '0042', '1234'))).toMatchObject({
      disposition: 'approved',
      responseCode: '00',
    });
    expect(await harness.service.authorize(sale('m2', '0043', '4321'))).toMatchObject({
      disposition: 'declined',
      responseCode: '55',
    });
  });

  it('goes to the acquirer translated, and is kept nowhere', async () => {
    await harness.service.authorize(sale('m1', '0042', '1234'));
    const [sent] = harness.line.sent;
    expect(sent).toMatchObject({ pos: { pin: { zoneKey: 'INTERNAL' } } });
    const account = sent && 'instrument' in sent ? sent.instrument : {};
    expect(account).toMatchObject({ pan: VISA });
    expect(account).not.toHaveProperty('pin');
  });

  it('is not missed by a sale without one', async () => {
    await harness.service.authorize(sale('m1', '0042', undefined));
    expect(harness.line.sent[0]).not.toHaveProperty('pos.pin');
  });
});
