import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayClient } from '../clients/gateway-client.js';
import { until } from '../clients/http.js';
import { type HostTransaction, SimulatorClient } from '../clients/simulator-client.js';
import { gatewayDatabase, messagesOf } from '../external/compare.js';
import { APPROVED_CODES, namedTestMode } from '../stack/test-mode.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const START_MS = 120_000;
/** Merchants that pay at the same time. */
const MERCHANTS = 6;
/** Answers after which the gateway is killed: others are on their way then. */
const ANSWERS = 24;
const APPROVED = APPROVED_CODES[namedTestMode()];
const PENDING = '000.200.001';

const CARD = {
  amount: '7.00',
  currency: 'EUR',
  paymentType: 'PA.CP',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};

/** What a shopper types. */
const TYPED = Object.fromEntries(Object.entries(CARD).filter(([name]) => name.startsWith('card.')));
const CHECKOUTS = 6;
/** Of one that was posted to before and after the end of a process: what was refused as second is one, too. */
const CHECKOUT_PAYMENTS = 4;

let system: TestStack;
let simulator: SimulatorClient;
beforeAll(async () => {
  system = await startTestStack('kill-payments');
  simulator = new SimulatorClient(system.stack.dev.simulator.url);
}, START_MS);
afterAll(() => system?.end(), SETTLE_MS);

const gateway = (): GatewayClient => {
  const { dev } = system.stack;
  return new GatewayClient(dev.gateway.url, dev.merchant, namedTestMode());
};

/** Pays as all merchants, and reverses every third payment, until the gateway is gone. Returns the references that were sent. */
async function payUntilKilled(round: number): Promise<readonly string[]> {
  const references: string[] = [];
  let [answers, killed] = [0, false];
  const merchant = async (): Promise<void> => {
    while (!killed) {
      const merchantTransactionId = `round-${round}-${String(references.length).padStart(4, '0')}`;
      references.push(merchantTransactionId);
      const { body } = await gateway().pay({ ...CARD, merchantTransactionId });
      answers += 1;
      if (answers % 3 === 0 && body.id !== undefined)
        await gateway().followUp(body.id, { paymentType: 'RV' });
    }
  };
  // A merchant ends when its call dies with the gateway.
  const merchants = Array.from({ length: MERCHANTS }, () => merchant().catch(() => undefined));
  await until(`${ANSWERS} answers`, SETTLE_MS, async () => (answers >= ANSWERS ? true : undefined));
  await system.stack.part('gateway')?.kill();
  killed = true;
  await Promise.all(merchants);
  return references;
}

/** The payments of the references, once none is pending any more. @param most of one reference */
async function finalPayments(references: readonly string[], most = 1) {
  const payments = [];
  for (const reference of references) {
    const found = await until(`an outcome of ${reference}`, SETTLE_MS, async () => {
      const records = await gateway().query(reference);
      return records.some(({ result }) => result.code === PENDING) ? undefined : records;
    });
    expect(found.length, reference).toBeLessThanOrEqual(most);
    payments.push(...found);
  }
  return payments;
}

/** The acquirer's record, under the references of the gateway: a host knows the messages of its exchanges alone. */
async function recorded(): Promise<ReadonlyMap<string, HostTransaction>> {
  const rows = await simulator.hostTransactions();
  const references =
    namedTestMode() === 'EXTERNAL'
      ? await messagesOf(gatewayDatabase(system.home))
      : new Map<string, string>();
  return new Map(rows.map((row) => [references.get(row.acquirerReference) ?? row.acquirerReference, row]));
}

const standing = (row: HostTransaction | undefined): boolean => row?.approved === true && !row.reversed;

describe('kill -9 of the gateway between the steps of payments', () => {
  /** The acquirer's references of all rounds so far. */
  const known = new Set<string>();

  /** Money that stands is of a payment whose request was answered. */
  function expectKnown(rows: ReadonlyMap<string, HostTransaction>): void {
    const money = [...rows].filter(([, row]) => row.kind !== 'reversal' && standing(row));
    expect(money.filter(([reference]) => !known.has(reference))).toEqual([]);
  }

  it.each([1, 2])(
    'leaves every PA.CP captured once, or reversed (%i)',
    async (round) => {
      const references = await payUntilKilled(round);
      await system.stack.restart('gateway');
      await until('the gateway', SETTLE_MS, async () =>
        (await gateway().query('nothing-yet')) ? true : undefined,
      );
      const payments = await finalPayments(references);
      const rows = await until('reversals that were under way', SETTLE_MS, async () => {
        const byReference = await recorded();
        const half = payments.filter(({ resultDetails }) => {
          const { ConnectorTxID1 = '', ConnectorTxID2 = '' } = resultDetails ?? {};
          return standing(byReference.get(ConnectorTxID1)) !== standing(byReference.get(ConnectorTxID2));
        });
        return half.length === 0 ? byReference : undefined;
      });
      for (const { result, resultDetails } of payments) {
        const { ConnectorTxID1 = '', ConnectorTxID2 = '' } = resultDetails ?? {};
        if (result.code === APPROVED)
          expect(rows.get(ConnectorTxID2)).toMatchObject({ kind: 'capture', amount: '7.00' });
        else expect(standing(rows.get(ConnectorTxID1))).toBe(false);
      }
      for (const { resultDetails } of payments)
        for (const reference of Object.values(resultDetails ?? {})) known.add(reference);
      expectKnown(rows);
    },
    START_MS,
  );

  it(
    'leaves every checkout one payment and one status',
    async () => {
      const purchase = { amount: '7.00', currency: 'EUR', paymentType: 'DB' };
      const references = Array.from({ length: CHECKOUTS }, (_, at) => `checkout-${at}`);
      const ids = await Promise.all(
        references.map((merchantTransactionId) =>
          gateway().createCheckout({ ...purchase, merchantTransactionId }),
        ),
      );
      let answers = 0;
      // A shopper's browser posts twice, and again once the gateway is back.
      const browser = async (id: string): Promise<void> => {
        await gateway().submit(id, TYPED);
        answers += 1;
      };
      const first = ids.flatMap((id) => [id, id]).map((id) => browser(id).catch(() => undefined));
      await until('the first answer', SETTLE_MS, async () => (answers > 0 ? true : undefined));
      await system.stack.part('gateway')?.kill();
      await Promise.all(first);
      await system.stack.restart('gateway');
      for (const [at, id] of ids.entries()) {
        const paid = await until(`checkout ${id}`, SETTLE_MS, async () => {
          const { body } = await gateway().submit(id, TYPED);
          return body.result.code === APPROVED ? body : undefined;
        });
        expect((await gateway().checkoutStatus(id)).body).toMatchObject({
          id: paid.id,
          result: { code: APPROVED },
        });
        const approved = (await finalPayments([references[at] ?? ''], CHECKOUT_PAYMENTS)).filter(
          ({ result }) => result.code === APPROVED,
        );
        expect(approved.map((payment) => payment.id)).toEqual([paid.id]);
        known.add(paid.resultDetails?.ConnectorTxID1 ?? '');
      }
      expectKnown(await recorded());
    },
    START_MS,
  );
});
