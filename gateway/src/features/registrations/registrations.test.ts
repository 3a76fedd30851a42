import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  addToken,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { entityRow } from '../../core/entities/entities.js';
import { eventsOfEntity } from '../../core/payments/events/stored-events.test.support.js';
import { ENTITY, NOW_MS, OTHER_ENTITY } from '../../core/payments/payment-harness.test.support.js';

const CARD = {
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2031',
  'card.holder': 'Jane Jones',
};
const ACCOUNT = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE23100000001234567890',
};
const PURCHASE = { amount: '12.34', currency: 'EUR', paymentType: 'DB' };
const CHANNEL = 'c'.repeat(32);
const OTHER_TOKEN = 'tb_token-of-another-merchant';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
  const row = entityRow(CHANNEL, 'Channel', ENTITY, NOW_MS);
  await harness.store.commit([{ op: 'insert', table: 'entities', row }]);
  await addToken(harness.store, OTHER_TOKEN, ['pay', 'refund', 'read'], {
    entityId: OTHER_ENTITY,
    merchantId: OTHER_ENTITY,
  });
});
afterEach(() => harness.dispose());

type Form = Readonly<Record<string, string>>;
const register = (form: Form = CARD): Promise<Answer> => harness.post('/v1/registrations', form);
const idOf = async (form?: Form): Promise<string> => (await register(form)).body.id;
const pay = (id: string, form: Form = {}): Promise<Answer> =>
  harness.post(`/v1/registrations/${id}/payments`, { ...PURCHASE, ...form });
/** Events sort by the time of their ids. */
const aMomentLater = () => harness.clock.advance(1);
const change = async (id: string, form: Form): Promise<Answer> => {
  await aMomentLater();
  return harness.post(`/v1/registrations/${id}`, form);
};
const remove = async (id: string): Promise<Answer> => {
  await aMomentLater();
  return harness.send('DELETE', `/v1/registrations/${id}?entityId=${ENTITY}`);
};
const codeOf = ({ body }: Answer) => body.result.code;
/** Actions of the events of registrations, in their order. */
const events = async () =>
  (await eventsOfEntity(harness.store, ENTITY))
    .filter(({ kind }) => kind.startsWith('registration'))
    .map(({ kind, payload }) => [kind, (JSON.parse(payload) as { id: string }).id]);

describe('a registration', () => {
  it('is made without a payment, and shows what may be shown', async () => {
    const { status, body, text } = await register({
      ...CARD,
      'customer.givenName': 'Jane',
      'customer.surname': 'Jones',
    });
    expect(status).toBe(200);
    expect(body.id).toMatch(/^[0-9a-f]{32}$/);
    expect(body).toMatchObject({
      paymentBrand: 'VISA',
      card: {
        bin: '420000',
        last4Digits: '0000',
        holder: 'Jane Jones',
        expiryMonth: '12',
        expiryYear: '2031',
      },
      customer: { givenName: 'Jane' },
      result: { code: '000.100.110' },
    });
    expect(text).not.toContain(CARD['card.number']);
    expect((await harness.get(`/v1/registrations/${body.id}?entityId=${ENTITY}`)).body.card).toEqual(
      body.card,
    );
    expect(await events()).toEqual([['registration-created', body.id]]);
    expect(await harness.transactions()).toEqual([]);
  });

  it('keeps neither the card in clear nor its verification value', async () => {
    const id = await idOf({ ...CARD, 'card.cvv': '987' });
    const row = await harness.store.get('registrations', [id]);
    expect(JSON.stringify(row)).not.toContain(CARD['card.number']);
    const { sealed = '', keyId = '' } = row ?? {};
    const details = await harness.context.registrationSeal.open(['registration', ENTITY, id], {
      sealed: sealed ?? '',
      keyId: keyId ?? '',
    });
    expect(JSON.stringify(details)).toContain(CARD['card.number']);
    expect(JSON.stringify(details)).not.toContain('987');
  });

  it('pays, again and again', async () => {
    const id = await idOf();
    for (const amount of ['1.00', '2.00']) {
      const { status, body } = await pay(id, { amount, 'card.cvv': '123' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        amount,
        paymentBrand: 'VISA',
        registrationId: id,
        card: { last4Digits: '0000' },
        result: { code: '000.100.110' },
      });
    }
    // Each payment is followed as any other.
    const { body } = await pay(id);
    const refunded = await harness.post(`/v1/payments/${body.id}`, { ...PURCHASE, paymentType: 'RF' });
    expect(codeOf(refunded)).toBe('000.100.110');
    // Nothing new was registered.
    expect(await events()).toHaveLength(1);
  });

  it('of a payment pays under the id in the answer to the payment', async () => {
    const { body } = await harness.post('/v1/payments', { ...CARD, ...PURCHASE, createRegistration: 'true' });
    expect(codeOf(await pay(body.registrationId))).toBe('000.100.110');
    expect(await events()).toEqual([['registration-created', body.registrationId]]);
  });

  it('of a payment that is declined is none', async () => {
    const declined = await harness.post('/v1/payments', {
      ...CARD,
      ...PURCHASE,
      createRegistration: 'true',
      'customParameters[forceResultCode]': '800.100.152',
    });
    expect(declined.body).not.toHaveProperty('registrationId');
    const unapproved = await harness.post('/v1/payments', {
      ...CARD,
      ...PURCHASE,
      'card.number': '5200000000001013',
      createRegistration: 'true',
    });
    expect(unapproved.status).toBe(400);
    expect(await harness.store.findAfter('registrations', undefined)).toEqual([]);
    expect(await events()).toEqual([]);
  });

  it('of a bank account collects under its mandate', async () => {
    const { body } = await register(ACCOUNT);
    expect(body).toMatchObject({ paymentBrand: 'DIRECTDEBIT_SEPA', bankAccount: { last4Digits: '7890' } });
    const paid = await pay(body.id);
    expect(paid.body).toMatchObject({ paymentBrand: 'DIRECTDEBIT_SEPA', result: { code: '000.100.110' } });
    expect(codeOf(await pay(body.id, { currency: 'USD' }))).toBe('100.550.401');
    const debit = await harness.post('/v1/payments', { ...ACCOUNT, ...PURCHASE, createRegistration: 'true' });
    expect(debit.body.registrationId).toBe(body.id);
  });

  it('of the same details and customer is the same, and of another customer is another', async () => {
    const id = await idOf();
    expect(await idOf()).toBe(id);
    const paid = await harness.post('/v1/payments', { ...CARD, ...PURCHASE, createRegistration: 'true' });
    expect(paid.body.registrationId).toBe(id);
    expect(await events()).toHaveLength(1);
    const customer = {
      'customer.givenName': 'Jane',
      'customer.surname': 'Jones',
      'customer.merchantCustomerId': 'customer-2',
    };
    expect(await idOf({ ...CARD, ...customer })).not.toBe(id);
    await remove(id);
    expect(await idOf()).not.toBe(id);
  });

  it('gets another expiry date, and refuses payments of one that is over', async () => {
    const id = await idOf();
    const changed = await change(id, { 'card.expiryMonth': '01', 'card.expiryYear': '2035' });
    expect(changed.body.card).toMatchObject({ expiryMonth: '01', expiryYear: '2035' });
    expect((await pay(id)).body.card).toMatchObject({ expiryMonth: '01', expiryYear: '2035' });
    expect(codeOf(await change(id, { 'card.expiryYear': '2020' }))).toBe('100.100.303');
    const number = await change(id, { 'card.number': '5454545454545454' });
    expect(number.body.result.parameterErrors).toMatchObject([{ name: 'card.number' }]);
    expect(await events()).toEqual([
      ['registration-created', id],
      ['registration-updated', id],
    ]);
    await harness.clock.advance(Date.UTC(2035, 2) - NOW_MS);
    expect(codeOf(await pay(id))).toBe('100.100.303');
  });

  it('that was removed is refused with its own code, and leaves nothing behind', async () => {
    const id = await idOf();
    const { body } = await pay(id);
    expect((await remove(id)).status).toBe(200);
    const row = await harness.store.get('registrations', [id]);
    expect(row).toMatchObject({ state: 'removed', sealed: null, last4Digits: null, holder: null });
    expect(await pay(id)).toMatchObject({ status: 400, body: { result: { code: '100.150.202' } } });
    expect(await remove(id)).toMatchObject({ status: 404, body: { result: { code: '100.150.202' } } });
    expect((await harness.get(`/v1/registrations/${id}`)).status).toBe(404);
    expect((await events()).at(-1)).toEqual(['registration-deleted', id]);
    // What was paid with it stays, and is followed.
    const refunded = await harness.post(`/v1/payments/${body.id}`, { ...PURCHASE, paymentType: 'RF' });
    expect(codeOf(refunded)).toBe('000.100.110');
  });

  it('takes the holder of a payment where it has none, for that payment', async () => {
    const { 'card.holder': _, ...bare } = CARD;
    const id = await idOf(bare);
    const holder = { 'card.holder': 'John Doe' };
    const plain = await pay(id, holder);
    expect(plain.body.card).not.toHaveProperty('holder');
    expect((await pay(id, { ...holder, overrideHolder: 'true' })).body.card.holder).toBe('John Doe');
    expect((await pay(id)).body.card).not.toHaveProperty('holder');
    const named = await idOf();
    const kept = await pay(named, { ...holder, overrideHolder: 'true' });
    expect(kept.body.card.holder).toBe('Jane Jones');
  });

  it('goes on with an agreement that was made elsewhere', async () => {
    const id = await idOf({
      ...CARD,
      'recurringMigration.paymentType': 'DB',
      'recurringMigration.requestTimestamp': '2025-01-01 00:00:00',
      'recurringMigration.connectorTxId1': 'MCC123456789',
    });
    const repeat = {
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.source': 'MIT',
      'standingInstruction.initialTransactionId': 'MCC123456789',
    };
    expect(codeOf(await pay(id, repeat))).toBe('000.100.110');
    const other = await idOf({ ...CARD, 'card.number': '4111111111111111' });
    expect((await pay(other, repeat)).status).toBe(400);
  });

  describe('of which the merchant repeats payments', () => {
    const standing = (mode: string, source: string, more: Form = {}) => ({
      'standingInstruction.mode': mode,
      'standingInstruction.source': source,
      'standingInstruction.type': 'UNSCHEDULED',
      ...more,
    });
    const INITIAL = standing('INITIAL', 'CIT');
    const MIT = standing('REPEATED', 'MIT');
    type Shown = { readonly standingInstruction?: Form };
    const shownIn = ({ body }: Answer) => (body as unknown as Shown).standingInstruction;
    const read = (id: string) => harness.get(`/v1/registrations/${id}?entityId=${ENTITY}`);

    it('holds the agreement that the cardholder began by registering', async () => {
      const made = await register({ ...CARD, ...INITIAL });
      const agreement = { mode: 'INITIAL', source: 'CIT', type: 'UNSCHEDULED' };
      expect(shownIn(made)).toEqual(agreement);
      expect(shownIn(await read(made.body.id))).toEqual(agreement);
      expect(codeOf(await pay(made.body.id, MIT))).toBe('000.100.110');
      const recurring = await pay(made.body.id, { ...MIT, 'standingInstruction.type': 'RECURRING' });
      expect([codeOf(recurring), recurring.body.resultDetails?.ExtendedDescription]).toEqual([
        '600.200.501',
        'standingInstruction.type: must be UNSCHEDULED, as at first',
      ]);
      // So does the run of a schedule.
      const { resultCode } = await harness.service.authorize({
        origin: { kind: 'rest', entityId: ENTITY },
        type: 'DB',
        amount: { minor: 100, currency: 'EUR' },
        storedCard: made.body.id,
        standing: { mode: 'REPEATED', source: 'MIT' },
      });
      expect(resultCode).toBe('000.100.110');
      // Details that were stored before begin it as new ones do.
      const later = await idOf({ ...CARD, 'card.number': '4111111111111111' });
      expect(codeOf(await pay(later, MIT))).toBe('100.150.300');
      await register({ ...CARD, ...INITIAL, 'card.number': '4111111111111111' });
      expect(codeOf(await pay(later, MIT))).toBe('000.100.110');
    });

    it('holds the first payment of an agreement, and repeats it by the network’s id', async () => {
      const id = await idOf();
      expect(codeOf(await pay(id, MIT))).toBe('100.150.300');
      const declined = { 'customParameters[forceResultCode]': '800.100.152' };
      expect((await pay(id, { ...INITIAL, ...declined })).status).toBe(400);
      expect(codeOf(await pay(id, MIT))).toBe('100.150.300');
      const { initialTransactionId } = shownIn(await pay(id, INITIAL)) ?? {};
      expect(initialTransactionId).toMatch(/^\d{15}$/);
      const repeated = await pay(id, MIT);
      expect(codeOf(repeated)).toBe('000.100.110');
      expect(shownIn(repeated)).toEqual({
        mode: 'REPEATED',
        source: 'MIT',
        type: 'UNSCHEDULED',
        initialTransactionId,
      });
      expect(harness.line.sent.at(-1)).toMatchObject({ standing: { source: 'MIT', initialTransactionId } });
      // Another first payment of the same type changes nothing.
      await pay(id, INITIAL);
      expect(shownIn(await pay(id, MIT))).toMatchObject({ initialTransactionId });
    });

    it('made by a payment holds the agreement of that payment', async () => {
      const first = await harness.post('/v1/payments', {
        ...CARD,
        ...PURCHASE,
        ...INITIAL,
        createRegistration: 'true',
      });
      const { initialTransactionId } = shownIn(first) ?? {};
      expect(initialTransactionId).toMatch(/^\d{15}$/);
      expect(shownIn(await pay(first.body.registrationId, MIT))).toMatchObject({ initialTransactionId });
    });

    it('holds what was migrated, and one agreement of many first payments at once', async () => {
      const migrated = await idOf({
        ...CARD,
        'recurringMigration.paymentType': 'DB',
        'recurringMigration.connectorTxId1': 'MCC123456789',
      });
      const repeated = await pay(migrated, MIT);
      expect(codeOf(repeated)).toBe('000.100.110');
      expect(shownIn(repeated)).toMatchObject({ initialTransactionId: 'MCC123456789' });
      const id = await idOf({ ...CARD, 'card.number': '4111111111111111' });
      const firsts = await Promise.all(Array.from({ length: 5 }, () => pay(id, INITIAL)));
      expect(firsts.map(codeOf)).toEqual(Array(5).fill('000.100.110'));
      const held = shownIn(await read(id))?.initialTransactionId;
      expect(firsts.map((each) => shownIn(each)?.initialTransactionId)).toContain(held);
      expect(shownIn(await pay(id, MIT))).toMatchObject({ initialTransactionId: held });
    });
  });

  it('of test mode EXTERNAL has that mode in every answer and event', async () => {
    const { body } = await register({ ...CARD, testMode: 'EXTERNAL' });
    expect([body.result.code, body]).toMatchObject(['000.100.112', { testMode: 'EXTERNAL' }]);
    expect(codeOf(await harness.get(`/v1/registrations/${body.id}?entityId=${ENTITY}`))).toBe('000.100.112');
    const changed = await change(body.id, { 'card.holder': 'Jane Roe', testMode: 'EXTERNAL' });
    expect(codeOf(changed)).toBe('000.100.112');
    expect(codeOf(await remove(body.id))).toBe('000.100.112');
    const reported = await eventsOfEntity(harness.store, ENTITY);
    const codes = reported.map(
      ({ payload }) => (JSON.parse(payload) as { result: { code: string } }).result.code,
    );
    expect(codes).toEqual(Array(3).fill('000.100.112'));
  });

  it('answers with the mode of the request where the same details are stored already', async () => {
    const first = await register();
    const again = await register({ ...CARD, testMode: 'EXTERNAL' });
    expect(again.body.id).toBe(first.body.id);
    expect([codeOf(first), codeOf(again)]).toEqual(['000.100.110', '000.100.112']);
    expect(codeOf(await register({ ...CARD, testMode: 'INTERNAL' }))).toBe('000.100.110');
  });

  it('migrates no agreement of another card', async () => {
    const migration = {
      'recurringMigration.paymentType': 'DB',
      'recurringMigration.requestTimestamp': '2025-01-01 00:00:00',
      'recurringMigration.connectorTxId2': 'MCC123456789',
    };
    await idOf({ ...CARD, ...migration });
    const other = await register({ ...CARD, ...migration, 'card.number': '4111111111111111' });
    expect([other.status, codeOf(other)]).toEqual([400, '100.150.300']);
    expect(other.body.resultDetails.ExtendedDescription).toContain('recurringMigration.connectorTxId2: ');
    expect(await harness.store.findAfter('registrations', undefined)).toHaveLength(1);
    expect((await register({ ...CARD, ...migration })).status).toBe(200);
  });

  it('is one of the same details that checkouts store at once', async () => {
    const checkouts = await Promise.all(
      Array.from({ length: 16 }, () =>
        harness.post('/v1/checkouts', {
          shopperResultUrl: 'https://shop.example/done',
          createRegistration: 'true',
        }),
      ),
    );
    const body = new URLSearchParams(CARD).toString();
    const stored = await Promise.all(
      checkouts.map(({ body: { id } }) =>
        harness.send('POST', `/v1/checkouts/${id}/registration`, {
          authorization: null,
          headers: { accept: 'application/json' },
          body,
        }),
      ),
    );
    expect(stored.map(({ status }) => status)).toEqual(Array(16).fill(200));
    expect(await harness.store.findAfter('registrations', undefined)).toHaveLength(1);
    const shown = await Promise.all(
      checkouts.map(({ body: { id } }) => harness.get(`/v1/checkouts/${id}/registration?entityId=${ENTITY}`)),
    );
    expect(new Set(shown.map((each) => each.body.id)).size).toBe(1);
  });

  it('is made once under an Idempotency-Key', async () => {
    const customer = { 'customer.givenName': 'A', 'customer.surname': 'B' };
    const body = new URLSearchParams({ entityId: ENTITY, ...CARD, ...customer }).toString();
    const send = () =>
      harness.send('POST', '/v1/registrations', { body, headers: { 'idempotency-key': 'k-1' } });
    const [first, second] = [await send(), await send()];
    expect(second.body.id).toBe(first.body.id);
    const paid = () =>
      harness.send('POST', `/v1/registrations/${first.body.id}/payments`, {
        body: new URLSearchParams({ entityId: ENTITY, ...PURCHASE }).toString(),
        headers: { 'idempotency-key': 'k-2' },
      });
    expect((await paid()).body.id).toBe((await paid()).body.id);
    expect(await harness.transactions()).toHaveLength(1);
  });
});

describe('the details of a merchant', () => {
  it('serve all of its entities, and no other merchant', async () => {
    const id = await idOf();
    expect(codeOf(await pay(id, { entityId: CHANNEL }))).toBe('000.100.110');
    const foreign = (path: string, form: Form = {}) =>
      harness.send('POST', path, {
        authorization: `Bearer ${OTHER_TOKEN}`,
        body: new URLSearchParams({ entityId: OTHER_ENTITY, ...PURCHASE, ...form }).toString(),
      });
    const [theirs, unknown] = [
      await foreign(`/v1/registrations/${id}/payments`),
      await foreign(`/v1/registrations/${'0'.repeat(32)}/payments`),
    ];
    expect(theirs).toMatchObject({ status: 400, body: { result: { code: '100.150.200' } } });
    expect(theirs.body.result).toEqual(unknown.body.result);
    const read = (each: string) =>
      harness.send('GET', `/v1/registrations/${each}`, { authorization: `Bearer ${OTHER_TOKEN}` });
    expect((await read(id)).status).toBe(404);
    expect((await read(id)).body.result).toEqual((await read('0'.repeat(32))).body.result);
    const offered = await foreign('/v1/checkouts', { 'registrations[0].id': id });
    expect(offered.body.result.parameterErrors).toMatchObject([{ name: 'registrations[0].id' }]);
  });

  it('are refused where they are wrong', async () => {
    expect(codeOf(await register({ ...CARD, 'card.number': '4200000000000001' }))).toBe('100.100.101');
    expect(codeOf(await register({ ...CARD, 'card.expiryYear': '2020' }))).toBe('100.100.303');
    expect(codeOf(await register({ paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'x' }))).toBe(
      '600.200.200',
    );
    expect((await register({})).body.result.parameterErrors.map(({ name }) => name)).toContain('card.number');
  });
});

describe('by a checkout', () => {
  const submit = (id: string, form: Form, path = 'payment') =>
    harness.send('POST', `/v1/checkouts/${id}/${path}`, {
      authorization: null,
      headers: { accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    });
  const create = async (form: Form): Promise<string> => (await harness.post('/v1/checkouts', form)).body.id;
  const status = (id: string) => harness.get(`/v1/checkouts/${id}/registration?entityId=${ENTITY}`);

  it('details are stored, and nothing is paid', async () => {
    const id = await create({ createRegistration: 'true' });
    expect((await status(id)).body).toMatchObject({ ndc: id, result: { code: '000.200.000' } });
    expect((await submit(id, { ...CARD, 'card.cvv': '123' })).status).toBe(400);
    const { status: http, body } = await submit(id, { ...CARD, 'card.cvv': '123' }, 'registration');
    expect(http).toBe(200);
    expect(body).toMatchObject({ ndc: id, card: { last4Digits: '0000' }, result: { code: '000.100.110' } });
    expect((await status(id)).body).toMatchObject({ id: body.id, ndc: id });
    expect(codeOf(await pay(body.id))).toBe('000.100.110');
    // Known details are stored once.
    const again = await create({ createRegistration: 'true' });
    expect((await submit(again, CARD, 'registration')).body.id).toBe(body.id);
    expect((await status(again)).body.id).toBe(body.id);
  });

  it('details are stored with a payment, as merchant or shopper say', async () => {
    const boxed = await submit(await create(PURCHASE), { ...CARD, createRegistration: 'on' });
    expect(boxed.body.registrationId).toMatch(/^[0-9a-f]{32}$/);
    const submitted = await submit(await create({ ...PURCHASE, createRegistration: 'true' }), CARD);
    expect(submitted.body.registrationId).toBe(boxed.body.registrationId);
  });

  it('a shopper pays by one click with what the checkout offers, and with nothing else', async () => {
    const [id, other] = [await idOf(), await idOf({ ...CARD, 'card.number': '5454545454545454' })];
    const checkout = await create({ ...PURCHASE, 'registrations[0].id': id });
    const form = await harness.send('GET', `/v1/checkouts/${checkout}/widget`, { authorization: null });
    expect(form.body).toMatchObject({
      checkout: { registrations: [{ id, kind: 'card', brand: 'VISA', last4Digits: '0000' }] },
    });
    expect(codeOf(await submit(checkout, { registrationId: other }))).toBe('100.150.200');
    const paid = await submit(checkout, { registrationId: id, 'card.cvv': '123' });
    expect(paid.body).toMatchObject({ registrationId: id, result: { code: '000.100.110' } });
    const second = await create({ ...PURCHASE, 'registrations[0].id': id });
    expect(codeOf(await submit(second, { 'registration.id': id }))).toBe('000.100.110');
  });
});
