import type { SaleAnswer } from '@tillbridge/agent/sale/answer.js';
import { must, type TourWorld } from './tour-world.js';

/** One stop of the tour: what a person reads, and what must come true. Resolves with a short account of it. */
export interface TourStep {
  readonly title: string;
  readonly run: (world: TourWorld) => Promise<string>;
}

/** Longest wait for the network to be noticed, for a reconnect or for a queue to drain. */
const SETTLE_MS = 60_000;

/** A card number of the specification's test table, good until far in the future (reference: spec 1.9). */
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

async function onlineSale(world: TourWorld): Promise<string> {
  const request = world.request('12.34');
  const sale = await world.sell('visa-credit-online', request);
  expectSale(sale, { state: 'done', outcome: 'approved', mode: 'online' });
  must(sale.emv?.acType === 'TC', `the card ended with ${sale.emv?.acType}, expected TC`);
  await world.untilStanding(1, '12.34');
  world.firstSale = request.reference;
  return outcome(sale);
}

async function onlinePin(world: TourWorld): Promise<string> {
  const sale = await world.sell('mastercard-debit-pin', world.request('23.45'));
  expectSale(sale, { state: 'done', outcome: 'approved', mode: 'online' });
  await world.untilStanding(1, '23.45');
  return outcome(sale);
}

async function issuerDeclines(world: TourWorld): Promise<string> {
  const sale = await world.sell('mastercard-declined', world.request('34.56'));
  expectSale(sale, { state: 'done', outcome: 'declined', mode: 'online' });
  await world.untilStanding(0, '34.56');
  return outcome(sale);
}

async function wrongArpc(world: TourWorld): Promise<string> {
  const request = world.request('45.67');
  await world.sell('visa-bad-arpc', request);
  const sale = await world.agent.untilSale(
    request.reference,
    'reversed',
    SETTLE_MS,
    ({ state }) => state === 'done',
  );
  must(sale.outcome !== 'approved', `the sale is ${sale.outcome} although the card refused`);
  must(sale.emv?.acType === 'AAC', `the card ended with ${sale.emv?.acType}, expected AAC`);
  const rows = await world.newRows();
  const original = rows.find(({ kind }) => kind === 'authorization');
  must(original?.approved === true, 'the acquirer should have approved before the card refused');
  await world.untilStanding(0, '45.67');
  return outcome(sale);
}

async function networkCut(world: TourWorld): Promise<string> {
  await world.simulator.network({ state: 'down' });
  await world.agent.untilGateway('down', SETTLE_MS);
  const approved = await world.sell('maestro-offline-approved', world.request('5.00'));
  expectSale(approved, { outcome: 'approved', mode: 'offline-card' });
  must(approved.emv?.acType === 'TC', `the card ended with ${approved.emv?.acType}, expected TC`);
  const declined = await world.sell('visa-offline-declined', world.request('6.00'));
  expectSale(declined, { state: 'done', outcome: 'declined' });
  const queued = (await world.agent.queue()).body;
  must(queued.depth >= 1, 'the offline sale should wait in the queue');
  return `${outcome(approved)}; ${outcome(declined)}; ${queued.depth} waiting`;
}

async function networkBack(world: TourWorld): Promise<string> {
  await world.simulator.network({ state: 'up' });
  await world.agent.untilGateway('up', SETTLE_MS);
  await world.agent.untilQueueEmpty(SETTLE_MS);
  await world.untilStanding(1, '5.00');
  return 'the queue is empty, the offline sale stands at the acquirer once';
}

async function answerLost(world: TourWorld): Promise<string> {
  const request = world.request('56.78');
  await world.simulator.present(world.terminalId, 'visa-credit-online');
  await world.simulator.network({ state: 'up', dropAnswers: true });
  await world.agent.startSale(request);
  const isUnknown = (sale: SaleAnswer) => sale.timeline.some(({ step }) => step === 'unknown');
  await world.agent.untilSale(request.reference, 'unknown', SETTLE_MS, isUnknown);
  await world.simulator.network({ state: 'up' });
  const sale = await world.agent.untilSale(
    request.reference,
    'resolved',
    SETTLE_MS,
    ({ state }) => state === 'done',
  );
  must(sale.outcome === 'reversed', `the sale is ${sale.outcome}, expected reversed`);
  await world.untilStanding(0, '56.78');
  return `${outcome(sale)}: "${sale.cashierText}"`;
}

async function refund(world: TourWorld): Promise<string> {
  const request = world.request('12.34', { type: 'refund', originalReference: world.firstSale });
  const { status, body } = await world.agent.sale(request);
  must(status === 200, `the agent answered ${status}: ${JSON.stringify(body)}`);
  expectSale(body, { state: 'done', outcome: 'approved', type: 'refund' });
  const refunds = (await world.newRows()).filter(({ kind, approved }) => kind === 'refund' && approved);
  must(refunds.length === 1, `the acquirer has ${refunds.length} refunds, expected 1`);
  return outcome(body);
}

async function duplicates(world: TourWorld): Promise<string> {
  const request = world.request('67.89');
  await world.simulator.present(world.terminalId, 'visa-credit-online');
  const answers = await Promise.all([1, 2, 3].map(() => world.agent.sale(request)));
  answers.push(await world.agent.sale(request));
  for (const { status, body } of answers) {
    must(status === 200, `a repeated request was answered ${status}: ${JSON.stringify(body)}`);
    expectSale(body, { outcome: 'approved', reference: request.reference });
  }
  const other = await world.agent.sale({ ...request, amount: '67.90' });
  must(
    other.status === 409,
    `the same reference with another amount was answered ${other.status}, expected 409`,
  );
  await world.untilStanding(1, '67.89');
  return `${answers.length} requests, one sale; another amount refused with 409`;
}

async function agentKilled(world: TourWorld): Promise<string> {
  const request = world.request('78.90');
  await world.simulator.present(world.terminalId, 'visa-credit-online');
  await world.simulator.network({ state: 'slow', latencyMs: 1_500 });
  await world.agent.startSale(request);
  await world.agent.untilSale(
    request.reference,
    'authorizing',
    SETTLE_MS,
    ({ state }) => state === 'authorizing',
  );
  await world.stack.part('agent')?.kill();
  await world.simulator.network({ state: 'up' });
  await world.stack.restart('agent');
  const sale = await world.agent.untilSale(
    request.reference,
    'resolved',
    SETTLE_MS,
    ({ state }) => state === 'done',
  );
  must(sale.outcome !== 'approved', `the sale is ${sale.outcome} although nobody completed it`);
  await world.untilStanding(0, '78.90');
  await world.agent.untilTerminalsReady(SETTLE_MS);
  return outcome(sale);
}

async function allTerminals(world: TourWorld): Promise<string> {
  const byModel = new Map(world.stack.dev.terminals.map(({ deviceType, id }) => [deviceType, id]));
  const terminals = [...byModel.values()];
  // Each terminal has a customer of its own: one card cannot be in two slots.
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
      world.sell(cards[i % cards.length] ?? '', world.request('7.00', { terminalId })),
    ),
  );
  for (const sale of sales) expectSale(sale, { state: 'done', outcome: 'approved' });
  await world.untilStanding(terminals.length, '7.00');
  return `${sales.length} sales approved, each once at the acquirer`;
}

async function restPayment(world: TourWorld): Promise<string> {
  const parameters = { amount: '92.00', currency: 'EUR', paymentType: 'PA', ...REST_CARD };
  const paid = await world.gateway.pay(parameters);
  must(paid.status === 200 && paid.body.id !== undefined, `payment: ${paid.status} ${paid.body.result.code}`);
  const capture = await world.gateway.followUp(paid.body.id, {
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'CP',
  });
  must(
    capture.status === 200 && capture.body.id !== undefined,
    `capture: ${capture.status} ${capture.body.result.code}`,
  );
  const back = await world.gateway.followUp(capture.body.id, {
    amount: '12.00',
    currency: 'EUR',
    paymentType: 'RF',
  });
  must(
    back.status === 200,
    `refund: ${back.status} ${back.body.result.code} ${back.body.result.description}`,
  );
  const kinds = (await world.newRows()).filter(({ approved }) => approved).map(({ kind }) => kind);
  must(
    ['authorization', 'capture', 'refund'].every((kind) => kinds.some((seen) => seen === kind)),
    `record has ${kinds}`,
  );
  return `authorized ${paid.body.result.code}, captured, refunded 12.00`;
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
];
