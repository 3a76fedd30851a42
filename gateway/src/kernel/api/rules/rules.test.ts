import { describe, expect, it } from 'vitest';
import { checkRequest } from '../check/check-request.js';
import type { RequestContext } from './rule.js';

type Sent = Readonly<Record<string, string>>;

const BASE: Sent = {
  entityId: '8a8294174b7ecb28014b9699220015ca',
  amount: '92.00',
  currency: 'EUR',
  paymentType: 'DB',
};
const CARD: Sent = { 'card.number': '4200000000000000', 'card.expiryMonth': '12', 'card.expiryYear': '2034' };
const IBAN: Sent = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE23100000001234567890',
};
const PAYMENT: RequestContext = { operation: 'payment' };

/** Names in error, in the order of their telling. */
function namesOf(sent: Sent, context: RequestContext = PAYMENT): string[] {
  return checkRequest(Object.entries(sent), context).errors.map((error) => error.name);
}

/** A card payment with more parameters. */
const withCard = (more: Sent, context?: RequestContext): string[] =>
  namesOf({ ...BASE, ...CARD, ...more }, context);

describe('operation', () => {
  it('takes a whole card payment', () => {
    expect(withCard({})).toEqual([]);
  });

  it('names all that is missing at once, and nothing twice', () => {
    expect(namesOf({ amount: 'x', 'card.number': '1' })).toEqual([
      'amount',
      'card.number',
      'entityId',
      'currency',
      'paymentType',
      'card.expiryMonth',
      'card.expiryYear',
    ]);
  });

  it('knows the payment types of each operation', () => {
    expect(withCard({ paymentType: 'PA.CP' })).toEqual([]);
    expect(withCard({ paymentType: 'CP' })).toEqual(['paymentType']);
    expect(namesOf({ ...BASE, paymentType: 'CP' }, { operation: 'follow-up' })).toEqual([]);
    expect(namesOf({ ...BASE, paymentType: 'DB' }, { operation: 'follow-up' })).toEqual(['paymentType']);
  });

  it('needs no amount of a reversal, and one of a capture', () => {
    const { entityId = '' } = BASE;
    const followUp: RequestContext = { operation: 'follow-up' };
    expect(namesOf({ entityId, paymentType: 'RV' }, followUp)).toEqual([]);
    expect(namesOf({ entityId, paymentType: 'RV', amount: '' }, followUp)).toEqual(['amount']);
    const older: RequestContext = { ...followUp, compatibility: 'legacy' };
    expect(namesOf({ entityId, paymentType: 'RV', amount: '' }, older)).toEqual([]);
    expect(namesOf({ entityId, paymentType: 'CP' }, followUp)).toEqual(['amount', 'currency']);
  });

  it('needs no amount of a checkout or registration that stores only', () => {
    const { entityId = '' } = BASE;
    expect(namesOf({ entityId, createRegistration: 'true' }, { operation: 'checkout-create' })).toEqual([]);
    expect(namesOf({ entityId }, { operation: 'checkout-create' })).toEqual([
      'amount',
      'currency',
      'paymentType',
    ]);
    expect(namesOf({ entityId, ...CARD }, { operation: 'registration' })).toEqual([]);
  });

  it('requires what the receiver demands', () => {
    expect(withCard({}, { ...PAYMENT, demandedByReceiver: ['merchantTransactionId'] })).toEqual([
      'merchantTransactionId',
    ]);
  });

  it('takes overridePaymentType only at the creation of a checkout', () => {
    const sent = { ...BASE, 'overridePaymentType[VISA]': 'PA' };
    expect(namesOf(sent, { operation: 'checkout-create' })).toEqual([]);
    expect(namesOf(sent, { operation: 'checkout-update' })).toEqual(['overridePaymentType[VISA]']);
  });
});

describe('instrument', () => {
  it('requires a card when there is none, unless the brand is of another kind', () => {
    const card = ['card.number', 'card.expiryMonth', 'card.expiryYear'];
    expect(namesOf(BASE)).toEqual(card);
    expect(namesOf({ ...BASE, paymentBrand: 'VISA' })).toEqual(card);
    expect(namesOf({ ...BASE, paymentBrand: 'ONLINE_TRANSFER' })).toEqual([]);
    expect(withCard({ 'card.expiryMonth': '' })).toEqual(['card.expiryMonth']);
  });

  it('takes a card of a terminal', () => {
    const pos: Sent = { ...BASE, 'pos.entryMode': 'ICC', 'pos.terminalId': '1' };
    expect(namesOf({ ...pos, 'pos.encryptedSred.data': 'AB' })).toEqual([]);
    expect(namesOf(pos)).toEqual(['pos.encryptedSred.data']);
    expect(namesOf({ ...BASE, 'pos.deviceId': '1', 'pos.encryptedSred.data': 'AB' })).toEqual([
      'pos.entryMode',
      'pos.terminalId',
    ]);
  });

  it('requires the brand where it cannot be detected', () => {
    expect(withCard({}, { ...PAYMENT, brandDetection: false })).toEqual(['paymentBrand']);
    expect(namesOf({ ...BASE, ...IBAN, paymentBrand: '' })).toEqual(['paymentBrand']);
  });

  it('takes a wallet enciphered or deciphered', () => {
    const wallet: Sent = { ...BASE, paymentBrand: 'VISA' };
    expect(namesOf({ ...wallet, 'walletA.paymentToken': '{}' })).toEqual([]);
    expect(namesOf({ ...wallet, 'walletA.cardType': 'credit' })).toEqual(['walletA.paymentToken']);
    expect(namesOf({ ...wallet, ...CARD, 'walletA.cardType': 'credit' })).toEqual(['walletA.paymentToken']);
    expect(namesOf({ ...wallet, ...CARD, 'walletB.source': 'web' })).toEqual([
      'threeDSecure.verificationId',
      'threeDSecure.eci',
    ]);
    expect(namesOf({ ...wallet, 'walletC.source': 'app' })).toEqual([
      'card.number',
      'card.expiryMonth',
      'card.expiryYear',
      'threeDSecure.verificationId',
      'threeDSecure.eci',
    ]);
  });

  it('requires the number of a gift card that pays, and of none that is bought', () => {
    const gift = { ...BASE, 'giftCard.message': 'thank you' };
    expect(namesOf({ ...gift, paymentBrand: 'GIFTCARD' })).toEqual(['giftCard.number']);
    expect(namesOf({ ...gift, ...CARD })).toEqual([]);
  });

  it('takes every name of payments that were made already', () => {
    const made = (at: number, type: string, name?: string): Sent => ({
      [`cart.payments[${at}].type`]: type,
      ...(name !== undefined && { [`cart.payments[${at}].name`]: name }),
    });
    expect(withCard(made(0, 'GIFTCARD'))).toEqual([]);
    expect(withCard({ ...made(0, 'GIFTCARD', 'x'), ...made(1, 'GIFTCARD', 'x') })).toEqual([]);
    expect(withCard({ promotionCode: 'SPRING', ...made(0, 'PROMOTION', 'Summer sale') })).toEqual([]);
  });

  it('requires number or iban, and a bank with a number', () => {
    const holder: Sent = { ...BASE, paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.holder': 'Jane Jones' };
    expect(namesOf({ ...BASE, ...IBAN })).toEqual([]);
    expect(namesOf(holder)).toEqual(['bankAccount.iban']);
    expect(namesOf({ ...holder, 'bankAccount.number': '1234567' })).toEqual(['bankAccount.bankCode']);
    expect(namesOf({ ...holder, 'bankAccount.number': '1234567', 'bankAccount.bic': 'MARKDEFF' })).toEqual(
      [],
    );
    expect(namesOf({ ...holder, 'bankAccount.iban': 'DE23' })).toEqual(['bankAccount.iban']);
    // A checkout is prepared with what is known by then; its payment brings the rest.
    expect(namesOf(holder, { operation: 'checkout-create' })).toEqual([]);
    expect(namesOf({ 'bankAccount.holder': 'Jane Jones' }, { operation: 'checkout-payment' })).toEqual([
      'paymentBrand',
      'bankAccount.iban',
    ]);
  });
});

describe('customer and address', () => {
  it('requires both names when any other customer parameter is sent', () => {
    expect(withCard({ 'customer.ip': '127.0.0.1' })).toEqual(['customer.givenName', 'customer.surname']);
    expect(withCard({ 'customer.givenName': 'Jane' })).toEqual(['customer.surname']);
    expect(withCard({ 'shipping.customer.ip': '127.0.0.1' })).toEqual([]);
    expect(namesOf({ 'customer.browser.language': 'de' }, { operation: 'checkout-payment' })).toEqual([]);
  });

  it('requires no name of an older client', () => {
    const legacy: RequestContext = { ...PAYMENT, compatibility: 'legacy' };
    const sent: Sent = {
      'customer.email': 'jane@example.com',
      'customer.ip': '127.0.0.1',
      'customer.browser.javascriptEnabled': '1',
    };
    expect(withCard(sent, legacy)).toEqual([]);
    expect(withCard({ 'customer.email': 'x' }, legacy)).toEqual(['customer.email']);
    expect(withCard({ 'customer.browser.javascriptEnabled': 'yes' }, legacy)).toEqual([
      'customer.browser.javascriptEnabled',
    ]);
    expect(withCard(sent)).toContain('customer.browser.javascriptEnabled');
  });

  it('pairs kind and number of an identity document', () => {
    const names: Sent = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
    expect(withCard({ ...names, 'customer.identificationDocType': 'PASSPORT' })).toEqual([
      'customer.identificationDocId',
    ]);
    expect(withCard({ ...names, 'customer.identificationDocId': '12345678' })).toEqual([
      'customer.identificationDocType',
    ]);
    expect(withCard({ 'shipping.customer.identificationDocId': '12345678' })).toEqual([]);
  });

  it.each(['billing', 'merchant.billing', 'shipping', 'merchant.shipping'])(
    'requires houseNumber1 with houseNumber2 of %s',
    (address) => {
      expect(withCard({ [`${address}.houseNumber2`]: 'B' })).toEqual([`${address}.houseNumber1`]);
      expect(withCard({ [`${address}.houseNumber2`]: 'B', [`${address}.houseNumber1`]: '1' })).toEqual([]);
    },
  );

  it('refuses a street that has only digits', () => {
    expect(withCard({ 'billing.street1': '12', 'billing.street2': '34' })).toEqual(['billing.street1']);
    expect(withCard({ 'billing.street2': '34' })).toEqual(['billing.street2']);
    expect(withCard({ 'billing.street1': '12', 'billing.street2': 'b' })).toEqual([]);
    expect(
      withCard({ 'billing.street1': '12', 'billing.street2': 'b', 'billing.houseNumber1': '3' }),
    ).toEqual(['billing.street1']);
    expect(withCard({ 'shipping.street1': '12' })).toEqual([]);
  });
});

describe('3D Secure and transfers', () => {
  const version2: RequestContext = { ...PAYMENT, threeDSecure: { version: 2 } };

  it('needs browser and address for version 2 from server to server', () => {
    expect(withCard({}, version2)).toEqual([
      'customer.browser.acceptHeader',
      'customer.browser.language',
      'customer.browser.screenHeight',
      'customer.browser.screenWidth',
      'customer.browser.timezone',
      'customer.browser.userAgent',
      'customer.browser.javaEnabled',
      'billing.street1',
      'billing.city',
      'billing.postcode',
      'billing.country',
      'shopperResultUrl',
    ]);
    expect(withCard({}, { ...PAYMENT, threeDSecure: { version: 1 } })).toEqual([]);
    expect(namesOf({}, { ...version2, operation: 'checkout-payment' })).toEqual([]);
    const alone = { version: 2, requestorInitiated: true } as const;
    expect(
      withCard({}, { ...PAYMENT, threeDSecure: alone }).filter((name) => !name.startsWith('billing.')),
    ).toEqual([]);
  });

  it('needs the device in an app, where there is no browser', () => {
    const app: RequestContext = { ...PAYMENT, threeDSecure: { version: 2, appBased: true } };
    const names = withCard({}, app);
    expect(names).toContain('threeDSecure.deviceInfo');
    expect(names.some((name) => name.startsWith('customer.'))).toBe(false);
  });

  it('needs the number of instalments when 3D Secure is processed on one', () => {
    const installment: Sent = { 'standingInstruction.type': 'INSTALLMENT' };
    const version1: RequestContext = { ...PAYMENT, threeDSecure: { version: 1 } };
    expect(withCard(installment, version1)).toEqual(['standingInstruction.numberOfInstallments']);
    expect(withCard(installment)).toEqual([]);
    expect(withCard({ 'standingInstruction.type': 'RECURRING' }, version1)).toEqual([]);
  });

  it('needs the use case of the domestic french scheme', () => {
    const french: Sent = { paymentBrand: 'CARTEBANCAIRE' };
    const context: RequestContext = { ...PAYMENT, threeDSecure: { version: 1 } };
    const useCase = ['threeDSecure.schemeData[CB-USECASE]'];
    expect(withCard(french, context)).toEqual(useCase);
    expect(withCard({ ...french, 'threeDSecure.npa': 'true' }, context)).toEqual([]);
    expect(
      withCard(
        { ...french, 'threeDSecure.npa': 'true', 'threeDSecure.authenticationInd': 'RECURRING' },
        context,
      ),
    ).toEqual(useCase);
    expect(withCard(french)).toEqual([]);
  });

  it('takes a wish for an exemption from 3D Secure 2.2 on', () => {
    const wish = (version: string) =>
      withCard({ 'threeDSecure.exemptionFlag': '01', 'threeDSecure.version': version });
    expect(wish('2.1.0')).toEqual(['threeDSecure.exemptionFlag']);
    expect(wish('1.0.2')).toEqual(['threeDSecure.exemptionFlag']);
    expect(wish('2.2.0')).toEqual([]);
    expect(withCard({ 'threeDSecure.exemptionFlag': '01' })).toEqual([]);
  });

  it('needs the purpose of a transfer to the countries named', () => {
    const transfer: Sent = { transactionProcessingCode: 'FUNDING', 'recipient.country': 'IND' };
    expect(withCard(transfer)).toEqual(['transactionPurposeCode']);
    expect(withCard({ ...transfer, transactionPurposeCode: 'GDDS' })).toEqual([]);
    expect(withCard({ ...transfer, 'recipient.country': 'DEU' })).toEqual([]);
    expect(withCard({ ...transfer, transactionProcessingCode: 'PURCHASE' })).toEqual([]);
    expect(namesOf({ ...BASE, ...IBAN, ...transfer })).toEqual([]);
  });
});

describe('widget, query, migration', () => {
  it('wants SHOPPER_ of what the widget sends, and of nothing else', () => {
    const sent: Sent = { 'customParameters[SHOPPER_a]': '1', 'customParameters[other]': '1' };
    expect(namesOf(sent, { operation: 'checkout-payment' })).toEqual(['customParameters[other]']);
    expect(withCard(sent)).toEqual([]);
  });

  it('pairs the ends of a time frame and keeps it from merchantTransactionId', () => {
    const query: RequestContext = { operation: 'query' };
    const { entityId = '' } = BASE;
    const from: Sent = { entityId, 'date.from': '2026-11-01 00:00:00' };
    expect(namesOf(from, query)).toEqual(['date.to']);
    expect(namesOf({ ...from, 'date.to': '2026-11-02 00:00:00', merchantTransactionId: 'x' }, query)).toEqual(
      ['merchantTransactionId'],
    );
    expect(namesOf({ entityId }, { operation: 'report' })).toEqual(['date.from', 'date.to']);
  });

  it('wants the type of a migrated payment', () => {
    expect(withCard({ 'recurringMigration.amount': '1.00' })).toEqual(['recurringMigration.paymentType']);
  });

  it('never shows a sensitive value', () => {
    const { errors } = checkRequest([['card.cvv', '12345']], PAYMENT);
    expect(errors.find((error) => error.name === 'card.cvv')?.value).toBeNull();
  });
});
