import type { AcquirerCard } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import { DIALECT_NAMES } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { afterEach, describe, expect, it } from 'vitest';
import { LinkedGateway } from './linked-gateway.js';

const CARD: AcquirerCard = {
  kind: 'card',
  pan: '4200000000000000',
  expiryYear: '2034',
  expiryMonth: '12',
  cvv: '123',
};

let gateway: LinkedGateway;
afterEach(() => gateway.close());

/** Outcome and detail of each step. */
function outcomes(): string[] {
  return (gateway.report?.steps ?? []).map(({ step, outcome, detail }) => `${step} ${outcome}: ${detail}`);
}

/** Message types of each step, and notes, in their order. */
function eventsOf(step: string): string[] {
  const { events = [] } = gateway.report?.steps.find((each) => each.step === step) ?? {};
  return events.map((event) =>
    'note' in event ? event.note : `${event.direction} ${event.fields[0]?.value}`,
  );
}

const theExchange = async () => (await gateway.exchanges())[0];

describe.each(DIALECT_NAMES)('a trial of a link in %s', (dialect) => {
  it('signs on, tests the line, sells and reverses, and books agree', async () => {
    gateway = await LinkedGateway.open(dialect);
    expect(await gateway.try(CARD)).toBe(true);
    expect(outcomes()).toEqual([
      'sign-on passed: the host takes our sign-on',
      'echo passed: the host answers',
      expect.stringMatching(/^sale passed: approved, approval code \w{6}$/),
      'reversal passed: the host has acknowledged it',
    ]);
    const version = dialect === 'cmf' ? '2' : '0';
    const [sale, answer, ...reversal] = [...eventsOf('sale'), ...eventsOf('reversal')];
    expect([sale, answer]).toEqual([`sent ${version}200`, `received ${version}210`]);
    expect(reversal).toEqual([`sent ${version}420`, `received ${version}430`]);
    expect(JSON.stringify(gateway.report?.steps)).not.toContain(CARD.pan);
    const exchange = await theExchange();
    expect(exchange).toMatchObject({ state: 'reversed', sealed: null, keyId: null });
    expect(await gateway.differences()).toEqual([]);
    const day = await gateway.host.day();
    await gateway.settled(gateway.host.announceCutOver());
    await gateway.settled(gateway.compareTotals());
    expect(await gateway.importSettlement(day)).toEqual([]);
    expect(await gateway.differences()).toEqual([]);
  });

  it('explains each field by the dialect', async () => {
    gateway = await LinkedGateway.open(dialect);
    await gateway.try(CARD);
    const sent = gateway.report?.steps.find(({ step }) => step === 'sale')?.events[0];
    const fields = sent && 'fields' in sent ? sent.fields : [];
    expect(fields.find(({ field }) => field === '2')).toMatchObject({
      name: 'primary account number',
      value: '420000******0000',
      rule: expect.stringMatching(/^digits, up to 19, 2 digits/),
    });
    expect(fields.length).toBeGreaterThan(10);
    for (const { field, rule } of fields.slice(1)) expect(rule, field).toBeDefined();
  });

  it('fails where the host declines, and reverses nothing', async () => {
    gateway = await LinkedGateway.open(dialect);
    gateway.host.replaceRules([{ responseCode: '51' }]);
    expect(await gateway.try(CARD)).toBe(false);
    expect(outcomes().slice(2)).toEqual([
      'sale failed: the host declines: response code 51 (not sufficient funds)',
      'reversal skipped: there is nothing to reverse',
    ]);
    expect(gateway.sent.some(({ kind }) => kind === 'reversal')).toBe(false);
    expect(await theExchange()).toMatchObject({ state: 'answered', sealed: null });
    expect(await gateway.differences()).toEqual([]);
  });

  it.each(['lost', 'silent'] as const)('reverses a sale that is %s', async (name) => {
    gateway = await LinkedGateway.open(dialect);
    gateway.strike({ name, on: 'financial' });
    expect(await gateway.try(CARD)).toBe(false);
    expect(outcomes().slice(2)).toEqual([
      'sale failed: no answer that decides came in time: it is reversed',
      'reversal passed: the host has acknowledged it',
    ]);
    expect(await gateway.differences()).toEqual([]);
  });

  it('leaves the reversal of an approval to the next process, with its card', async () => {
    gateway = await LinkedGateway.open(dialect);
    gateway.strike({ name: 'lost', on: 'reversal', times: 100 });
    expect(await gateway.try(CARD)).toBe(false);
    expect(outcomes()[3]).toMatch(/^reversal failed: .*stays in the journal/);
    const open = await theExchange();
    expect(open).toMatchObject({ state: 'reversing', sealed: expect.any(String) });
    expect(JSON.stringify(open)).not.toContain(CARD.pan);
    gateway.strike();
    await gateway.restartGateway();
    expect(await gateway.differences()).toEqual([]);
    expect(gateway.sent.at(-1)).toMatchObject({
      kind: 'reversal',
      isRepeat: true,
      pan: CARD.pan,
      expiry: '3412',
    });
    expect(await theExchange()).toMatchObject({ state: 'reversed', sealed: null });
    expect(gateway.withoutCard).toEqual([]);
  });
});

it('reverses without a card that opens no more', async () => {
  gateway = await LinkedGateway.open();
  gateway.strike({ name: 'lost', on: 'reversal', times: 100 });
  await gateway.try(CARD);
  const open = await theExchange();
  const { store } = gateway.harness;
  if (open)
    await store.commit([{ op: 'update', table: 'linkExchanges', row: { ...open, sealed: '00'.repeat(40) } }]);
  gateway.strike();
  await gateway.restartGateway();
  expect(await gateway.differences()).toEqual([]);
  expect(gateway.withoutCard).toContain(open?.reference);
});

it('seals no card where reversals name none', async () => {
  gateway = await LinkedGateway.open('1987-binary', 'test', { followUps: 'reference' });
  gateway.strike({ name: 'lost', on: 'reversal', times: 100 });
  await gateway.try(CARD);
  expect(await theExchange()).toMatchObject({ state: 'reversing', sealed: null });
});

it('names wrong codes of the host, and sells nothing', async () => {
  gateway = await LinkedGateway.open('1987-binary', 'test', {}, { macMethod: 'none' });
  expect(await gateway.try(CARD)).toBe(false);
  expect(eventsOf('sign-on')).toContain('a message of the host is refused: a wrong authentication code');
  expect(outcomes()).toEqual([
    'sign-on failed: no host took the connection and our sign-on',
    'echo skipped: not signed on',
    'sale skipped: the line failed: nothing was sent',
    'reversal skipped: there is nothing to reverse',
  ]);
  expect(await gateway.exchanges()).toEqual([]);
});

it('shows a sign-on that the host leaves unanswered, as it does those with wrong codes', async () => {
  gateway = await LinkedGateway.open(
    '1987-binary',
    'test',
    { macMethod: 'cmac' },
    { macMethod: 'iso9797Algorithm3' },
  );
  expect(await gateway.try(CARD)).toBe(false);
  expect(eventsOf('sign-on')).toContain('sent 0800');
  expect(eventsOf('sign-on').some((event) => event.startsWith('received'))).toBe(false);
});

it('reports that no connection could be made', async () => {
  gateway = await LinkedGateway.open();
  gateway.hostIsUp = false;
  expect(await gateway.try(CARD)).toBe(false);
  expect(eventsOf('sign-on')).toEqual(['no connection: no route']);
});

it('sells nothing where the echo test is not answered', async () => {
  gateway = await LinkedGateway.open();
  gateway.strike({ name: 'lost', on: 'echo' });
  expect(await gateway.try(CARD)).toBe(false);
  expect(outcomes()[1]).toBe('echo failed: no answer came in time');
  expect(await gateway.exchanges()).toEqual([]);
});
