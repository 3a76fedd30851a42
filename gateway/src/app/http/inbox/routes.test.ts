import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AGENT,
  ENGINES,
  ENTITY,
  NOW_MS,
  OTHER_ENTITY,
  storeOf,
} from '../../../core/payments/payment-harness.test.support.js';
import { setRiskRules } from '../../../features/risk/entity-rules.js';
import { readRiskRules } from '../../../features/risk/rules/risk-rules.js';
import { openReceiver, type Receiver } from '../../../features/webhooks/webhook-harness.test.support.js';
import { alertId, clearAlert, type NewAlert, raiseAlert } from '../../../kernel/alerts/alert-changes.js';
import { ALERT_CODES, type AlertCode } from '../../../kernel/alerts/alert-table.js';
import { INBOX_KIND_NAMES } from '../../../kernel/api/catalogue/administration/inbox.js';
import { allRows } from '../../../kernel/store/all-rows.js';
import type { ParkedRow } from '../../../kernel/store/rows.js';
import { addToken, CARD, type HttpHarness, openHttpHarness, TOKEN } from '../http-harness.test.support.js';

const ADMINISTRATOR = 'tb_administrator-token-of-the-tests';
const STRANGER = 'tb_administrator-token-of-the-stranger';
const OPERATOR = 'tb_administrator-token-of-the-operator';
const KSN = 'FFFF9877A1B2C9000000';

interface Item {
  readonly kind: string;
  readonly id: string;
  readonly severity: string;
  readonly detail: string;
  readonly action: {
    readonly name: string;
    readonly money: string;
    readonly right: string;
    readonly parameters: readonly { readonly name: string; readonly value?: string }[];
  };
}
interface Page {
  readonly items: readonly Item[];
  readonly counts: Readonly<Record<string, number>>;
  readonly more: readonly string[];
  readonly next?: string;
}

const PARKED: ParkedRow = {
  ...{ agentId: AGENT, messageId: 'm-1', terminalId: '1', kind: 'reversal', sequence: 4, reference: 'R-1' },
  ...{ reasonCode: 'handling-failed', reason: 'the message failed again and again', state: 'waiting' },
  ...{ note: null, message: 'c0ffee', keyId: null, createdAtMs: NOW_MS, version: 1 },
};
const PARKED_ALERT: NewAlert = {
  ...{ code: 'message-parked', subject: `${AGENT}/m-1`, entityId: ENTITY },
  detail: 'reversal of terminal 1: the message failed again and again',
};
const PARKED_ID = alertId('message-parked', `${AGENT}/m-1`);

describe.each(ENGINES)('the inbox on %s', (engine) => {
  let harness: HttpHarness;
  beforeEach(async () => {
    harness = await openHttpHarness(storeOf(engine));
    await addToken(harness.store, ADMINISTRATOR, ['administration']);
    await addToken(harness.store, OPERATOR, ['administration', 'operator']);
    await addToken(harness.store, STRANGER, ['administration'], {
      ...{ entityId: OTHER_ENTITY, merchantId: OTHER_ENTITY },
    });
  });
  afterEach(() => harness.dispose());

  const raise = (...alerts: readonly NewAlert[]) =>
    harness.store.commit(alerts.map((alert) => raiseAlert(alert, harness.clock.nowMs())));
  const inbox = async (query = '', token = ADMINISTRATOR) => {
    const { status, body } = await harness.send('GET', `/v1/inbox?${query}`, {
      authorization: `Bearer ${token}`,
    });
    return { status, result: body.result, ...(body as unknown as Page) };
  };
  const resolve = async (
    kind: string,
    id: string,
    form: Readonly<Record<string, string>> = {},
    token = ADMINISTRATOR,
  ) => {
    const { status, body } = await harness.send('POST', `/v1/inbox/${kind}/${id}/resolution`, {
      authorization: `Bearer ${token}`,
      body: new URLSearchParams(form).toString(),
    });
    return { status, body };
  };
  const records = async () =>
    (await allRows(harness.store, 'audit')).map(
      ({ actor, action, subject }) => `${actor}: ${action} ${subject}`,
    );
  const park = async () => {
    await harness.store.commit([{ op: 'insert', table: 'parked', row: PARKED }]);
    await raise(PARKED_ALERT);
  };

  it('shows every alert code to an operator, each under one kind, with what its action does to the money', async () => {
    await raise(...ALERT_CODES.map((code): NewAlert => ({ code, subject: 'x/y', detail: '' })));
    const { items, counts } = await inbox('limit=500', OPERATOR);
    expect(items).toHaveLength(ALERT_CODES.length);
    expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(items.length);
    for (const { kind, action } of items) {
      expect(INBOX_KIND_NAMES).toContain(kind);
      expect(action.money).toMatch(/\.$/);
    }
    expect(items.map(({ severity }) => severity)).toEqual(items.map(({ severity }) => severity).sort());
    // The consistency check counts a failed settlement while its alert stands.
    await harness.store.commit([clearAlert('settlement-incomplete', 'x/y', NOW_MS)]);
  });

  it('shows a merchant what is about its stores alone, and lets it reach nothing else', async () => {
    const foreign: NewAlert = {
      code: 'agent-cloned',
      subject: 'store-9',
      entityId: OTHER_ENTITY,
      detail: '',
    };
    const ofGateway: NewAlert = { code: 'acquirer-silent', subject: 'INTERNAL', detail: '' };
    await park();
    await raise(foreign, ofGateway);
    expect((await inbox()).items.map(({ id }) => id)).toEqual([PARKED_ID]);
    expect((await inbox('', STRANGER)).items).toMatchObject([{ kind: 'alert', agentId: 'store-9' }]);
    expect((await inbox('', OPERATOR)).items).toHaveLength(3);
    expect((await inbox(`entityId=${OTHER_ENTITY}`)).status).toBe(403);
    expect((await inbox('', TOKEN)).status).toBe(403);
    const before = await allRows(harness.store, 'alerts');
    const unknown = await resolve(
      'parked-message',
      '0'.repeat(32),
      { decision: 'drop', note: 'x' },
      STRANGER,
    );
    const ofOther = await resolve('parked-message', PARKED_ID, { decision: 'drop', note: 'x' }, STRANGER);
    expect(unknown.status).toBe(404);
    expect(ofOther).toMatchObject({ status: 404, body: { result: unknown.body.result } });
    for (const { code, subject } of [foreign, ofGateway])
      expect((await resolve('alert', alertId(code, subject))).status).toBe(404);
    expect(await allRows(harness.store, 'alerts')).toEqual(before);
    expect(await records()).toEqual([]);
  });

  it('counts, filters and goes page by page, while others come and go', async () => {
    await park();
    for (let at = 0; at < 7; at += 1) {
      await raise({ code: 'agent-cloned', subject: `store-${at}`, entityId: ENTITY, detail: '' });
      await harness.clock.advance(1);
    }
    await raise({ code: 'webhook-paused', subject: 'e1', entityId: ENTITY, detail: 'moving' });
    const all = await inbox();
    expect(all).toMatchObject({ counts: { alert: 7, 'parked-message': 1, webhook: 1 }, more: [] });
    expect(all.items.at(-1)).toMatchObject({ kind: 'webhook', severity: 'warning' });
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const page = await inbox(`limit=2${next === undefined ? '' : `&after=${next}`}`);
      seen.push(...page.items.map(({ id }) => id));
      if (next === undefined) await resolve('alert', seen[1] ?? '');
      next = page.next;
    } while (next !== undefined);
    expect(seen).toEqual(all.items.map(({ id }) => id));
    expect((await inbox('kind=webhook')).items).toHaveLength(1);
    expect((await inbox('severity=warning')).items).toHaveLength(1);
    expect((await inbox('agentId=store-3')).items).toMatchObject([{ agentId: 'store-3' }]);
    expect((await inbox('kind=gone')).result.parameterErrors).toMatchObject([{ name: 'kind' }]);
  });

  it('has a parked message processed again, or drops it, once', async () => {
    await park();
    const [item] = (await inbox()).items;
    expect(item?.action.money).toContain('Retry gives back what the sale took');
    expect(await resolve('parked-message', PARKED_ID)).toMatchObject({
      ...{ status: 400, body: { result: { parameterErrors: [{ name: 'decision' }] } } },
    });
    const retried = await resolve('parked-message', PARKED_ID, { decision: 'retry' });
    expect(retried.body).toMatchObject({
      kind: 'parked-message',
      id: PARKED_ID,
      outcome: 'done',
      state: 'retry',
    });
    expect((await resolve('parked-message', PARKED_ID, { decision: 'retry' })).body).toMatchObject({
      ...{ outcome: 'already', state: 'retry' },
    });
    const noted = { decision: 'drop', note: 'resolved at the till' };
    expect((await resolve('parked-message', PARKED_ID, noted)).body).toMatchObject({ outcome: 'done' });
    expect(await harness.store.get('parked', [AGENT, 'm-1'])).toMatchObject({
      state: 'dropped',
      message: null,
    });
    expect((await resolve('parked-message', PARKED_ID, noted)).body).toMatchObject({ outcome: 'already' });
    expect((await inbox()).items).toEqual([]);
    const record = `token ${ADMINISTRATOR}: inbox parked-message ${PARKED_ID}`;
    expect(await records()).toEqual([record, record]);
  });

  it('leaves to the operator what a store may do', async () => {
    const row: ParkedRow = { ...PARKED, reasonCode: 'outside-policy' };
    await harness.store.commit([{ op: 'insert', table: 'parked', row }]);
    await raise(PARKED_ALERT);
    expect((await resolve('parked-message', PARKED_ID, { decision: 'retry' })).status).toBe(403);
    expect((await resolve('parked-message', PARKED_ID, { decision: 'retry' }, OPERATOR)).status).toBe(200);
  });

  it('adds a refused device with its serial, by the operator alone, and the same twice adds one', async () => {
    const command = `devices add SERIAL --type GERTEC_PPC930 --account-ksn ${KSN} --agent ${AGENT} --terminal 1`;
    const detail = `no device has this initial KSN; tillbridge-gateway ${command}`;
    await raise({ code: 'device-refused', subject: `${AGENT}/1`, entityId: ENTITY, detail });
    for (const row of await allRows(harness.store, 'devices'))
      if (row.terminalId === '1') {
        const { serial, version } = row;
        await harness.store.commit([{ op: 'delete', table: 'devices', key: [serial], version }]);
      }
    const id = alertId('device-refused', `${AGENT}/1`);
    const [item] = (await inbox()).items;
    expect(item).toMatchObject({
      kind: 'refused-device',
      agentId: AGENT,
      action: { name: 'add', right: 'operator' },
    });
    expect((await resolve('refused-device', id, { serial: 'G0007001' })).status).toBe(403);
    const missing = await resolve('refused-device', id, {}, OPERATOR);
    expect(missing.body.result.parameterErrors).toMatchObject([{ name: 'serial' }]);
    const taken = await resolve('refused-device', id, { serial: 'S2' }, OPERATOR);
    expect(taken).toMatchObject({
      status: 409,
      body: { result: { parameterErrors: [{ name: 'serial', value: 'S2' }] } },
    });
    const added = await resolve('refused-device', id, { serial: 'G0007001' }, OPERATOR);
    expect(added.body).toMatchObject({ outcome: 'done', state: 'cleared' });
    expect(await harness.store.get('devices', ['G0007001'])).toMatchObject({
      ...{ accountKsn: KSN, agentId: AGENT, terminalId: '1', entityId: ENTITY, state: 'active' },
    });
    expect((await resolve('refused-device', id, { serial: 'G0007001' }, OPERATOR)).body).toMatchObject({
      outcome: 'already',
    });
    expect(await records()).toEqual([`token ${OPERATOR}: devices add G0007001`]);
  });

  it('unlocks a device, and explains a difference', async () => {
    const row = { kind: 'device', subject: 'S1', failures: 10, sinceMs: NOW_MS, version: 1 } as const;
    await harness.store.commit([{ op: 'insert', table: 'accountFailures', row }]);
    const key = 'amount-differs payment/p1';
    await raise(
      { code: 'device-locked', subject: 'S1', entityId: ENTITY, detail: '' },
      { code: 'unexplained-difference', subject: key, detail: '12.34 and 12.35' },
    );
    const locked = alertId('device-locked', 'S1');
    expect((await resolve('refused-device', locked, {}, OPERATOR)).body).toMatchObject({ outcome: 'done' });
    expect(await harness.store.get('accountFailures', ['device', 'S1'])).toBeUndefined();
    const differs = alertId('unexplained-difference', key);
    expect(
      (await resolve('difference', differs, { note: 'the bank corrects it' }, OPERATOR)).body,
    ).toMatchObject({
      ...{ outcome: 'done', state: 'cleared' },
    });
    expect(await harness.store.get('explanations', ['amount-differs', 'payment/p1'])).toMatchObject({
      note: 'the bank corrects it',
    });
    expect((await inbox('', OPERATOR)).items).toEqual([]);
    expect((await records()).sort()).toEqual([
      `token ${OPERATOR}: devices unlock S1`,
      `token ${OPERATOR}: inbox difference ${differs}`,
    ]);
  });

  it('retries a quarantined file, or drops it', async () => {
    const file = {
      ...{ acquirer: 'EXTERNAL', name: 'day.csv', kind: 'settlement', state: 'quarantined', size: 1 },
      ...{ modified: '1', rows: null, faults: '["row 2"]', note: null, createdAtMs: NOW_MS, version: 1 },
    } as const;
    await harness.store.commit([{ op: 'insert', table: 'acquirerFiles', row: file as never }]);
    await raise({ code: 'acquirer-file-quarantined', subject: 'EXTERNAL/day.csv', detail: 'row 2' });
    const id = alertId('acquirer-file-quarantined', 'EXTERNAL/day.csv');
    const send = (form: Readonly<Record<string, string>>) => resolve('acquirer-file', id, form, OPERATOR);
    expect((await send({ decision: 'retry' })).body).toMatchObject({ outcome: 'done', state: 'due' });
    expect((await send({ decision: 'retry' })).body).toMatchObject({ outcome: 'already', state: 'due' });
    expect((await send({ decision: 'release' })).status).toBe(409);
    expect((await send({ decision: 'drop', note: 'sent twice' })).body).toMatchObject({ state: 'dropped' });
    expect((await inbox('', OPERATOR)).items).toEqual([]);
  });

  describe('a review', () => {
    const waiting = async (): Promise<string> => {
      const rules = [{ name: 'much', kind: 'amount', currency: 'EUR', above: '1.00', action: 'review' }];
      await setRiskRules(harness, ENTITY, readRiskRules(JSON.stringify({ rules })));
      const { body } = await harness.post('/v1/payments', CARD);
      return body.id;
    };

    it('says what release and refusal do to the money', async () => {
      const id = await waiting();
      const { items } = await inbox();
      expect(items).toMatchObject([
        {
          ...{
            kind: 'review',
            id,
            paymentId: id,
            severity: 'critical',
            detail: '12.34 EUR, result code 100.400.500',
          },
          action: { money: 'Release requests 12.34 EUR from the acquirer. Refuse moves no money.' },
        },
      ]);
    });

    it('of ten browsers has one effect, and nine clear answers', async () => {
      const id = await waiting();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          resolve('review', id, { decision: at % 2 ? 'refuse' : 'release' }),
        ),
      );
      const outcomes = answers.map(({ status, body }) =>
        status === 200 ? (body as unknown as { outcome: string }).outcome : `${status}`,
      );
      expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
      expect(outcomes.filter((each) => each === 'already')).toHaveLength(4);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(5);
      for (const { body } of refused)
        expect(body.result.parameterErrors[0]?.message).toMatch(
          /^the payment was (released|refused) before, by token .*: the first word counts$/,
        );
      expect(await records()).toEqual([`token ${ADMINISTRATOR}: inbox review ${id}`]);
      const entries = await harness.record.entriesAfter(0, 100);
      expect(entries.length).toBeLessThanOrEqual(1);
      expect((await inbox()).items).toEqual([]);
    });
  });

  describe('a webhook', () => {
    let receiver: Receiver;
    beforeEach(async () => {
      receiver = await openReceiver();
    });
    afterEach(() => receiver.close());

    it('that is paused is resumed; one that failed is tested, and gets again what was given up', async () => {
      const authorization = `Bearer ${ADMINISTRATOR}`;
      const post = async (path: string, form: Readonly<Record<string, string>>) => {
        const body = new URLSearchParams(form).toString();
        return (await harness.send('POST', path, { authorization, body })).body;
      };
      const made = await post('/v1/webhooks', { url: receiver.url });
      const { id } = (made as unknown as { webhook: { id: string } }).webhook;
      await post(`/v1/webhooks/${id}/test`, {});
      await post(`/v1/webhooks/${id}/pause`, { note: 'moving' });
      const paused = alertId('webhook-paused', id);
      expect((await resolve('webhook', paused)).body).toMatchObject({ outcome: 'done', state: 'cleared' });
      expect((await resolve('webhook', paused)).body).toMatchObject({ outcome: 'already' });
      await harness.post('/v1/payments', CARD);
      const [delivery] = await harness.store.find('deliveries', 'primary', [id, 1]);
      if (!delivery) throw new Error('nothing was queued');
      const givenUp = { ...delivery, state: 'givenUp', dueAtMs: null } as const;
      await harness.store.commit([{ op: 'update', table: 'deliveries', row: givenUp }]);
      await raise({ code: 'webhook-failing', subject: id, entityId: ENTITY, detail: 'HTTP 500' });
      const failing = alertId('webhook-failing', id);
      const answers = await Promise.all(Array.from({ length: 10 }, () => resolve('webhook', failing)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      expect(await harness.store.get('deliveries', [id, 1])).toMatchObject({ state: 'waiting' });
      expect((await inbox()).items).toEqual([]);
    });
  });

  it('acknowledges a late decline and any other alert once, of ten browsers', async () => {
    const codes: readonly AlertCode[] = ['offline-declined', 'agent-cloned'];
    await raise(...codes.map((code) => ({ code, subject: 'store-1', entityId: ENTITY, detail: '' })));
    for (const [kind, code] of [
      ['late-decline', 'offline-declined'],
      ['alert', 'agent-cloned'],
    ] as const) {
      const id = alertId(code, 'store-1');
      const sent = Array.from({ length: 10 }, (_, at) => resolve(kind, id, { note: `by ${at}` }));
      const outcomes = (await Promise.all(sent)).map(
        ({ body }) => (body as unknown as { outcome: string }).outcome,
      );
      expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
      expect(outcomes.filter((each) => each === 'already')).toHaveLength(9);
      expect((await records()).filter((each) => each.endsWith(id))).toHaveLength(1);
    }
    expect((await inbox()).items).toEqual([]);
  });

  it('shows texts of stores as they are, and answers JSON alone', async () => {
    const hostile = '<script>alert(1)</script>\u001b[31m=HYPERLINK("x")';
    await raise({ code: 'agent-cloned', subject: 'store-1', entityId: ENTITY, detail: hostile });
    const { headers, text } = await harness.send('GET', '/v1/inbox', {
      authorization: `Bearer ${ADMINISTRATOR}`,
    });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect((JSON.parse(text) as Page).items[0]?.detail).toBe(hostile);
  });
});
