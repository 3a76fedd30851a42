import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { TotalsBy } from '@tillbridge/agent/sale/totals/totals.js';
import { nameOf } from '@tillbridge/gateway/app/ledger-check/difference.js';
import { InvariantCheck } from '@tillbridge/gateway/app/ledger-check/invariant-check.js';
import { ledgerRecord } from '@tillbridge/gateway/core/acquirers/internal/ledger-record.js';
import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import { MemoryLedgerStore } from '@tillbridge/gateway/core/acquirers/internal/testing/memory-ledger-store.js';
import { ACCOUNT_DATA_REFUSED } from '@tillbridge/gateway/core/payments/rules/account-data-error.js';
import { REPLAY_CODE } from '@tillbridge/gateway/core/payments/rules/atc-replay.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { ACCOUNT_FAILURE_LIMITS } from '@tillbridge/gateway/security/devices/account-failures.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { checkCarts } from '../carts/cart-judge.js';
import type { CartRequests } from '../carts/cart-request.js';
import type { Cardholders } from '../chargebacks/cardholders.js';
import { checkChargebacks, unbooked } from '../chargebacks/chargeback-judge.js';
import { checkNotifications } from '../notifications/notification-judge.js';
import type { WebhookReceiver } from '../notifications/webhook-receivers.js';
import { type AcquirerHost, stands } from '../parts/acquirer-host.js';
import type { AgentMachine } from '../parts/agent-machine.js';
import type { GatewayMachine } from '../parts/gateway-machine.js';
import type { WaitingOrders } from '../parts/waiting-order.js';
import type { SharedRequests } from '../sharing/shared-request.js';
import { wrongApproval } from './card-check.js';
import type { CardRecorder } from './card-recorder.js';
import { checkOrders, type Orders } from './order-check.js';
import { describe, type Recorder, type SaleRecord } from './recorder.js';
import { checkShared } from './sharing-judge.js';
import { capturedAsShown, differentTotals, type TotalsKey } from './till-totals.js';
import { checkWaits } from './wait-check.js';
import type { WireRecorder } from './wire-recorder.js';

/** What is looked at when all is quiet. */
export interface QuietSimulation {
  readonly agents: readonly AgentMachine[];
  /** The first gateway, and all of them. */
  readonly gateway: GatewayMachine;
  readonly gateways: readonly GatewayMachine[];
  readonly acquirer: AcquirerHost;
  readonly recorder: Recorder;
  readonly wire: WireRecorder;
  readonly cards: CardRecorder;
  readonly online: (Orders & { readonly isQuiet: boolean }) | undefined;
  readonly waiting: WaitingOrders | undefined;
  readonly sharing: (SharedRequests & { readonly isQuiet: boolean }) | undefined;
  readonly carts: (CartRequests & { readonly isQuiet: boolean }) | undefined;
  readonly cardholders: Pick<Cardholders, 'isQuiet' | 'made'> | undefined;
  readonly receivers: readonly WebhookReceiver[];
  /** Whether no gateway's clock was ever wrong: what is due by one that was set back is done long after. */
  readonly isGatewayClockRight: () => boolean;
  readonly linked: { isQuiet(): Promise<boolean>; check(): Promise<void> } | undefined;
}

/** Kinds of rows that hold or give money for a till's reference; captures, reversals and increments follow them. */
const MONEY_KINDS: ReadonlySet<string> = new Set(['authorization', 'advice', 'credit', 'refund']);

/** Durable events that a till requests at once. */
const EVENTS_PER_PAGE = 500;

/** Whether nothing is under way any more, seen from outside. */
export async function isQuiet({
  agents,
  gateway,
  gateways,
  online,
  waiting,
  sharing,
  carts,
  cardholders,
  receivers,
  isGatewayClockRight,
  linked,
}: QuietSimulation): Promise<boolean> {
  const store = gateway.diskImage.state;
  const open = await store.find('intents', 'state', ['open'], { limit: 1 });
  if (
    open.length > 0 ||
    gateways.some(({ service }) => !service) ||
    online?.isQuiet === false ||
    waiting?.isQuiet === false ||
    sharing?.isQuiet === false ||
    carts?.isQuiet === false ||
    cardholders?.isQuiet === false ||
    (linked && !(await linked.isQuiet()))
  )
    return false;
  if (cardholders && (await unbooked(cardholders.made, store)).length > 0) return false;
  if (isGatewayClockRight() && (await isDue(store, receivers))) return false;
  for (const agent of agents) {
    // The status is answered at any time; this only once the journal has been read.
    const served = await agent.call('events', (service) => service.eventsAfter(Number.MAX_SAFE_INTEGER, 1));
    const call = await agent.call('status', async (service) => service.status());
    if (served.kind !== 'answer' || call.kind !== 'answer') return false;
    const { open: openSales, queue, journal } = call.value;
    if (openSales.length > 0 || queue.depth > 0 || journal.state !== 'ready') return false;
  }
  return true;
}

/** Whether a gateway has yet to give gift cards back what they paid, or to notify a merchant. */
async function isDue(
  store: QuietSimulation['gateway']['diskImage']['state'],
  receivers: QuietSimulation['receivers'],
): Promise<boolean> {
  const first = { from: 0, limit: 1 };
  if ((await store.findRange('cartPayments', 'due', first)).length > 0) return true;
  for (const { endpointId } of receivers)
    if ((await store.findRange('deliveries', 'due', { equals: [endpointId], ...first })).length > 0)
      return true;
  return false;
}

/**
 * Checks the promises when the simulation is quiet. Reports each broken one to the recorder.
 * @returns references at the acquirer of the payments that came at once
 */
export async function checkPromises(simulation: QuietSimulation): Promise<ReadonlySet<string>> {
  const { agents, gateway, acquirer, recorder, online, waiting, sharing, carts, linked } = simulation;
  const { cardholders, receivers, isGatewayClockRight } = simulation;
  const store = gateway.diskImage.state;
  await checkIntents(store, recorder);
  await checkStreams(simulation, store);
  await checkAnswers(simulation, store);
  await checkInvariants(simulation, store);
  await linked?.check();
  if (cardholders) await checkChargebacks(cardholders.made, store, (text) => recorder.breach('P2', text));
  await checkNotifications(receivers, store, isGatewayClockRight(), (text) => recorder.breach('P4', text));
  const ordered = online && (await checkOrders(online, store, acquirer.rows, recorder));
  const waited = waiting && (await checkWaits(waiting, store, acquirer.rows, recorder));
  const shared = sharing ? await checkShared(sharing, store, acquirer.rows, recorder) : new Set<string>();
  const ofCarts =
    carts &&
    (await checkCarts(carts, store, acquirer.rows, {
      isComplete: isGatewayClockRight(),
      breach: (text) => recorder.breach('P2', text),
    }));
  const known = new Set([...(ordered ?? []), ...(waited ?? []), ...(ofCarts ?? []), ...shared]);
  const standing = standingByReference(simulation, known);
  for (const agent of agents) {
    await checkAgent(simulation, agent, standing);
    checkReplays(recorder, agent, standing);
    checkCards(simulation, agent);
    checkHonest(simulation, agent);
    await checkTotals(recorder, agent);
  }
  return shared;
}

/** What totals are shown by, and the value of a sale. */
const TOTALS_BY: readonly (readonly [TotalsBy, TotalsKey])[] = [
  ['terminal', ({ terminalId }) => terminalId],
  ['till', ({ till = '' }) => till],
  ['currency', ({ currency }) => currency],
];

/** P2: the totals of a store are what its tills were shown. */
async function checkTotals(recorder: Recorder, agent: AgentMachine): Promise<void> {
  const answers = [...recorder.sales.values()].flatMap(({ request, last }) =>
    last && request.store === agent.name ? last : [],
  );
  const ever = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
  for (const [by, keyOf] of TOTALS_BY) {
    const call = await agent.call(`totals by ${by}`, (service) => service.totals(ever, by));
    if (call.kind !== 'answer') {
      recorder.breach('P3', `${agent.name} shows no totals`);
      return;
    }
    for (const difference of differentTotals(answers, call.value, keyOf))
      recorder.breach('P2', `${agent.name}: ${difference}`);
  }
}

/** P2: one cryptogram of a card pays once. */
function checkReplays(
  recorder: Recorder,
  { name, agentId }: AgentMachine,
  standing: ReadonlyMap<string, readonly LedgerRow[]>,
): void {
  for (const [store, original, replay] of recorder.replays) {
    const paid = [original, replay].every((reference) => standing.has(`${agentId}/${reference}`));
    if (store === name && paid)
      recorder.breach('P2', `${original} and ${replay} were paid with one cryptogram`);
  }
}

/** Answers of the gateway to terminal data that were used, or that it cannot read. */
const FOR_HOSTILE_DATA: readonly string[] = [REPLAY_CODE, ACCOUNT_DATA_REFUSED.resultCode];

/** P8: whatever others do with leaked data, the sales of a store are judged by their own. */
function checkHonest({ recorder, wire }: QuietSimulation, { name }: AgentMachine): void {
  const replays = recorder.replays.filter(([store]) => store === name);
  const replayed = new Set(replays.flatMap(([, ...pair]) => pair));
  // So many replays by its own terminal lock a device, as they must; then its other sales are refused, too.
  const mayBeLocked = replays.length >= ACCOUNT_FAILURE_LIMITS.device;
  for (const { store, reference, kind, answer = '' } of wire.messages.values()) {
    const code = FOR_HOSTILE_DATA.find((each) => answer.endsWith(each));
    const isOwnLock = code === ACCOUNT_DATA_REFUSED.resultCode && mayBeLocked;
    if (store === name && code !== undefined && !replayed.has(reference) && !isOwnLock)
      recorder.breach('P8', `${kind} of ${reference} was refused with ${code}: others have used its data`);
  }
}

/** P2: no approval of the issuer stands that its card has refused. */
function checkCards({ recorder, wire, cards }: QuietSimulation, { name }: AgentMachine): void {
  const cryptograms = new Map<string, string>();
  for (const { store, reference, kind, cryptogram } of wire.messages.values())
    if (store === name && kind === 'authorizationRequest' && cryptogram !== undefined)
      cryptograms.set(reference, cryptogram);
  // A terminal that replays a card has no card that gives a cryptogram.
  for (const [store, , replay] of recorder.replays) if (store === name) cryptograms.delete(replay);
  for (const { request, last, codeEntered } of recorder.sales.values()) {
    const cryptogram = cryptograms.get(request.reference);
    if (request.store !== name || cryptogram === undefined || last?.outcome !== 'approved') continue;
    // A refund requests an AAC from its card; an issuer who was called approves in the card's place.
    if (last.mode !== 'online' || request.type === 'refund' || codeEntered) continue;
    const wrong = wrongApproval(cards.transactionOf(cryptogram));
    if (wrong !== undefined)
      recorder.breach('P2', `${request.reference} ends as ${describe(last)}, and ${wrong}`);
  }
}

/** The gateway's own comparison finds nothing: payments, stored answers and the acquirer's record agree. */
async function checkInvariants({ acquirer, recorder }: QuietSimulation, store: MemoryStore): Promise<void> {
  const ledger = new MemoryLedgerStore({
    rows: new Map(acquirer.rows.map((row) => [row.acquirerReference, row])),
    tombstones: new Set(),
  });
  const log = { warn: () => undefined, error: () => undefined };
  const check = new InvariantCheck({
    store,
    records: [ledgerRecord(ledger)],
    clock: new VirtualClock(0),
    log,
  });
  await check.full();
  for (const { kind, subject, detail } of check.known.list())
    recorder.breach('P2', `the gateway finds a difference: ${kind} ${nameOf(subject)}: ${detail}`);
}

async function checkIntents(store: MemoryStore, recorder: Recorder): Promise<void> {
  for (const { kind, createdAtMs } of await store.find('intents', 'state', ['open'])) {
    recorder.breach(
      'P3',
      `a ${kind} of ${new Date(createdAtMs).toISOString()} is open at the gateway for ever`,
    );
  }
}

/** P4, P5: every numbered message has come to the gateway, or staff can see why not. */
async function checkStreams(simulation: QuietSimulation, store: MemoryStore): Promise<void> {
  const { agents, recorder } = simulation;
  const visible = new Set<string>();
  for (const agent of agents) {
    const call = await agent.call('queue', async (service) => service.queue());
    for (const item of call.kind === 'answer' ? call.value.items : []) {
      if (item.state === 'parked' && item.reason) visible.add(item.messageId);
      else if (item.state === 'parked')
        recorder.breach('P4', `${item.kind} of ${item.reference} is parked without a reason`);
    }
  }
  for (const { messageId, agentId, kind, reference, terminalId, sequence } of recorder.streams.values()) {
    if (visible.has(messageId)) continue;
    const key = [agentId, messageId];
    const reached = (await store.get('inbox', key)) ?? (await store.get('parked', key));
    if (!reached)
      recorder.breach(
        'P4',
        `${kind} of ${reference} (${terminalId}#${sequence}) left the queue and never arrived`,
      );
  }
}

/** P5: what the gateway has answered it still knows. */
async function checkAnswers({ wire, recorder }: QuietSimulation, store: MemoryStore): Promise<void> {
  for (const [messageId, { agentId, answer, kind, reference }] of wire.messages) {
    if (answer === undefined || answer.startsWith('REFUSED')) continue;
    const key = [agentId, messageId];
    const known = (await store.get('inbox', key)) ?? (await store.get('parked', key));
    if (!known)
      recorder.breach('P5', `the gateway answered ${kind} of ${reference} and does not know it any more`);
  }
}

/** The acquirer's own record, by the reference whose message brought each row about. */
function standingByReference(
  { acquirer, wire, recorder }: QuietSimulation,
  ordered: ReadonlySet<string>,
): Map<string, LedgerRow[]> {
  const standing = new Map<string, LedgerRow[]>();
  for (const row of acquirer.rows) {
    if (!MONEY_KINDS.has(row.kind) || ordered.has(row.acquirerReference)) continue;
    const message = row.messageId === null ? undefined : wire.messages.get(row.messageId);
    // The messages of a hostile store must not get as far as the acquirer.
    const isForeign = row.messageId !== null && !message;
    if (!stands(row) && !isForeign) continue;
    if (!message) {
      const verb = stands(row) ? 'stands' : 'arrived';
      recorder.breach('P2', `${row.kind} of ${row.amountMinor} ${verb} at the acquirer without a request`);
      continue;
    }
    const key = `${message.agentId}/${message.reference}`;
    standing.set(key, [...(standing.get(key) ?? []), row]);
  }
  return standing;
}

async function checkAgent(
  simulation: QuietSimulation,
  agent: AgentMachine,
  standing: ReadonlyMap<string, readonly LedgerRow[]>,
): Promise<void> {
  const { recorder } = simulation;
  const status = await agent.call('status', async (service) => service.status());
  if (status.kind !== 'answer') {
    recorder.breach('P3', `${agent.name} is down`);
    return;
  }
  for (const { reference } of status.value.open)
    recorder.breach('P3', `${reference} never came to an end on ${agent.name}`);
  const queue = await agent.call('queue', async (service) => service.queue());
  const items = queue.kind === 'answer' ? queue.value.items : [];
  for (const { kind, reference, terminalId, sequence, state } of items) {
    if (state !== 'waiting') continue;
    const message = `${kind} of ${reference} (${terminalId}#${sequence})`;
    recorder.breach('P3', `${message} waits for ever on ${agent.name}`);
  }
  for (const record of recorder.sales.values()) {
    if (record.request.store !== agent.name) continue;
    const { reference } = record.request;
    const call = await agent.call(`get ${reference}`, (service) => service.get(reference));
    const rows = standing.get(`${agent.agentId}/${reference}`) ?? [];
    if (call.kind === 'answer') {
      recorder.shown(agent.name, call.value);
      if (record.approvedOnce && call.value.outcome !== 'approved' && !record.reversalRequested)
        await catchUp(agent, record);
      checkSale(recorder, record, call.value, rows);
    } else if (call.kind === 'gone' || call.refusal.code !== 'unknown-reference') {
      const why = call.kind === 'gone' ? 'it is down' : call.refusal.message;
      recorder.breach('P3', `${agent.name} does not answer about ${reference}: ${why}`);
    } else if (record.last) {
      recorder.breach('P1', `${reference} was shown as ${describe(record.last)} and is unknown now`);
    } else if (rows.length > 0) {
      recorder.breach('P1', `${reference} stands at the acquirer and is unknown at the store`);
    }
  }
}

/** A till that was not connected at a late decline receives it when it requests the events that it has missed. */
async function catchUp(agent: AgentMachine, record: SaleRecord): Promise<void> {
  let after = 0;
  while (!record.lateDeclineReported) {
    const call = await agent.call('events', (service) => service.eventsAfter(after, EVENTS_PER_PAGE));
    const events = call.kind === 'answer' ? call.value : [];
    for (const event of events) {
      if ('id' in event) after = event.id;
      const isLate = event.type === 'declined-later' || event.type === 'expired';
      if (isLate && event.sale.reference === record.request.reference) record.lateDeclineReported = true;
    }
    if (events.length === 0) return;
  }
}

function checkSale(
  recorder: Recorder,
  record: SaleRecord,
  answer: SaleAnswer,
  rows: readonly LedgerRow[],
): void {
  const { approvedOnce, reversalRequested, lateDeclineReported, codeEntered, captureRequestedMinor } = record;
  const { reference, type } = record.request;
  const story = `${reference} ends as ${describe(answer)}`;
  const [row] = rows;
  if (row && type === 'preauthorization' && row.capturedMinor > captureRequestedMinor)
    recorder.breach(
      'P2',
      `${row.capturedMinor} are captured for ${reference}, requested ${captureRequestedMinor}`,
    );
  const captured = row && type === 'preauthorization' ? capturedAsShown(answer) : undefined;
  if (row && captured !== undefined && captured !== row.capturedMinor)
    recorder.breach('P2', `${captured} are shown as captured of ${reference}, and ${row.capturedMinor} are`);
  if (rows.length > 1) recorder.breach('P2', `${rows.length} transactions stand for ${reference}: ${story}`);
  const shown = Math.round(Number(answer.approvedAmount ?? answer.amount) * 100);
  if (row && answer.outcome === 'approved' && row.amountMinor !== shown)
    recorder.breach('P2', `${row.amountMinor} stand for ${reference}, shown as ${shown}: ${story}`);
  if (answer.state === 'parked') return;
  if (answer.state !== 'done' || answer.outcome === null) {
    recorder.breach('P3', story);
    return;
  }
  if ((answer.outcome === 'approved') !== (row !== undefined))
    recorder.breach(
      row ? 'P2' : 'P1',
      `${story}, and at the acquirer ${row ? `a ${row.kind} stands` : 'nothing stands'}`,
    );
  // A code that the issuer does not know is answered where it was entered.
  const isExplained = reversalRequested || lateDeclineReported || codeEntered;
  if (approvedOnce && answer.outcome !== 'approved' && !isExplained)
    recorder.breach('P1', `${story}; it was shown as approved and taken back without a word`);
}
