import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { eventsOfEntity } from '../../core/payments/events/stored-events.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../../core/payments/payment-harness.test.support.js';
import { setTimeZone } from './time-zones.js';

type Form = Readonly<Record<string, string>>;
interface Shown {
  readonly id: string;
  readonly state: string;
  readonly registrationId: string;
  readonly paymentType: string;
  readonly amount: string;
  readonly job: Form;
  readonly timeZone: string;
  readonly end: string;
  readonly nextExecutions: readonly string[];
  readonly standingInstruction: Form;
  readonly schedules: readonly Shown[];
}

let harness: HttpHarness;
let registrationId: string;
beforeEach(async () => {
  harness = await openHttpHarness();
  const form = { ...CARD, paymentType: 'DB', createRegistration: 'true' };
  const standing = { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' };
  registrationId = (await harness.post('/v1/payments', { ...form, ...standing })).body.registrationId;
});
afterEach(() => harness.dispose());

const PATH = '/scheduling/v1/schedules';
const MONTHLY = { 'job.hour': '9', 'job.dayOfMonth': '31', 'job.month': '*' };
const create = (more: Form = MONTHLY, path = PATH) =>
  harness.post(path, { registrationId, amount: '9.99', currency: 'EUR', paymentType: 'SD', ...more });
const shown = ({ body }: Answer) => body as unknown as Shown;
const read = (id: string, path = PATH) => harness.get(`${path}/${id}?entityId=${ENTITY}`);
const faults = ({ body }: Answer) => [
  body.result.code,
  ...(body.result.parameterErrors ?? []).map(({ name, message }) => `${name} ${message}`),
];

describe('a new schedule', () => {
  it('shows its job, its time zone and its next five runs', async () => {
    const answer = await create();
    expect([answer.status, answer.body.result.code]).toEqual([200, '000.100.110']);
    expect(shown(answer)).toMatchObject({
      registrationId,
      paymentType: 'SD',
      amount: '9.99',
      currency: 'EUR',
      state: 'active',
      job: { hour: '9', dayOfMonth: '31', month: '*' },
      timeZone: 'UTC',
      nextExecutions: [
        '2026-12-31 09:00:00+0000',
        '2027-01-31 09:00:00+0000',
        '2027-03-31 09:00:00+0000',
        '2027-05-31 09:00:00+0000',
        '2027-07-31 09:00:00+0000',
      ],
    });
    const { initialTransactionId } = shown(answer).standingInstruction;
    expect(initialTransactionId).toMatch(/^\d{15}$/);
    expect(shown(answer).standingInstruction).toMatchObject({
      mode: 'REPEATED',
      source: 'MIT',
      type: 'RECURRING',
    });
  });

  it('is found by its id and by its registration, under both paths', async () => {
    const { id } = shown(await create());
    await harness.clock.advance(1);
    const other = shown(await create({ 'job.expression': '0 0 12 ? * L' }, '/v1/schedules'));
    expect(shown(await read(id, '/v1/schedules'))).toMatchObject({ id, state: 'active' });
    const ofCard = shown(await read(registrationId));
    expect(ofCard.id).toBe(other.id);
    expect(ofCard.schedules.map((each) => each.id)).toEqual([other.id, id]);
  });

  it('takes an earlier payment in the place of a registration', async () => {
    const { id: referenceUuid } = (await harness.post('/v1/payments', CARD)).body;
    const answer = await harness.post(PATH, {
      referenceUuid,
      amount: '9.99',
      currency: 'EUR',
      paymentType: 'SD',
      ...MONTHLY,
    });
    expect(shown(answer)).toMatchObject({ referencedId: referenceUuid, state: 'active' });
  });

  it('runs in the time zone of its entity', async () => {
    await setTimeZone(harness.store, ENTITY, 'Europe/Berlin');
    const { timeZone, nextExecutions } = shown(await create({ 'job.expression': '0 0 9 1 * ?' }));
    expect(timeZone).toBe('Europe/Berlin');
    expect([nextExecutions[0], nextExecutions[4]]).toEqual([
      '2026-12-01 09:00:00+0100',
      '2027-04-01 09:00:00+0200',
    ]);
  });

  it('takes the expression in the place of the fields', async () => {
    const { nextExecutions } = shown(await create({ ...MONTHLY, 'job.expression': '0 30 8 ? * MON 2027' }));
    expect(nextExecutions[0]).toBe('2027-01-04 08:30:00+0000');
  });

  it('begins and ends between its dates', async () => {
    const dates = { 'job.startDate': '2027-02-01 00:00:00', 'job.endDate': '2027-05-31 09:00:00' };
    const { nextExecutions, end } = shown(await create({ ...MONTHLY, ...dates }));
    expect(nextExecutions).toEqual(['2027-03-31 09:00:00+0000', '2027-05-31 09:00:00+0000']);
    expect(end).toBe('2027-05-31 09:00:00+0000');
  });

  it('ends with its duration, at the last day of a shorter month', async () => {
    const duration = {
      'job.startDate': '2026-12-31 00:00:00',
      'job.durationNumber': '2',
      'job.durationUnit': 'MONTH',
    };
    expect(shown(await create({ ...MONTHLY, ...duration })).end).toBe('2027-02-28 00:00:00+0000');
  });
});

describe('a schedule of a registration without a payment', () => {
  const { amount: _, currency: __, paymentType: ___, ...card } = CARD;
  const other = { ...card, 'card.number': '4111111111111111' };
  const initial = { 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' };
  const register = async (more: Form = {}) =>
    (await harness.post('/v1/registrations', { ...other, ...more })).body.id;

  it.each<[string, () => Promise<string>, Form]>([
    ['that began an agreement', () => register(initial), {}],
    [
      'of another type of agreement, which its runs have',
      () => register({ ...initial, 'standingInstruction.type': 'UNSCHEDULED' }),
      { type: 'UNSCHEDULED' },
    ],
    [
      'that was migrated',
      () => register({ 'recurringMigration.paymentType': 'DB', 'recurringMigration.connectorTxId1': 'MCC1' }),
      { initialTransactionId: 'MCC1' },
    ],
    [
      'that has paid first since',
      async () => {
        const id = await register();
        const paid = { amount: '1.00', currency: 'EUR', paymentType: 'DB', ...initial };
        expect((await harness.post(`/v1/registrations/${id}/payments`, paid)).status).toBe(200);
        return id;
      },
      { initialTransactionId: expect.stringMatching(/^\d{15}$/) as unknown as string },
    ],
    [
      'of a bank account, whose mandate is the agreement',
      async () => {
        const account = { 'bankAccount.holder': 'Jane Jones', 'bankAccount.iban': 'DE23100000001234567890' };
        const form = { paymentBrand: 'DIRECTDEBIT_SEPA', ...account };
        return (await harness.post('/v1/registrations', form)).body.id;
      },
      {},
    ],
  ])('%s is taken', async (_what, make, standing) => {
    const answer = await create({ ...MONTHLY, registrationId: await make() });
    expect(answer.body.result.code).toBe('000.100.110');
    expect(shown(answer).standingInstruction).toEqual({
      type: 'RECURRING',
      mode: 'REPEATED',
      source: 'MIT',
      ...standing,
    });
  });
});

describe('a schedule is refused', () => {
  it.each<[string, Form, string, string]>([
    ['without a job', {}, '100.250.250', 'job.expression'],
    ['without a time', { 'job.name': 'gym' }, '100.250.110', 'job.expression'],
    ['with days twice', { 'job.dayOfMonth': '1', 'job.dayOfWeek': 'MON' }, '100.250.120', 'not both'],
    ['with no days', { 'job.expression': '0 0 0 ? * ?' }, '100.250.120', 'both dayOfMonth and dayOfWeek'],
    [
      'on 31 April',
      { 'job.dayOfMonth': '31', 'job.month': '4' },
      '100.250.120',
      'there is no day of the month "31" in month "4"',
    ],
    [
      'in a year that is over',
      { 'job.expression': '0 0 0 1 1 ? 2025' },
      '100.250.120',
      'all its times are over',
    ],
    [
      'on a leap day that is not among its years',
      { 'job.expression': '0 0 0 29 2 ? 2027' },
      '100.250.120',
      'there is no day of the month "29"',
    ],
    [
      'that has ended',
      { ...MONTHLY, 'job.endDate': '2026-11-01 00:00:00' },
      '100.250.120',
      'its end is over',
    ],
    [
      'that ends before it starts',
      { ...MONTHLY, 'job.startDate': '2027-03-01 00:00:00', 'job.endDate': '2027-02-01 00:00:00' },
      '100.250.120',
      'it ends before it starts',
    ],
    [
      'between whose dates it never runs',
      { ...MONTHLY, 'job.endDate': '2026-12-30 00:00:00' },
      '100.250.120',
      'between its start and its end',
    ],
    [
      'with a duration without a unit',
      { ...MONTHLY, 'job.durationNumber': '2' },
      '100.250.106',
      'job.durationUnit',
    ],
    [
      'with a duration of more than 100 years',
      { ...MONTHLY, 'job.durationNumber': '9999999999999999', 'job.durationUnit': 'SECOND' },
      '100.250.106',
      '100 years at most',
    ],
    [
      'with a notice without a number',
      { ...MONTHLY, 'job.noticeUnit': 'DAY' },
      '100.250.107',
      'job.noticeNumber',
    ],
    [
      'that can be ended at its end, and has none',
      { ...MONTHLY, 'job.noticeCallable': 'DURATION_END' },
      '100.250.107',
      'job.noticeCallable',
    ],
    [
      'of every second',
      { ...MONTHLY, 'job.second': '*' },
      '100.250.120',
      'runs again after 1 s (second "*"): the shortest interval is 60 s',
    ],
    [
      'twice a minute, by an expression',
      { 'job.expression': '0/30 0 9 1 * ?' },
      '100.250.120',
      'job.expression',
    ],
    ['with another syntax', { 'job.expression': 'every day' }, '200.300.404', 'must have the fields'],
    ['with an hour that does not exist', { 'job.hour': '24' }, '200.300.404', 'job.hour'],
    ['with a card', { ...MONTHLY, 'card.number': '4200000000000000' }, '200.300.404', 'must not be sent'],
    [
      'with the proof of an authentication',
      { ...MONTHLY, 'threeDSecure.eci': '05' },
      '200.300.404',
      'no cardholder is there to be authenticated',
    ],
    ['without anything to pay with', { ...MONTHLY, registrationId: '' }, '200.300.404', 'registrationId'],
    [
      'that is the first of an agreement',
      { ...MONTHLY, 'standingInstruction.mode': 'INITIAL' },
      '200.300.404',
      'must be REPEATED',
    ],
    ['in a currency that does not exist', { ...MONTHLY, currency: 'XXZ' }, '100.550.401', ''],
    [
      'with a registration that is not there',
      { ...MONTHLY, registrationId: 'f'.repeat(32) },
      '100.150.200',
      '',
    ],
  ])('%s', async (_, form, code, why) => {
    const answer = await create(form);
    expect(answer.status).toBe(400);
    expect(faults(answer)[0]).toBe(code);
    expect(faults(answer).slice(1).join('\n')).toContain(why);
  });

  it('with a card of another merchant', async () => {
    await addToken(harness.store, 'tb_other-token-of-the-merchant', ['pay', 'read'], {
      entityId: OTHER_ENTITY,
      merchantId: OTHER_ENTITY,
    });
    const sent = {
      entityId: OTHER_ENTITY,
      registrationId,
      amount: '1.00',
      currency: 'EUR',
      paymentType: 'DB',
      ...MONTHLY,
    };
    const options = {
      body: new URLSearchParams(sent).toString(),
      authorization: 'Bearer tb_other-token-of-the-merchant',
    };
    expect((await harness.send('POST', PATH, options)).body.result.code).toBe('100.150.200');
    const { id } = shown(await create());
    const foreign = await harness.send(
      'GET',
      `${PATH}/${id}`,
      options.authorization ? { authorization: options.authorization } : {},
    );
    expect([foreign.status, foreign.body.result.code]).toEqual([404, '700.400.580']);
  });

  it('with a registration whose cardholder has paid nothing, unless the first payment is named', async () => {
    const { amount: _, currency: __, paymentType: ___, ...card } = CARD;
    const other = { ...card, 'card.number': '4111111111111111' };
    const { id } = (await harness.post('/v1/registrations', other)).body;
    expect(faults(await create({ ...MONTHLY, registrationId: id }))).toEqual([
      '100.150.300',
      expect.stringMatching(
        /^standingInstruction\.initialTransactionId must be sent: the registration holds no/,
      ),
    ]);
    const named = { 'standingInstruction.initialTransactionId': '123456789012345' };
    expect(shown(await create({ ...MONTHLY, ...named, registrationId: id })).state).toBe('active');
  });

  it('when the card has its most', async () => {
    for (let at = 0; at < 50; at += 1) await create();
    expect(faults(await create())[0]).toBe('100.250.110');
  });
});

describe('a schedule that stands', () => {
  it('gets another job, and another amount', async () => {
    const { id } = shown(await create());
    const form = { 'job.expression': '0 0 6 * * ?', amount: '5.00', currency: 'EUR' };
    const answer = await harness.post(`${PATH}/${id}/reschedule`, form);
    expect(shown(answer)).toMatchObject({
      id,
      paymentType: 'RS',
      amount: '5.00',
      job: { expression: '0 0 6 * * ?' },
    });
    expect(shown(await read(id)).nextExecutions[0]).toBe('2026-11-21 06:00:00+0000');
    expect(
      faults(await harness.post(`${PATH}/${id}/reschedule`, { amount: '5.00', 'job.hour': '1' }))[0],
    ).toBe('200.300.404');
  });

  it.each(['POST', 'DELETE'])('ends at once without a notice: %s', async (method) => {
    const { id } = shown(await create());
    const answer =
      method === 'POST'
        ? await harness.post(`${PATH}/${id}/deschedule`, { paymentType: 'DS' })
        : await harness.send('DELETE', `${PATH}/${id}?entityId=${ENTITY}`);
    expect(shown(answer)).toMatchObject({ id, paymentType: 'DS', state: 'descheduled', nextExecutions: [] });
    expect(faults(await harness.post(`${PATH}/${id}/deschedule`, {}))[0]).toBe('100.360.303');
    expect(faults(await harness.post(`${PATH}/${id}/reschedule`, MONTHLY))[0]).toBe('100.360.300');
  });

  it('runs on while its notice lasts', async () => {
    const notice = { 'job.noticeNumber': '2', 'job.noticeUnit': 'MONTH', 'job.noticeCallable': 'ANYTIME' };
    const { id } = shown(await create({ ...MONTHLY, ...notice }));
    const descheduled = shown(await harness.post(`${PATH}/${id}/deschedule`, {}));
    expect(descheduled).toMatchObject({
      state: 'active',
      end: '2027-01-20 12:00:00+0000',
      nextExecutions: ['2026-12-31 09:00:00+0000'],
    });
  });

  it('runs on to its end where it cannot be ended before', async () => {
    const job = {
      ...MONTHLY,
      'job.durationNumber': '6',
      'job.durationUnit': 'MONTH',
      'job.noticeCallable': 'DURATION_END',
    };
    const { id } = shown(await create(job));
    expect(shown(await harness.post(`${PATH}/${id}/deschedule`, {}))).toMatchObject({
      state: 'active',
      end: '2027-05-20 12:00:00+0000',
    });
  });

  it('is notified when made, changed and ended', async () => {
    const { id } = shown(await create());
    await harness.clock.advance(1);
    await harness.post(`${PATH}/${id}/reschedule`, { 'job.hour': '1', 'job.month': '*' });
    await harness.clock.advance(1);
    await harness.post(`${PATH}/${id}/deschedule`, {});
    const events = await eventsOfEntity(harness.store, ENTITY);
    const ofSchedules = events.filter(({ kind }) => kind.startsWith('schedule-'));
    expect(ofSchedules.map(({ kind }) => kind)).toEqual([
      'schedule-created',
      'schedule-changed',
      'schedule-ended',
    ]);
    expect(JSON.parse(ofSchedules[2]?.payload ?? '')).toMatchObject({ id, state: 'descheduled' });
  });

  it('needs the right for money to a card where it sends some', async () => {
    await addToken(harness.store, 'tb_paying-token-of-the-merchant', ['pay']);
    const { id } = shown(await create({ ...MONTHLY, paymentType: 'CD' }));
    const authorization = 'Bearer tb_paying-token-of-the-merchant';
    const end = await harness.send('POST', `${PATH}/${id}/deschedule`, {
      body: `entityId=${ENTITY}`,
      authorization,
    });
    expect([end.status, end.body.result.code]).toEqual([403, '800.900.301']);
    const body = new URLSearchParams({
      entityId: ENTITY,
      registrationId,
      amount: '1.00',
      currency: 'EUR',
      paymentType: 'CD',
      ...MONTHLY,
    });
    expect((await harness.send('POST', PATH, { body: body.toString(), authorization })).status).toBe(403);
  });

  it('answers 404 for one that is not there, and 400 where it should be changed', async () => {
    const id = 'f'.repeat(32);
    expect((await read(id)).status).toBe(404);
    expect((await harness.post(`${PATH}/${id}/deschedule`, {})).body.result.code).toBe('100.360.303');
    expect((await harness.post(`${PATH}/${id}/reschedule`, MONTHLY)).body.result.code).toBe('100.360.300');
    expect((await harness.send('DELETE', `${PATH}/${id}`)).status).toBe(404);
  });
});
