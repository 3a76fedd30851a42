import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../../app/http/http-harness.test.support.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { type Change, FIND_LIMIT } from '../../../kernel/store/store.js';
import { OTHER_ENTITY, restPayment } from '../../payments/payment-harness.test.support.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const ENTITY = 'a'.repeat(32);
const pay = (merchantTransactionId: string, more = {}) =>
  harness.post('/v1/payments', { ...CARD, merchantTransactionId, ...more });
const query = (more: Readonly<Record<string, string>>) =>
  harness.get(`/v3/query?${new URLSearchParams({ entityId: ENTITY, ...more })}`);
const DAY = { 'date.from': '2026-11-20 00:00:00', 'date.to': '2026-11-20 23:59:59' };
const idsOf = ({ records }: { readonly records: readonly { readonly id: string }[] }) =>
  records.map(({ id }) => id);
const nothing = { status: 404, body: { result: { code: '700.400.580' } } };

describe('GET /v3/query', () => {
  it('finds every payment with the reference, newest first, and no other', async () => {
    const first = (await pay('order-0001')).body.id;
    await harness.clock.advance(1_000);
    const second = (await pay('order-0001', { paymentType: 'DB' })).body.id;
    await pay('order-0002');
    const { status, body } = await query({ merchantTransactionId: 'order-0001' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: { code: '000.000.100' },
      buildNumber: 'test',
      ndc: expect.stringMatching(/^[A-Za-z0-9-]{1,69}$/),
      pages: 1,
    });
    expect(body.records.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect(body).not.toHaveProperty('payments');
    const { body: read } = await harness.get(`/v1/payments/${first}`);
    expect(read).toMatchObject({ ...body.records[1], ndc: read.ndc });
    const debits = await query({ merchantTransactionId: 'order-0001', paymentTypes: 'DB,RF' });
    expect(debits.body.records.map(({ id }: { id: string }) => id)).toEqual([second]);
  });

  it('finds a payment without an outcome', async () => {
    harness.line.cut = true;
    const { id } = (await pay('order-0001')).body;
    const { body } = await query({ merchantTransactionId: 'order-0001' });
    expect(body.records).toMatchObject([{ id, result: { code: '000.200.001' } }]);
    harness.line.cut = false;
    await harness.service.resolveOpen();
    const later = await query({ merchantTransactionId: 'order-0001' });
    expect(later.body.records).toMatchObject([{ id, result: { code: '900.100.301' } }]);
  });

  it('finds it however many payments of others are open', async () => {
    harness.line.cut = true;
    await harness.service
      .authorize(restPayment({ origin: { kind: 'rest', entityId: OTHER_ENTITY }, reference: 'order-0001' }))
      .catch(() => undefined);
    const [theirs] = await harness.store.find('intents', 'state', ['open']);
    if (!theirs) throw new Error('no payment is open');
    const others = Array.from({ length: FIND_LIMIT + 50 }, (_, at): Change => {
      const id = at.toString(16).padStart(32, '0');
      return {
        op: 'insert',
        table: 'intents',
        row: { ...theirs, id, paymentId: `p${id.slice(1)}`, version: 1 },
      };
    });
    await harness.store.commit(others);
    const { id } = (await pay('order-0001')).body;
    const { body } = await query({ merchantTransactionId: 'order-0001' });
    expect(body.records).toMatchObject([{ id, result: { code: '000.200.001' } }]);
  });

  it('answers that nothing was found when nothing has the reference, or what has it is another entity’s', async () => {
    expect(await query({ merchantTransactionId: 'order-0001' })).toMatchObject(nothing);
    await harness.service.authorize({
      origin: { kind: 'rest', entityId: OTHER_ENTITY },
      type: 'DB',
      amount: { minor: 100, currency: 'EUR' },
      reference: 'order-0001',
      card: { number: CARD['card.number'], expiryMonth: '12', expiryYear: '2031' },
    });
    expect(await query({ merchantTransactionId: 'order-0001' })).toMatchObject(nothing);
    const foreign = await query({ merchantTransactionId: 'order-0001', entityId: OTHER_ENTITY });
    expect(foreign).toMatchObject({ status: 403, body: { result: { code: '800.900.301' } } });
  });

  it.each([
    [{}, 'merchantTransactionId'],
    [{ merchantTransactionId: 'order-0001', limit: '99' }, 'limit'],
    [{ shortId: '1234.5678.9012' }, 'merchantTransactionId'],
    [{ merchantTransactionId: 'order-0001', includeLinkedTransactions: 'yes' }, 'includeLinkedTransactions'],
    [{ merchantTransactionId: 'order-0001', ...DAY }, 'merchantTransactionId'],
    [{ 'date.from': DAY['date.from'] }, 'date.to'],
    [{ 'date.to': DAY['date.to'] }, 'date.from'],
    [{ 'date.from': '2026-11-21 00:00:00', 'date.to': '2026-11-20 00:00:00' }, 'date.to'],
    [{ 'date.from': '2026-11-20', 'date.to': '2026-11-21' }, 'date.from'],
    [{ ...DAY, paymentTypes: 'DB,XX' }, 'paymentTypes'],
    [{ ...DAY, paymentMethods: 'CARD' }, 'paymentMethods'],
    [{ ...DAY, limit: '501' }, 'limit'],
    [{ ...DAY, pageNo: '0' }, 'pageNo'],
    [{ ...DAY, pageNo: '101' }, 'pageNo'],
    [{ merchantTransactionID: 'order-0001' }, 'merchantTransactionID'],
  ] as [Record<string, string>, string][])('refuses %j, naming %s', async (parameters, name) => {
    const { status, body } = await query(parameters);
    expect(status).toBe(400);
    expect(body.result.code).toBe('200.300.404');
    expect(body.result.parameterErrors.map((error: { name: string }) => error.name)).toContain(name);
  });
});

describe('a query by time', () => {
  const minute = 60_000;
  /** Payments, a minute apart, the newest first. */
  const payments = async (...forms: readonly Record<string, string>[]) => {
    const ids: string[] = [];
    for (const form of forms) {
      ids.unshift((await harness.post('/v1/payments', { ...CARD, ...form })).body.id);
      await harness.clock.advance(minute);
    }
    return ids;
  };

  it('finds what was made from the first to the last second, newest first', async () => {
    const [third, second, first] = await payments({}, {}, {});
    expect(idsOf((await query(DAY)).body)).toEqual([third, second, first]);
    const exact = { 'date.from': '2026-11-20 12:00:00', 'date.to': '2026-11-20 12:01:00' };
    expect(idsOf((await query(exact)).body)).toEqual([second, first]);
    const empty = { 'date.from': '2026-11-20 12:00:01', 'date.to': '2026-11-20 12:00:59' };
    expect(await query(empty)).toMatchObject(nothing);
  });

  it('keeps to the types, the methods and the short id that are requested', async () => {
    const [both, debit, held] = await payments(
      { paymentType: 'PA' },
      { paymentType: 'DB' },
      { paymentType: 'PA.CP' },
    );
    const find = async (more: Record<string, string>) => {
      const { status, body } = await query({ ...DAY, ...more });
      return status === 404 ? [] : idsOf(body);
    };
    expect(await find({ paymentTypes: 'DB' })).toEqual([debit]);
    expect(await find({ paymentTypes: 'PA' })).toEqual([both, held]);
    expect(await find({ paymentTypes: 'CP,DB' })).toEqual([both, debit]);
    expect(await find({ paymentTypes: 'CB' })).toEqual([]);
    expect(await find({ paymentMethods: 'CC,DD' })).toEqual([both, debit, held]);
    expect(await find({ paymentMethods: 'DD' })).toEqual([]);
    const { shortId = '' } = (await harness.store.get('payments', [debit ?? ''])) ?? {};
    expect(await find({ shortId })).toEqual([debit]);
    expect(await find({ shortId, paymentTypes: 'PA' })).toEqual([]);
  });

  it('goes page by page through more than a page, over all channels of a merchant, each payment once', async () => {
    const channels = ['c1', 'c2', 'c3'].map((name) => name.padEnd(32, '0'));
    const [template] = await payments({});
    const row = await harness.store.get('payments', [template ?? '']);
    if (!row) throw new Error('no payment');
    await harness.store.commit([
      ...channels.map(
        (id): Change => ({
          op: 'insert',
          table: 'entities',
          row: {
            id,
            kind: 'channel',
            parentId: ENTITY,
            name: id,
            compatibility: 'specification',
            createdAtMs: 1,
            version: 1,
          },
        }),
      ),
      ...Array.from({ length: 330 }, (_, at): Change => {
        const id = at.toString(16).padStart(32, '0');
        // Several of one time.
        const createdAtMs = row.createdAtMs - 1_000 * Math.floor(at / 7);
        const entityId = channels[at % 3] ?? ENTITY;
        return { op: 'insert', table: 'payments', row: { ...row, id, entityId, createdAtMs } };
      }),
    ]);
    const seen: string[] = [];
    for (let page = 1; page <= 4; page += 1) {
      const { body } = await query({ ...DAY, limit: '100', pageNo: String(page) });
      seen.push(...idsOf(body));
      expect(body.pages).toBe(4);
    }
    expect((await query({ ...DAY, limit: '331' })).body.pages).toBe(1);
    expect((await query({ ...DAY, limit: '330' })).body.pages).toBe(2);
    expect(seen).toHaveLength(331);
    expect(new Set(seen).size).toBe(331);
    expect(await query({ ...DAY, limit: '100', pageNo: '5' })).toMatchObject(nothing);
  });

  it('counts the pages of what is requested alone, up to one more than may be read', async () => {
    const [template] = await payments({ paymentType: 'PA.CP' });
    const row = await harness.store.get('payments', [template ?? '']);
    if (!row) throw new Error('no payment');
    const make = (from: number, to: number, more: Partial<PaymentRow>) =>
      harness.store.commit(
        Array.from({ length: to - from }, (_, at): Change => {
          const id = (from + at).toString(16).padStart(32, '0');
          return {
            op: 'insert',
            table: 'payments',
            row: { ...row, id, createdAtMs: row.createdAtMs - from - at, ...more },
          };
        }),
      );
    await make(0, 150, { type: 'PA' });
    await make(150, 300, { type: 'PA', captureReference: null });
    await make(300, 450, { type: 'CP', captureReference: null, referencedId: row.id });
    const pages = async (more: Record<string, string>) => (await query({ ...DAY, ...more })).body.pages;
    expect(await pages({})).toBe(5);
    expect(await pages({ paymentTypes: 'CP' })).toBe(4);
    expect(await pages({ paymentTypes: 'PA' })).toBe(4);
    expect(await pages({ paymentTypes: 'PA,CP' })).toBe(5);
    expect(await pages({ paymentTypes: 'CP', paymentMethods: 'CC,DD' })).toBe(4);
    expect(await pages({ merchantTransactionId: '' })).toBe(5);
    await make(450, 10_450, { type: 'DB' });
    expect(await pages({})).toBe(101);
    expect(await pages({ limit: '300' })).toBe(35);
    expect(idsOf((await query({ ...DAY, limit: '300', pageNo: '34' })).body)).toHaveLength(300);
    expect((await query({ ...DAY, limit: '300', pageNo: '35' })).status).toBe(400);
  });

  it('counts the pages of one reference', async () => {
    const [template] = await payments({ merchantTransactionId: 'order-0001' });
    const row = await harness.store.get('payments', [template ?? '']);
    if (!row) throw new Error('no payment');
    await harness.store.commit(
      Array.from({ length: 322 }, (_, at): Change => {
        const id = at.toString(16).padStart(32, '0');
        return { op: 'insert', table: 'payments', row: { ...row, id } };
      }),
    );
    const { body } = await query({ merchantTransactionId: 'order-0001', limit: '100' });
    expect(body).toMatchObject({ pages: 4, records: { length: 100 } });
    const last = await query({ merchantTransactionId: 'order-0001', limit: '100', pageNo: '4' });
    expect(last.body).toMatchObject({ pages: 4, records: { length: 23 } });
  });

  it('answers older clients under both names', async () => {
    const entity = await harness.store.get('entities', [ENTITY]);
    if (!entity) throw new Error('no entity');
    await harness.store.commit([
      { op: 'update', table: 'entities', row: { ...entity, compatibility: 'legacy' } },
    ]);
    const [id = ''] = await payments({});
    for (const { body } of [await query(DAY), await harness.get(`/v3/query/${id}?entityId=${ENTITY}`)]) {
      expect(idsOf(body)).toEqual([id]);
      expect(body.payments).toEqual(body.records);
    }
  });

  it('gives what is linked with what it finds, where that is requested', async () => {
    const [sale = ''] = await payments({ paymentType: 'DB', merchantTransactionId: 'order-0001' });
    const refund = await harness.post(`/v1/payments/${sale}`, {
      paymentType: 'RF',
      amount: '1.00',
      currency: 'EUR',
    });
    const selected = { merchantTransactionId: 'order-0001' };
    expect(idsOf((await query(selected)).body)).toEqual([sale]);
    const linked = await query({ ...selected, includeLinkedTransactions: 'true' });
    expect(idsOf(linked.body)).toEqual([sale, refund.body.id]);
    expect(linked.body.records[0]).not.toHaveProperty('referencedId');
    expect(linked.body.records[1]).toMatchObject({ referencedId: sale });
    const byId = await harness.get(
      `/v3/query/${refund.body.id}?entityId=${ENTITY}&includeLinkedTransactions=true`,
    );
    expect(idsOf(byId.body)).toEqual([sale, refund.body.id]);
    expect(idsOf((await harness.get(`/v3/query/${refund.body.id}?entityId=${ENTITY}`)).body)).toEqual([
      refund.body.id,
    ]);
    const debits = `/v3/query/${refund.body.id}?entityId=${ENTITY}&includeLinkedTransactions=true&paymentTypes=DB`;
    expect(idsOf((await harness.get(debits)).body)).toEqual([sale]);
  });

  it('gives what is linked and has no outcome yet', async () => {
    const [sale = ''] = await payments({ paymentType: 'DB', merchantTransactionId: 'order-0001' });
    harness.line.cut = true;
    const { body } = await harness.post(`/v1/payments/${sale}`, {
      ...{ paymentType: 'RF', amount: '1.00', currency: 'EUR' },
    });
    expect(body.result.code).toBe('000.200.001');
    const linked = () => query({ merchantTransactionId: 'order-0001', includeLinkedTransactions: 'true' });
    const { records } = (await linked()).body;
    expect(idsOf({ records })).toEqual([sale, body.id]);
    expect(records[1]).toMatchObject({
      paymentType: 'RF',
      referencedId: sale,
      result: { code: '000.200.001' },
    });
    harness.line.cut = false;
    await harness.service.resolveOpen();
    const ended = (await linked()).body;
    expect(idsOf(ended)).toEqual([sale, body.id]);
    expect(ended.records[1]?.result.code).not.toBe('000.200.001');
  });

  it('finds nothing of another merchant', async () => {
    await payments({});
    await harness.service.authorize(restPayment({ origin: { kind: 'rest', entityId: OTHER_ENTITY } }));
    expect((await query(DAY)).body.records).toHaveLength(1);
    expect((await query({ ...DAY, entityId: OTHER_ENTITY })).status).toBe(403);
  });

  it('answers under /v1 with the list that the first version has', async () => {
    const ids = await payments({}, {});
    const { body } = await harness.get(`/v1/query?${new URLSearchParams({ entityId: ENTITY, ...DAY })}`);
    expect(body.payments.map(({ id }) => id)).toEqual(ids);
    expect(body).not.toHaveProperty('records');
  });

  it('takes no parameter with an id that looks for others', async () => {
    const [id = ''] = await payments({});
    const { status, body } = await harness.get(
      `/v3/query/${id}?entityId=${ENTITY}&merchantTransactionId=order-0001`,
    );
    expect(status).toBe(400);
    expect(body.result.parameterErrors).toMatchObject([{ name: 'merchantTransactionId' }]);
    expect(await harness.get(`/v3/query/${'0'.repeat(32)}?entityId=${ENTITY}`)).toMatchObject(nothing);
  });
});

describe('GET /v1/query/{id}', () => {
  it('answers like the payment itself', async () => {
    const { id } = (await pay('order-0001')).body;
    const { status, body } = await harness.get(`/v1/query/${id}?entityId=${ENTITY}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, paymentType: 'PA', amount: '12.34', result: { code: '000.100.110' } });
  });

  it('does not find what is unknown, and wants a token', async () => {
    const path = `/v1/query/${'0'.repeat(32)}`;
    expect(await harness.get(path)).toMatchObject(nothing);
    expect((await harness.send('GET', path, { authorization: null })).status).toBe(401);
    expect((await harness.send('POST', path, { body: 'a=b' })).status).toBe(405);
  });
});
