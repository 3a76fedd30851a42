import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../clients/http.js';
import { stands, TourContext } from '../tour/tour-context.js';
import {
  authorization,
  booking,
  type EcrMessage,
  RawEcr,
  receiptOf,
  reservation,
  reservationReversal,
  reversal,
} from '../zvt/raw-ecr.js';
import { untilDead } from './crash-journey.js';
import { CASE_TIMEOUT_MS, crashFile, SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

let system: TestStack;
let tour: TourContext;
let port: number;
let password: string;

beforeAll(async () => {
  port = await reservedPort();
  system = await startTestStack('zvt', undefined, undefined, {
    zvt: { tills: [{ till: 'front', terminalId: '1001', port }] },
  });
  password = readFileSync(join(system.home, 'agent', 'zvt-password'), 'utf8').trim();
  tour = new TourContext(system.stack, 'zvt');
  await tour.begin();
}, SETTLE_MS);
afterAll(() => system?.end(), SETTLE_MS);

const open = () => RawEcr.open(port, password);
const standing = async (amount: string) =>
  (await tour.newRows()).filter(stands).filter((row) => row.amount === amount);
const present = () => tour.simulator.present(tour.terminalId, 'visa-credit-online');
const endOf = (messages: readonly EcrMessage[]) => messages.at(-1)?.control;

/** How many acknowledgements of tills the journal has. */
async function acknowledgements(): Promise<unknown> {
  const file = join(system.home, 'agent', 'journal.db');
  const journal = await SqliteConnection.open(file, { access: 'read-only' });
  const count = await journal.get("SELECT count(*) AS rows FROM rows WHERE kind = 'zvt-acknowledged'");
  await journal.close();
  return count?.rows;
}

/**
 * Repeats the request until its end is no open one: 9C means that the outcome is being found out. By then the agent has written down that the
 * end was acknowledged: no later case fails of it.
 */
const untilEnded = (cents: number) =>
  until('the sale to have an end', SETTLE_MS, async () => {
    const before = await acknowledgements();
    const ecr = await open();
    const messages = await ecr.request(authorization(cents));
    const end = messages.at(-1);
    const isOpen = end?.control === '061e' && end.data === '9c';
    if (!isOpen)
      await until('the acknowledgement to be written down', SETTLE_MS, async () =>
        (await acknowledgements()) === before ? undefined : true,
      );
    ecr.close();
    return isOpen ? undefined : messages;
  });

it(
  'a cash register sells, reverses by receipt number, and is refused with a wrong password',
  async () => {
    const wrong = password === '000000' ? '000001' : '000000';
    await expect(RawEcr.open(port, wrong)).rejects.toThrow('not registered: 846b');
    const ecr = await open();
    await present();
    const sold = await ecr.request(authorization(1_099));
    expect(endOf(sold)).toBe('060f');
    expect(sold.some(({ control }) => control === '04ff')).toBe(true);
    expect(await standing('10.99')).toHaveLength(1);
    expect(endOf(await ecr.request(reversal(password, receiptOf(sold))))).toBe('060f');
    expect(await standing('10.99')).toEqual([]);
    expect(endOf(await ecr.request(reversal(password, receiptOf(sold))))).toBe('84b4');
    ecr.close();
  },
  SETTLE_MS,
);

it(
  'a cash register reserves, books a part of it, and releases another reservation',
  async () => {
    const ecr = await open();
    await present();
    const reserved = await ecr.request(reservation(5_050));
    expect(endOf(reserved)).toBe('060f');
    expect(endOf(await ecr.request(booking(receiptOf(reserved), 4_200)))).toBe('060f');
    const captures = (await tour.newRows()).filter(({ kind, approved }) => kind === 'capture' && approved);
    expect(captures.map(({ amount }) => amount)).toEqual(['42.00']);
    expect(endOf(await ecr.request(booking(receiptOf(reserved), 4_200)))).toBe('84b8');
    await present();
    const other = await ecr.request(reservation(6_060));
    expect(await standing('60.60')).toHaveLength(1);
    expect(endOf(await ecr.request(reservationReversal(receiptOf(other))))).toBe('060f');
    expect(await standing('60.60')).toEqual([]);
    ecr.close();
  },
  SETTLE_MS,
);

it(
  'the agent is killed between a sale and its answer: the same request again gets the true outcome, and pays no second time',
  async () => {
    await tour.simulator.network({ state: 'up', dropAnswers: true });
    await present();
    const ecr = await open();
    const lost = ecr.request(authorization(3_030)).catch((error: unknown) => error);
    await until('the acquirer to have approved', SETTLE_MS, async () =>
      (await standing('30.30')).length > 0 ? true : undefined,
    );
    await system.stack.part('agent')?.kill();
    await tour.simulator.network({ state: 'up' });
    await system.stack.restart('agent');
    expect(await lost).toBeInstanceOf(Error);
    const ended = await untilEnded(3_030);
    // Its PIN block is gone: what was approved is reversed, never requested again.
    expect(endOf(ended)).toBe('061e');
    expect(await standing('30.30')).toEqual([]);
  },
  CASE_TIMEOUT_MS,
);

/** What is sold, and how often it is paid when the same request comes again. */
const PAID: Readonly<Record<string, readonly [amount: string, times: number]>> = {
  'before zvt-request': ['32.32', 1],
  'after zvt-request': ['33.33', 1],
  // The till has acknowledged, and the agent does not know it: the sale stands for the same request once more.
  'before zvt-acknowledged': ['34.34', 1],
  'after zvt-acknowledged': ['35.35', 2],
};

it.each([
  ['before', 'zvt-request'],
  ['after', 'zvt-request'],
  ['before', 'zvt-acknowledged'],
  ['after', 'zvt-acknowledged'],
])(
  'the agent dies %s it has written %s down: what is sold is paid as often as the cash register means it',
  async (side, kind) => {
    const [amount, times] = PAID[`${side} ${kind}`] ?? ['', 0];
    const cents = Number(amount.replace('.', ''));
    await tour.agent.untilGateway('up', SETTLE_MS);
    writeFileSync(crashFile(system.home), `${kind}:${side}`);
    await present();
    const ecr = await open();
    const first = ecr.request(authorization(cents)).catch((error: unknown) => error);
    await untilDead(system);
    await system.stack.restart('agent');
    await first;
    await tour.agent.untilGateway('up', SETTLE_MS);
    await present();
    expect(endOf(await untilEnded(cents))).toBe('060f');
    expect(await standing(amount)).toHaveLength(times);
  },
  CASE_TIMEOUT_MS,
);
