import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, expect, test } from 'vitest';
import type { KernelDecision } from '../kernel/decision.js';
import type { WireFrame } from '../terminals/wire/wire-reader.js';
import {
  MAX_RESULT_TEXT,
  MAX_RESULTS,
  MAX_SALES,
  SALE_PAUSE_MS,
  SaleLog,
  type SaleView,
} from './sale-log.js';

const START = 'CTLS SETUP TRANSACTION F0{9C=00 9F02=000000001234 5F2A=0978}';
const POLL = 'GET PROPERTY F0{DFBC01=00000001}';

let clock: VirtualClock;
let log: SaleLog;
let shown: SaleView[];
let number: number;

beforeEach(() => {
  clock = new VirtualClock(Date.UTC(2026, 10, 20, 9, 41, 20));
  shown = [];
  number = 0;
  const onChange = (sale: SaleView): void => void shown.push(sale);
  log = new SaleLog({ deviceType: 'VERIFONE_P400', clock, faults: () => [], onChange });
});

function pass(direction: 'in' | 'out', text: string, kind: WireFrame['kind'] = 'message') {
  number += 1;
  return log.frame(number, { direction, kind, text, bytes: Buffer.alloc(1) });
}

/** A whole sale whose transaction the host has ended. */
function sell(): void {
  pass('in', START);
  pass('out', '9000 done');
  pass('in', 'CT END TRANSACTION');
  pass('out', '9000 done');
}

test('a sale takes the frames from the request that begins it until the line pauses, with the amount of the host', async () => {
  expect(pass('in', 'HANDLE DISPLAY F0{}')).toEqual({});
  expect(pass('in', START)).toEqual({ sale: 1 });
  expect(log.place).toEqual({ sale: 1, frame: 2 });
  expect(pass('out', 'ACK', 'control')).toEqual({ sale: 1 });
  expect(pass('in', 'CT END TRANSACTION')).toEqual({ sale: 1 });
  await clock.advance(SALE_PAUSE_MS - 1);
  expect(pass('in', 'HANDLE DISPLAY F0{}')).toEqual({ sale: 1 });
  await clock.advance(SALE_PAUSE_MS);
  expect(pass('in', 'HANDLE DISPLAY F0{}')).toEqual({});
  expect(log.sales).toEqual([
    expect.objectContaining({ id: '261120-094120-1', number: 1, amount: '12.34', currency: 'EUR' }),
  ]);
});

test('a second way to read the card stays in the sale; a request after its end begins another one', () => {
  pass('in', START);
  expect(pass('in', 'CT START TRANSACTION F0{}')).toEqual({ sale: 1 });
  pass('in', 'CT END TRANSACTION');
  expect(pass('in', START)).toEqual({ sale: 2 });
});

test('a line that is made anew ends the sale', () => {
  pass('in', START);
  log.opened();
  expect(pass('in', 'HANDLE DISPLAY F0{}')).toEqual({});
});

test('a poll is the query, its confirmations and its answer, and nothing that the device reports after it', async () => {
  sell();
  await clock.advance(15_000);
  expect(pass('in', POLL)).toEqual({ poll: true });
  expect(pass('out', 'ACK', 'control')).toEqual({ poll: true });
  expect(pass('out', '9000 done')).toEqual({ poll: true });
  expect(pass('in', 'ACK', 'control')).toEqual({ poll: true });
  expect(pass('out', 'card removed')).toEqual({});
});

test('a sale that the host forgot to end is over at the next poll, not while a cardholder takes time', async () => {
  pass('in', START);
  await clock.advance(SALE_PAUSE_MS);
  expect(pass('in', 'CARD DETECTION F0{}')).toEqual({ sale: 1 });
  await clock.advance(SALE_PAUSE_MS);
  expect(pass('in', POLL)).toEqual({ poll: true });
});

test('what a cardholder does before the request of the host is part of the sale, a removal after its end too', () => {
  log.acted({ act: 'present', card: 'visa-credit-online', how: 'insert' });
  sell();
  log.acted({ act: 'remove', during: 'removing' });
  log.acted({ act: 'present', card: 'visa-contactless', how: 'tap' });
  pass('in', START);
  expect(log.sales.map(({ cardholder }) => cardholder)).toEqual([
    [
      { act: 'present', card: 'visa-credit-online', how: 'insert' },
      { act: 'remove', during: 'removing' },
    ],
    [{ act: 'present', card: 'visa-contactless', how: 'tap' }],
  ]);
});

test('a sale that a scenario expects is compared with it when it has ended', () => {
  const cardholder = [{ act: 'present', card: 'visa-credit-online', how: 'insert' }] as const;
  const expected = { cryptograms: ['ARQC', 'TC'], cvm: [], issuer: [] };
  const run = (second: string): SaleView['scenario'] => {
    log.expect({ name: 'approved', cardholder, expected });
    pass('in', START);
    log.acted(cardholder[0]);
    for (const what of ['ARQC', second]) log.decided({ topic: 'cryptogram', what, reason: '' });
    expect(shown.at(-1)?.scenario).toEqual({ name: 'approved' });
    pass('in', 'CT END TRANSACTION');
    return shown.at(-1)?.scenario;
  };
  expect(run('TC')).toEqual({ name: 'approved', differences: [] });
  expect(run('AAC')).toEqual({
    name: 'approved',
    differences: ['cryptograms: ARQC, AAC; the scenario has ARQC, TC'],
  });
});

test('the last sales alone are kept', () => {
  for (let at = 0; at <= MAX_SALES; at += 1) sell();
  expect(log.sales.length).toBe(MAX_SALES);
  expect(log.find(1)).toBeUndefined();
  expect(log.find(MAX_SALES + 1)?.view.number).toBe(MAX_SALES + 1);
});

test('a sale that no request ends keeps as many decisions as a scenario takes, however many there are', () => {
  pass('in', START);
  const decide = (topic: KernelDecision['topic'], at: number) =>
    log.decided({ topic, what: `what ${at}`, reason: `${at} `.repeat(200) });
  for (let at = 0; at < 100; at += 1)
    for (const topic of ['cryptogram', 'cvm', 'issuer'] as const) decide(topic, at);
  const [sale] = log.sales;
  expect(sale?.result.cryptograms).toHaveLength(MAX_RESULTS);
  expect(sale?.result.cvm).toHaveLength(MAX_RESULTS);
  expect(sale?.result.issuer).toHaveLength(MAX_RESULTS);
  expect(sale?.result.issuer[0]).toHaveLength(MAX_RESULT_TEXT);
  expect(shown).toHaveLength(1 + 3 * MAX_RESULTS);
});
