import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { TransactionRow } from '@tillbridge/hardware-sim/hosts/acquirer/rows/tables.js';
import { call, json, until } from '../clients/http.js';
import { must, type TourContext } from './tour-context.js';

/** One step of the tour: its title, and the check of its outcome. Resolves with a short summary. */
interface TourStep {
  readonly title: string;
  readonly run: (tour: TourContext) => Promise<string>;
}

/** Of approvals by the acquirer's host. */
const EXTERNAL_APPROVED = '000.100.112';
/** Longest wait for the network to be noticed, for a reconnect or for a queue to drain. */
const SETTLE_MS = 60_000;

/** A test card (gateway/docs/test-mode.md) that expires far in the future. */
const REST_CARD = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
};

function outcome(sale: SaleAnswer): string {
  const how = [sale.mode, sale.emv?.acType, sale.emv?.arc].filter(Boolean).join(' ');
  return `${sale.reference} ${sale.state}/${sale.outcome ?? '-'}${how ? ` (${how})` : ''}`;
}

function expectSale(sale: SaleAnswer, expected: Partial<SaleAnswer>): void {
  for (const [name, value] of Object.entries(expected)) {
    const actual = sale[name as keyof SaleAnswer];
    must(
      actual === value,
      `${name} is ${JSON.stringify(actual)}, expected ${JSON.stringify(value)}: ${outcome(sale)}`,
    );
  }
}

async function onlineSale(tour: TourContext): Promise<string> {
  const request = tour.request('12.34');
  const sale = await tour.sell('visa-credit-online', request);
  expectSale(sale, { state: 'done', outcome: 'approved', mode: 'online' });
  must(sale.emv?.acType === 'TC', `the card ended with ${sale.emv?.acType}, expected TC`);
  await tour.untilStanding(1, '12.34');
  tour.firstSale = request.reference;
  return outcome(sale);
}

async function onlinePin(tour: TourContext): Promise<string> {
  const sale = await tour.sell('mastercard-debit-pin', tour.request('23.45'));
  expectSale(sale, { state: 'done', outcome: 'approved', mode: 'online' });
  await tour.untilStanding(1, '23.45');
  return outcome(sale);
}

async function issuerDeclines(tour: TourContext): Promise<string> {
  const sale = await tour.sell('mastercard-declined', tour.request('34.56'));
  expectSale(sale, { state: 'done', outcome: 'declined', mode: 'online' });
  await tour.untilStanding(0, '34.56');
  return outcome(sale);
}

async function wrongArpc(tour: TourContext): Promise<string> {
  const request = tour.request('45.67');
  await tour.sell('visa-bad-arpc', request);
  const sale = await tour.agent.untilSale(
    request.reference,
    'reversed',
    SETTLE_MS,
    ({ state }) => state === 'done',
  );
  must(sale.outcome !== 'approved', `the sale is ${sale.outcome} although the card refused`);
  must(sale.emv?.acType === 'AAC', `the card ended with ${sale.emv?.acType}, expected AAC`);
  const rows = await tour.newRows();
  const original = rows.find(({ kind }) => kind === 'authorization');
  must(original?.approved === true, 'the acquirer should have approved before the card refused');
  await tour.untilStanding(0, '45.67');
  return outcome(sale);
}

async function networkCut(tour: TourContext): Promise<string> {
  await tour.simulator.network({ state: 'down' });
  await tour.agent.untilGateway('down', SETTLE_MS);
  const approved = await tour.sell('maestro-offline-approved', tour.request('5.00'));
  expectSale(approved, { outcome: 'approved', mode: 'offline-card' });
  must(approved.emv?.acType === 'TC', `the card ended with ${approved.emv?.acType}, expected TC`);
  const declined = await tour.sell('visa-offline-declined', tour.request('6.00'));
  expectSale(declined, { state: 'done', outcome: 'declined' });
  const queued = (await tour.agent.queue()).body;
  must(queued.depth >= 1, 'the offline sale should wait in the queue');
  return `${outcome(approved)}; ${outcome(declined)}; ${queued.depth} waiting`;
}

async function networkBack(tour: TourContext): Promise<string> {
  await tour.simulator.network({ state: 'up' });
  await tour.agent.untilGateway('up', SETTLE_MS);
  await tour.agent.untilQueueEmpty(SETTLE_MS);
  await tour.untilStanding(1, '5.00');
  return 'the queue is empty, the offline sale stands at the acquirer once';
}

async function answerLost(tour: TourContext): Promise<string> {
  const request = tour.request('56.78');
  await tour.simulator.present(tour.terminalId, 'visa-credit-online');
  await tour.simulator.network({ state: 'up', dropAnswers: true });
  await tour.agent.startSale(request);
  const isUnknown = (sale: SaleAnswer) => sale.timeline.some(({ step }) => step === 'unknown');
  await tour.agent.untilSale(request.reference, 'unknown', SETTLE_MS, isUnknown);
  await tour.simulator.network({ state: 'up' });
  const sale = await tour.agent.untilSale(
    request.reference,
    'resolved',
    SETTLE_MS,
    ({ state }) => state === 'done',
  );
  must(sale.outcome === 'reversed', `the sale is ${sale.outcome}, expected reversed`);
  await tour.untilStanding(0, '56.78');
  return `${outcome(sale)}: "${sale.cashierText}"`;
}

async function refund(tour: TourContext): Promise<string> {
  const request = tour.request('12.34', { type: 'refund', originalReference: tour.firstSale });
  const { status, body } = await tour.agent.sale(request);
  must(status === 200, `the agent answered ${status}: ${JSON.stringify(body)}`);
  expectSale(body, { state: 'done', outcome: 'approved', type: 'refund' });
  const refunds = (await tour.newRows()).filter(({ kind, approved }) => kind === 'refund' && approved);
  must(refunds.length === 1, `the acquirer has ${refunds.length} refunds, expected 1`);
  return outcome(body);
}

async function duplicates(tour: TourContext): Promise<string> {
  const request = tour.request('67.89');
  await tour.simulator.present(tour.terminalId, 'visa-credit-online');
  const answers = await Promise.all([1, 2, 3].map(() => tour.agent.sale(request)));
  answers.push(await tour.agent.sale(request));
  for (const { status, body } of answers) {
    must(status === 200, `a repeated request was answered ${status}: ${JSON.stringify(body)}`);
    expectSale(body, { outcome: 'approved', reference: request.reference });
  }
  const other = await tour.agent.sale({ ...request, amount: '67.90' });
  must(
    other.status === 409,
    `the same reference with another amount was answered ${other.status}, expected 409`,
  );
  await tour.untilStanding(1, '67.89');
  return `${answers.length} requests, one sale; another amount refused with 409`;
}

async function agentKilled(tour: TourContext): Promise<string> {
  const request = tour.request('78.90');
  await tour.simulator.present(tour.terminalId, 'visa-credit-online');
  await tour.simulator.network({ state: 'slow', latencyMs: 1_500 });
  await tour.agent.startSale(request);
  await tour.agent.untilSale(
    request.reference,
    'authorizing',
    SETTLE_MS,
    ({ state }) => state === 'authorizing',
  );
  await tour.stack.part('agent')?.kill();
  await tour.simulator.network({ state: 'up' });
  await tour.stack.restart('agent');
  const sale = await tour.agent.untilSale(
    request.reference,
    'resolved',
    SETTLE_MS,
    ({ state }) => state === 'done',
  );
  must(sale.outcome !== 'approved', `the sale is ${sale.outcome} although it was not completed`);
  await tour.untilStanding(0, '78.90');
  await tour.agent.untilTerminalsReady(SETTLE_MS);
  return outcome(sale);
}

async function allTerminals(tour: TourContext): Promise<string> {
  const byModel = new Map(tour.stack.dev.terminals.map(({ deviceType, id }) => [deviceType, id]));
  const terminals = [...byModel.values()];
  // Each terminal has another customer: one card cannot be in two slots.
  const cards = [
    'visa-credit-online',
    'mastercard-debit-pin',
    'visa-contactless',
    'visa-dda',
    'mastercard-cda',
    'visa-sda',
  ];
  const sales = await Promise.all(
    terminals.map((terminalId, i) =>
      tour.sell(cards[i % cards.length] ?? '', tour.request('7.00', { terminalId })),
    ),
  );
  for (const sale of sales) expectSale(sale, { state: 'done', outcome: 'approved' });
  await tour.untilStanding(terminals.length, '7.00');
  return `${sales.length} sales approved, each once at the acquirer`;
}

async function restPayment(tour: TourContext): Promise<string> {
  const parameters = { amount: '92.00', currency: 'EUR', paymentType: 'PA', ...REST_CARD };
  const paid = await tour.gateway.pay(parameters);
  must(paid.status === 200 && paid.body.id !== undefined, `payment: ${paid.status} ${paid.body.result.code}`);
  const capture = await tour.gateway.followUp(paid.body.id, {
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'CP',
  });
  must(
    capture.status === 200 && capture.body.id !== undefined,
    `capture: ${capture.status} ${capture.body.result.code}`,
  );
  const back = await tour.gateway.followUp(capture.body.id, {
    amount: '12.00',
    currency: 'EUR',
    paymentType: 'RF',
  });
  must(
    back.status === 200,
    `refund: ${back.status} ${back.body.result.code} ${back.body.result.description}`,
  );
  const kinds = (await tour.newRows()).filter(({ approved }) => approved).map(({ kind }) => kind);
  must(
    ['authorization', 'capture', 'refund'].every((kind) => kinds.some((seen) => seen === kind)),
    `record has ${kinds}`,
  );
  return `authorized ${paid.body.result.code}, captured, refunded 12.00`;
}

/** What the acquirer's host has taken or given of a transaction, in its own ledger. */
type HostRow = Pick<TransactionRow, 'kind' | 'amountMinor' | 'refundedMinor' | 'reversedMinor'>;

async function externalPayment(tour: TourContext): Promise<string> {
  const { acquirerHost } = tour.stack.dev;
  const ledger = () => call<readonly HostRow[]>('GET', `${acquirerHost.url}/transactions`);
  const before = (await ledger()).body.length;
  await call('PUT', `${acquirerHost.url}/faults`, json([{ name: 'disconnect', on: 'financial' }]));
  const amount = { amount: '92.00', currency: 'EUR' };
  const lost = await tour.external.pay({ ...amount, paymentType: 'DB', ...REST_CARD });
  must(lost.body.result.code !== EXTERNAL_APPROVED, `an answer that never came was ${lost.body.result.code}`);
  const paid = await tour.external.pay({ ...amount, paymentType: 'DB', ...REST_CARD });
  must(paid.body.result.code === EXTERNAL_APPROVED, `payment: ${paid.status} ${paid.body.result.code}`);
  const refund = { amount: '12.00', currency: 'EUR', paymentType: 'RF' };
  const back = await tour.external.followUp(paid.body.id ?? '', refund);
  must(back.body.result.code === EXTERNAL_APPROVED, `refund: ${back.status} ${back.body.result.code}`);
  const rows = await until('the reversal of the lost sale', SETTLE_MS, async () => {
    const [first, ...rest] = (await ledger()).body.slice(before);
    return first?.reversedMinor === first?.amountMinor ? rest : undefined;
  });
  const [sale] = rows;
  must(
    rows.length === 2 && sale?.amountMinor === 9_200 && sale.refundedMinor === 1_200,
    `the ledger of the host has ${JSON.stringify(rows)}`,
  );
  return `a lost sale reversed, then approved ${paid.body.result.code} and refunded 12.00`;
}

/** The tour in its order. */
export const TOUR_STEPS: readonly TourStep[] = [
  { title: 'Online sale with a chip card', run: onlineSale },
  { title: 'Online sale with chip and online PIN', run: onlinePin },
  { title: 'Declined by the issuer', run: issuerDeclines },
  { title: 'Wrong ARPC: the card refuses, the sale is reversed', run: wrongArpc },
  { title: 'Network cut: the card decides offline', run: networkCut },
  { title: 'Network back: the queue is forwarded', run: networkBack },
  { title: 'Answer lost after the approval: unknown, then reversed', run: answerLost },
  { title: 'Refund of the first sale', run: refund },
  { title: 'The same till reference four times', run: duplicates },
  { title: 'Agent killed during an authorization', run: agentKilled },
  { title: 'A terminal of each maker, all at once', run: allTerminals },
  { title: 'REST card payment, capture and refund', run: restPayment },
  { title: 'Payment over ISO 8583 (EXTERNAL), an answer lost', run: externalPayment },
];
