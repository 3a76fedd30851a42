import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DialectName } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { DIALECTS } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { framed } from '@tillbridge/wire/iso8583/message-frames.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../faults/seeded-random.js';
import { AcquirerHost } from './acquirer-host.js';
import { OPENING_BALANCE_MINOR } from './ledger/host-ledger.js';
import type { HostStore } from './ledger/host-store.js';
import { MemoryHostStore } from './ledger/memory-host-store.js';
import { AT_MS, reversalOf, SALE, TestGateway } from './line/gateway.test.support.js';
import type { HostFaultName } from './line/host-faults.js';

let home: string;
let clock: VirtualClock;
let host: AcquirerHost;
let bad: string[];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'acquirer-host-'));
  clock = new VirtualClock(AT_MS);
  bad = [];
  host = await open('1987-binary', new MemoryHostStore());
});
afterEach(async () => {
  await host.close();
  rmSync(home, { recursive: true });
});

function open(dialect: DialectName = '1987-binary', store?: HostStore): Promise<AcquirerHost> {
  return AcquirerHost.open({
    ...(store && { store }),
    home,
    dialect: DIALECTS[dialect],
    clock,
    random: seededRandom(7),
    onBad: (reason) => bad.push(reason),
    onFault: (error) => {
      throw error;
    },
  });
}

async function connected(dialect: DialectName = '1987-binary'): Promise<TestGateway> {
  const [near, far] = memoryPipe('host');
  host.talk(far);
  const gateway = new TestGateway(near, DIALECTS[dialect]);
  await gateway.signOn();
  return gateway;
}

async function account() {
  const [only] = await host.database.accounts();
  return only && { balance: only.balanceMinor - OPENING_BALANCE_MINOR, held: only.heldMinor };
}

/** Resolves when the host has decided on everything that was sent before: the ledger takes one message after the other. */
async function decided(gateway: TestGateway): Promise<void> {
  await gateway.ask({ kind: 'reconciliation' });
}

function strike(name: HostFaultName, delayMs = 0): void {
  host.faults.replace([{ name, skip: 0, times: 1, delayMs }]);
}

it.each([
  ['08', 1234],
  ['10', 617],
  ['51', 0],
])('books what its rules answer: %s', async (responseCode, minor) => {
  const gateway = await connected();
  host.replaceRules([{ responseCode }]);
  expect(await gateway.ask({ partialAllowed: true })).toMatchObject({ responseCode });
  expect((await account())?.balance ?? 0).toBe(0 - minor);
});

it('takes nothing but signs of life before a gateway has signed on', async () => {
  const [near, far] = memoryPipe('host');
  host.talk(far);
  const gateway = new TestGateway(near, DIALECTS['1987-binary']);
  const day = await host.day();
  expect(await gateway.ask({ kind: 'network', network: 'echo' })).toMatchObject({ responseCode: '00' });
  for (const values of [{}, { kind: 'network', network: 'cut-over' }] as const)
    expect(await gateway.ask(values)).toMatchObject({ responseCode: '91' });
  expect(await host.day()).toBe(day);
});

describe('money', () => {
  it('takes a sale from the balance, and gives a refund back, up to what was taken', async () => {
    const gateway = await connected();
    const sale = await gateway.ask({});
    expect(sale).toMatchObject({
      isResponse: true,
      responseCode: '00',
      approvalCode: expect.stringMatching(/^\d{6}$/),
    });
    expect(await account()).toEqual({ balance: -1234, held: 0 });
    const original = { type: { kind: 'financial', isAdvice: false }, stan: sale.stan, at: sale.at } as const;
    const refund = { transaction: 'refund', original } as const;
    expect(await gateway.ask({ ...refund, amount: { minor: 1000, currency: 'EUR' } })).toMatchObject({
      responseCode: '00',
    });
    expect(await gateway.ask({ ...refund, amount: { minor: 235, currency: 'EUR' } })).toMatchObject({
      responseCode: '13',
    });
    expect(await gateway.ask({ ...refund, amount: { minor: 1, currency: 'USD' } })).toMatchObject({
      responseCode: '25',
    });
    expect(await account()).toEqual({ balance: -234, held: 0 });
  });

  it('holds an authorization, and takes captures of it', async () => {
    const gateway = await connected();
    const authorized = await gateway.ask({ kind: 'authorization' });
    expect(await account()).toEqual({ balance: 0, held: 1234 });
    const original = {
      type: { kind: 'authorization', isAdvice: false },
      stan: authorized.stan,
      at: SALE.at,
    } as const;
    const capture = (minor: number) =>
      gateway.ask({ isAdvice: true, original, amount: { minor, currency: 'EUR' } });
    expect(await capture(1000)).toMatchObject({ responseCode: '00' });
    expect(await capture(235)).toMatchObject({ responseCode: '13' });
    expect(await account()).toEqual({ balance: -1000, held: 234 });
  });

  it('declines what is above the balance, and books it where it has happened already', async () => {
    const gateway = await connected();
    await gateway.ask({});
    const [row] = await host.database.accounts();
    await host.setBalance(row?.card ?? '', 'EUR', 100);
    expect(await gateway.ask({})).toMatchObject({ responseCode: '51' });
    expect(await gateway.ask({ isAdvice: true })).toMatchObject({ responseCode: '00' });
    expect((await host.database.accounts())[0]?.balanceMinor).toBe(100 - 1234);
  });

  it('approves half where a part is welcome', async () => {
    const gateway = await connected();
    const half = { pan: '4200000000000133' };
    expect(await gateway.ask({ ...half, partialAllowed: true })).toMatchObject({
      responseCode: '10',
      amount: { minor: 617, currency: 'EUR' },
    });
    expect(await gateway.ask(half)).toMatchObject({ responseCode: '51' });
  });

  it('gives the stored answer to a repeat, and refuses another message under its number', async () => {
    const gateway = await connected();
    const sale = await gateway.ask({ stan: '000777' });
    expect(await gateway.ask({ stan: '000777', isRepeat: true })).toEqual(sale);
    expect(await gateway.ask({ stan: '000777', amount: { minor: 1, currency: 'EUR' } })).toMatchObject({
      responseCode: '94',
    });
    expect(await account()).toEqual({ balance: -1234, held: 0 });
  });
});

describe('reversals', () => {
  it.each([
    ['a sale', {}, undefined, { balance: 0, held: 0 }],
    ['a sale but a part', {}, 200, { balance: -200, held: 0 }],
    ['an authorization', { kind: 'authorization' }, undefined, { balance: 0, held: 0 }],
    ['an authorization but a part', { kind: 'authorization' }, 200, { balance: 0, held: 200 }],
    ['a credit', { transaction: 'credit' }, undefined, { balance: 0, held: 0 }],
  ] as const)('of %s, once, however often they come', async (_, values, remaining, expected) => {
    const gateway = await connected();
    const original = await gateway.ask(values);
    const stays = remaining === undefined ? {} : { remaining: { minor: remaining, currency: 'EUR' } };
    const reversal = reversalOf({ ...original, isResponse: false }, { ...stays, stan: '000900' });
    expect(await gateway.ask(reversal)).toMatchObject({ responseCode: '00' });
    expect(await gateway.ask({ ...reversal, isRepeat: true })).toMatchObject({ responseCode: '00' });
    expect(await gateway.ask({ ...reversal, stan: '000901' })).toMatchObject({ responseCode: '00' });
    expect(await account()).toEqual(expected);
  });

  it('of a capture gives the hold back', async () => {
    const gateway = await connected();
    const { stan, at } = await gateway.ask({ kind: 'authorization' });
    const original = { type: { kind: 'authorization', isAdvice: false }, stan, at } as const;
    const capture = await gateway.ask({ isAdvice: true, original });
    expect(await account()).toEqual({ balance: -1234, held: 0 });
    await gateway.ask(reversalOf({ ...capture, isResponse: false }));
    expect(await account()).toEqual({ balance: 0, held: 1234 });
  });

  it('before their original keep it out, unless the host has the fault that forgets it', async () => {
    const gateway = await connected();
    const late = gateway.message({ stan: '000500' });
    expect(await gateway.ask(reversalOf(late))).toMatchObject({ responseCode: '00' });
    expect(await gateway.ask(late)).toMatchObject({ responseCode: '12' });
    const later = gateway.message({ stan: '000501' });
    await gateway.ask(reversalOf(later));
    strike('approve-after-reversal');
    expect(await gateway.ask(later)).toMatchObject({ responseCode: '00' });
    expect(await account()).toEqual({ balance: -1234, held: 0 });
  });
});

describe('faults', () => {
  it.each<[HostFaultName, number]>([
    ['lost', 0],
    ['silent', -1234],
    ['garbage', -1234],
  ])('%s: no answer, and a later message gets one', async (name, balance) => {
    const gateway = await connected();
    strike(name);
    const sale = gateway.message({});
    await gateway.send(sale);
    await decided(gateway);
    expect(gateway.received.filter(({ stan }) => stan === sale.stan)).toEqual([]);
    expect(gateway.unreadable).toBe(name === 'garbage' ? 1 : 0);
    expect((await account()) ?? { balance: 0 }).toMatchObject({ balance });
  });

  it.each<HostFaultName>(['disconnect', 'half-message'])(
    '%s: carried out, and the line is cut',
    async (name) => {
      const gateway = await connected();
      strike(name);
      await gateway.send(gateway.message({}));
      await gateway.ended();
      expect(gateway.received.filter(({ kind }) => kind === 'financial')).toEqual([]);
      expect(await account()).toEqual({ balance: -1234, held: 0 });
    },
  );

  it('late: the answer comes when its time is up', async () => {
    const gateway = await connected();
    strike('late', 5_000);
    const answer = gateway.ask({});
    await decided(gateway);
    expect(gateway.received.filter(({ kind }) => kind === 'financial')).toEqual([]);
    await clock.advance(5_000);
    expect(await answer).toMatchObject({ responseCode: '00' });
  });

  it('duplicate: the answer comes twice', async () => {
    const gateway = await connected();
    strike('duplicate');
    const { stan } = await gateway.ask({});
    await decided(gateway);
    expect(gateway.received.filter((message) => message.stan === stan)).toHaveLength(2);
  });

  it('strike the messages that they name: one network function, or one amount', async () => {
    const gateway = await connected();
    const fault = { name: 'disconnect', skip: 0, times: 1, delayMs: 0 } as const;
    host.faults.replace([
      { ...fault, on: 'echo' },
      { ...fault, on: 'financial', amountMinor: 500 },
    ]);
    await gateway.signOn();
    expect(await gateway.ask({})).toMatchObject({ responseCode: '00' });
    expect(host.faults.faults).toHaveLength(2);
    await gateway.send(gateway.message({ amount: { minor: 500, currency: 'EUR' } }));
    await gateway.ended();
    const again = await connected();
    await again.send(again.message({ kind: 'network', network: 'echo' }));
    await again.ended();
    expect(host.faults.faults).toEqual([]);
  });
});

describe('bytes that are no message', () => {
  it('are counted and ignored, until there are too many in a row', async () => {
    const gateway = await connected();
    await gateway.sendBytes(framed(Buffer.from('0200ffff', 'hex')));
    await gateway.sendBytes(framed(Buffer.from('03001111111111111111', 'hex')));
    expect(await gateway.ask({})).toMatchObject({ responseCode: '00' });
    expect(host.badMessages).toBe(2);
    for (let i = 0; i < 5; i += 1) await gateway.sendBytes(framed(Buffer.of(i)));
    await gateway.ended();
    expect(host.badMessages).toBe(7);
    expect(bad.join()).not.toContain('4200');
  });

  it('with a length above the limit end the line at once', async () => {
    const gateway = await connected();
    await gateway.sendBytes(Buffer.from('ffff', 'hex'));
    await gateway.ended();
    expect(bad).toEqual([expect.stringContaining('tooLong')]);
  });

  it('of a wrong code, and answers to nothing, move no money', async () => {
    const [near, far] = memoryPipe('host');
    host.talk(far);
    const gateway = new TestGateway(near, DIALECTS['1987-binary']);
    await gateway.signOn();
    await gateway.send(gateway.message({ isResponse: true, responseCode: '00' }));
    const frames: Uint8Array[] = [];
    const [spyNear, spyFar] = memoryPipe('spy');
    spyFar.onData((bytes) => frames.push(bytes));
    await new TestGateway(spyNear, DIALECTS['1987-binary']).send(gateway.message({}));
    await Promise.resolve();
    const bent = Buffer.concat(frames);
    bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 1;
    await gateway.sendBytes(bent);
    await gateway.ask({ kind: 'network', network: 'echo' });
    expect(bad).toEqual(['an answer to nothing', 'a wrong authentication code']);
    expect(await host.database.transactions()).toEqual([]);
  });

  it('of a gateway that has not signed on are refused', async () => {
    const [near, far] = memoryPipe('host');
    host.talk(far);
    const gateway = new TestGateway(near, DIALECTS['1987-binary']);
    expect(await gateway.ask({})).toMatchObject({ responseCode: '91' });
    await gateway.signOn();
    expect(await gateway.ask({})).toMatchObject({ responseCode: '00' });
    await gateway.ask({ kind: 'network', network: 'sign-off' });
    expect(await gateway.ask({})).toMatchObject({ responseCode: '91' });
  });
});

describe('settlement', () => {
  it('compares totals, and writes files at the cut-over', async () => {
    const gateway = await connected();
    const sale = await gateway.ask({ rrn: '632707000001' });
    const reversed = await gateway.ask({ rrn: '632707000002' });
    await gateway.ask(reversalOf({ ...reversed, isResponse: false }));
    await gateway.ask({ transaction: 'credit', amount: { minor: 300, currency: 'EUR' } });
    const none = { number: 0, minor: 0 };
    const totals = {
      debits: { number: 2, minor: 2468 },
      credits: { number: 1, minor: 300 },
      debitReversals: { number: 1, minor: 1234 },
      creditReversals: none,
    };
    const ask = (sent: typeof totals) => gateway.ask({ kind: 'reconciliation', totals: sent });
    expect(await ask(totals)).toMatchObject({ responseCode: '00', totals });
    expect(await ask({ ...totals, credits: none })).toMatchObject({ responseCode: '95', totals });
    const [first] = await host.database.transactions();
    expect(await host.chargeBack({ message: first?.message ?? '', amountMinor: 2000, reason: '10.4' })).toBe(
      false,
    );
    expect(await host.chargeBack({ message: first?.message ?? '', amountMinor: 234, reason: '10.4' })).toBe(
      true,
    );
    expect(await gateway.ask({ kind: 'network', network: 'cut-over' })).toMatchObject({
      settlementDate: '20261124',
    });
    const files = join(home, 'settlement');
    expect(readdirSync(files).sort()).toEqual(['chargebacks-20261123.csv', 'settlement-20261123.csv']);
    const lines = readFileSync(join(files, 'settlement-20261123.csv'), 'latin1').trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toBe(
      `SETTLED;DEBIT;POS;M1;;;;;;T1001/${sale.stan}/${sale.at};;;632707000001;;;12.34;EUR;;2026-11-23 07:22:00;12.34;EUR;0.07;1.00;2026-11-23;SUCCESS;;0000;;;;;TILLBRIDGE_SIM;Simulated acquirer;;;`,
    );
    expect(lines[2]).toMatch(/^SETTLED;CREDIT;NEG;.*;3\.00;EUR;/);
    expect(readFileSync(join(files, 'chargebacks-20261123.csv'), 'latin1')).toMatch(
      /\nCHARGEBACK;DEBIT;NEG;.*;2\.34;EUR;0\.00;1\.00;2026-11-23;.*;000\.100\.220;10\.4;/,
    );
    expect(await ask(totals)).toMatchObject({ responseCode: '95', settlementDate: '20261124' });
    const ofYesterday = { kind: 'reconciliation', totals, settlementDate: '20261123' } as const;
    expect(await gateway.ask(ofYesterday)).toMatchObject({ responseCode: '00', totals });
  });

  it('shows what is reversed of an earlier day as money given back', async () => {
    const gateway = await connected();
    const sale = await gateway.ask({});
    await gateway.ask({ kind: 'network', network: 'cut-over' });
    await gateway.ask(
      reversalOf({ ...sale, isResponse: false }, { remaining: { minor: 1000, currency: 'EUR' } }),
    );
    await gateway.ask({ kind: 'network', network: 'cut-over' });
    const file = readFileSync(join(home, 'settlement', 'settlement-20261124.csv'), 'latin1');
    expect(file.trim().split('\n').slice(1)).toEqual([
      expect.stringMatching(/^SETTLED;REFUND;NEG;M1;.*;2\.34;EUR;/),
    ]);
  });

  it('ends a day that is named once', async () => {
    const gateway = await connected();
    for (const day of ['20261124', '20261124', '20261125']) {
      const settlementDate = day === '20261125' ? '20261124' : '20261123';
      const answer = await gateway.ask({ kind: 'network', network: 'cut-over', settlementDate });
      expect(answer).toMatchObject({ responseCode: '00', settlementDate: day });
    }
  });

  it('is sent to a gateway that has signed on', async () => {
    const gateway = await connected();
    expect(await host.announceCutOver()).toBe('20261124');
    expect(await gateway.next('cut-over')).toMatchObject({ settlementDate: '20261124', isResponse: false });
  });
});

it.each(['1987-ascii', 'cmf'] as const)('speaks %s', async (dialect) => {
  await host.close();
  host = await open(dialect, new MemoryHostStore());
  const gateway = await connected(dialect);
  const sale = await gateway.ask({});
  expect(sale).toMatchObject({ responseCode: '00' });
  await gateway.ask(reversalOf({ ...sale, isResponse: false }));
  expect(await account()).toEqual({ balance: 0, held: 0 });
});

it('keeps its ledger over a restart, and shows no card number in its file', async () => {
  await host.close();
  host = await open();
  const gateway = await connected();
  const sale = await gateway.ask({ stan: '000042' });
  await host.close();
  host = await open();
  expect(await (await connected()).ask({ stan: '000042', isRepeat: true })).toEqual(sale);
  const content = readdirSync(home)
    .filter((name) => name.startsWith('host.db'))
    .map((name) => readFileSync(join(home, name), 'latin1'))
    .join('');
  expect(content).not.toContain(SALE.pan);
});

it('answers as its rules say', async () => {
  const gateway = await connected();
  host.replaceRules([{ last4Digits: '0000', amountMinor: 500, responseCode: '43' }]);
  expect(await gateway.ask({ amount: { minor: 500, currency: 'EUR' } })).toMatchObject({
    responseCode: '43',
  });
  expect(await gateway.ask({})).toMatchObject({ responseCode: '00' });
});
