import type { OnlineResult, TerminalDriver } from '@tillbridge/agent/drivers/core/driver.js';
import type { ForwardQueue, StreamEnvelope } from '@tillbridge/agent/journal/forward-queue.js';
import type { Journal, JournalWrite, NewRow } from '@tillbridge/agent/journal/journal.js';
import type { AgedRecord } from '@tillbridge/agent/sale/offline/record-ages.js';
import type { TimeFloor } from '@tillbridge/agent/sale/offline/time-floor.js';
import { UNLIMITED } from '@tillbridge/agent/sale/policy/policy-in-force.js';
import { SaleError, type SaleService } from '@tillbridge/agent/sale/service/sale-service.js';
import type { StorePolicySource } from '@tillbridge/agent/uplink/store-policy-keeper.js';
import type { LiveEnvelope, Uplink } from '@tillbridge/agent/uplink/uplink.js';
import {
  type Acquirer,
  type AcquirerRequest,
  AcquirerUnreachableError,
} from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type { Origin } from '@tillbridge/gateway/core/payments/rules/requests.js';
import { bareResult } from '@tillbridge/gateway/core/payments/rules/results.js';
import { TryLaterError } from '@tillbridge/gateway/kernel/errors/try-later-error.js';
import type { TableName } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { Disposition, type Outcome } from '@tillbridge/wire/bridge/messages.js';
import { keepsPartsOfUnpaid, knowsNoOwners, takesPartsAsTheyWere } from './cart-mutations.js';
import {
  answersByKsn,
  believesOwner,
  revealsUsedKsn,
  sellsAnywhere,
  takesKsnOfPaymentsOnly,
  takesKsnOnce,
} from './ksn-mutations.js';
import type { Mutation } from './mutation.js';
import { guardsNoCommit, knowsNoFence, reliesOnOldRows, takesAtOnce } from './node-mutations.js';
import { notifiesNoDeclines, numbersTwice, takesAnyStatus } from './notification-mutations.js';
import { redirected } from './redirected.js';
import {
  countsOneMore,
  scalesTwice,
  settlesHundredths,
  settlesNoRefunds,
  takesFeesOfChargebacks,
  takesFeesOfRefunds,
  takesLatestRates,
  takesWonBackAgain,
} from './settlement-mutations.js';
import { deniesRefunds, followsTwice, forgetsAgreements, storesEachTime } from './sharing-mutations.js';
import { showsRequestedAmounts, totalsRequestedAmounts } from './till-mutations.js';
import {
  believesAge,
  believesArqc,
  believesRecords,
  believesTc,
  ignoresAge,
  takesOuterTerminal,
  withoutPending,
} from './trusting.js';
import {
  believesReturns,
  expiresWithoutStatus,
  forgetsDeadlines,
  forgetsEnds,
  keepsContinuations,
  resolvesWhatWaits,
  takesSecondOutcome,
} from './waiting-mutations.js';

/** Rare situations that are no bug: a simulation full of them keeps its promises. */
export const SITUATIONS = {
  'an approval in part whose answer is lost': { acquirer: losesPartAnswers },
  'a reversal that is never decided': {
    paymentService: neverDecides,
    bridgeLimits: { streamBlockMs: 120_000 },
  },
  'a message is parked late': {
    paymentService: neverDecides,
    bridgeLimits: { streamBlockMs: 10_000 },
    store: (store) => committingLate(store, parks),
  },
  'a refusal is committed late': { store: (store) => committingLate(store, refuses) },
  'a cancel-if-unseen is answered late': {
    store: (store) => committingLate(store, answersAlone, FEWER_WAITING),
  },
} as const satisfies Readonly<Record<string, Mutation>>;

/** Deliberate bugs, by what is done wrong. */
export const MUTATIONS = {
  'the journal forgets to sync': { journalDisk: 'never-syncs' },
  'the journal answers before its transaction': { journalDisk: 'answers-first' },
  'the store forgets to sync': { storeSyncs: false },
  'the gateway answers before its commit': { store: commitsLater },
  'the agent forgets before the acknowledgement': { queue: forgetsEarly },
  'the agent drops an expired record in silence': { queue: dropsExpired },
  'the queue mixes up the order of a stream': { queue: mixesUp },
  'a reversal that comes first leaves no tombstone': {
    store: (store) => withoutTables(store, ['tombstones']),
    acquirer: reversesOnlyWhatIsThere,
  },
  'the gateway takes a message once more under its id': { paymentService: takesAgain },
  'a card that was replayed is taken again': {
    store: (store) => withoutTables(store, ['usedAtcs', 'usedKsns']),
  },
  'an offline record gets the answer to the authorization of its KSN': { paymentService: answersByKsn },
  'an offline record may not come under the KSN of its own authorization': { store: takesKsnOnce },
  'a device sells for any merchant': { store: believesOwner },
  'a foreign KSN is taken once more': {
    store: (store) => believesOwner(withoutTables(store, ['usedKsns'])),
  },
  'account data that are refused use up no KSN': { store: takesKsnOfPaymentsOnly },
  'a used KSN is answered unlike unreadable account data': { paymentService: revealsUsedKsn },
  'a device sells at any terminal': { store: sellsAnywhere },
  'a message may name another terminal inside than outside': { bridgeSocket: takesOuterTerminal },
  'an older session may still write': { store: (store) => withoutEpochs(store, () => true) },
  'an older session may still park a message': {
    ...SITUATIONS['a message is parked late'],
    store: (store) => committingLate(withoutEpochs(store, parks), parks),
  },
  'an older session may still refuse': {
    store: (store) => committingLate(withoutEpochs(store, refuses), refuses),
  },
  'an older session may still answer a cancel-if-unseen': {
    store: (store) => committingLate(withoutEpochs(store, answersAlone), answersAlone, FEWER_WAITING),
  },
  'a sale of a cloned agent is forgotten': { paymentService: takesPlaceForMessage },
  'a reversal that found nothing to reverse waits for ever': { queue: keepsIdleReversals },
  'the gateway sends a request to a silent acquirer as a new one': { acquirer: sendsAnew },
  'the reversal that fences trusts the amount': {
    acquirer: (acquirer) => trustsAmount(losesPartAnswers(acquirer)),
  },
  'a message that cannot be decided blocks its stream for ever': {
    ...SITUATIONS['a reversal that is never decided'],
    bridgeLimits: { streamBlockMs: Number.POSITIVE_INFINITY },
  },
  'the till takes a reference alone for the sale': { saleService: takesReferenceOnly },
  'a till may capture more than was authorized': { saleService: takesAnyCapture },
  'the gateway captures all that was authorized': { acquirer: capturesAll },
  'a pending payment is reported absent': { store: withoutPending },
  'the gateway believes an offline record': { paymentService: believesRecords },
  'the gateway believes a TC': { security: believesTc },
  'a counter of a card is used up by any cryptogram': { security: believesArqc },
  'the gateway believes the age of an offline record': { paymentService: believesAge },
  'an offline record expires at the gateway by its own clock alone': { paymentService: ignoresAge },
  'a cancel is answered before its outcome is known': { saleService: cancelsAtOnce },
  'a request is sent again when nothing is known of it': { uplink: sendsAgain },
  'the agent ignores the policy of its store': { storePolicy: allowsAll },
  'no answer counts as a decline': { journal: (journal) => rewriting(journal, givesUp) },
  'an approval that the card refused is not reversed': {
    journal: (journal) => rewriting(journal, keepsRefused),
  },
  'an AAC after an approval counts as approved': { driver: takesRefusalForApproval },
  'an AAC without the gateway counts as approved': { driver: takesRefusalForOfflineApproval },
  'the gateway reverses nothing where the card has refused': { paymentService: keepsRefusedByCard },
  'a card that refuses after a timeout ends its sale': {
    journal: (journal) => rewriting(journal, endsWithCard),
  },
  'the limits of a card are counted for each terminal': { driver: knowsCardsByTerminal },
  'an offline record expires by the wall clock': {
    recordAges: (ages, time) => redirected(ages, { sureMs: ({ atMs }: AgedRecord) => time.wallMs() - atMs }),
  },
  'an offline record expires at its store by the clock of the gateway alone': {
    recordAges: (ages, time) => redirected(ages, { sureMs: ({ atMs }: AgedRecord) => time.sureAgeMs(atMs) }),
  },
  'a clock that was set back is believed': { timeFloor: withoutFloor },
  'an offline approval does not reverse the request before it': {
    journal: (journal) => rewriting(journal, withoutPrecedingReversal),
  },
  'a payment that waits is resolved as if its answer were lost': { store: resolvesWhatWaits },
  'a deadline ignores a decision that came before it': { gate: expiresWithoutStatus },
  'a return counts as an approval': { acquirer: believesReturns },
  'a return after the end makes a second outcome': { paymentService: takesSecondOutcome },
  'what a payment kept while it waited stays': { store: keepsContinuations },
  'the end of a wait is not in the commit of its outcome': { store: forgetsEnds },
  'a gateway takes what another one works on': { nodes: 2, owner: takesAtOnce },
  'a gateway goes on that others have taken over from': { nodes: 2, owner: knowsNoFence },
  'a late commit counts though others have taken over': { nodes: 2, owner: guardsNoCommit },
  'what a commit relies on may change before it': { nodes: 2, store: reliesOnOldRows },
  'no process looks at deadlines': { store: forgetsDeadlines },
  'a card is stored for each who brings it': { backOffice: storesEachTime },
  'an agreement belongs to no card': { paymentService: forgetsAgreements },
  'a refund is answered as declined': { paymentService: deniesRefunds },
  'what follows a payment is carried out twice': { paymentService: followsTwice },
  'a settlement counts every currency in hundredths': { store: settlesHundredths },
  'a settlement takes refunds for payments': { store: settlesNoRefunds },
  'a settlement takes the fee of a payment for a refund': { store: takesFeesOfRefunds },
  'a settlement counts an operation more': { store: countsOneMore },
  'a settlement scales what it exchanges twice': { store: scalesTwice },
  'a settlement takes the latest rate for that of its time': { store: takesLatestRates },
  'a settlement takes a fee of a chargeback': { store: takesFeesOfChargebacks },
  'a settlement takes what was won back once more': { store: takesWonBackAgain },
  'a gift card of another merchant pays': { store: knowsNoOwners },
  'an order takes a gift-card payment as it was before': { store: takesPartsAsTheyWere },
  'what a gift card paid for a refused order stays paid': { store: keepsPartsOfUnpaid },
  'a notification is delivered whatever its answer is': { egress: takesAnyStatus },
  'an event gets two numbers': { store: numbersTwice },
  'a payment that is declined is not notified': { store: notifiesNoDeclines },
  'totals count what was requested': { saleService: totalsRequestedAmounts },
  'a receipt shows what was requested': { saleService: showsRequestedAmounts },
} as const satisfies Readonly<Record<string, Mutation>>;

/** Name of a mutation. */
export type MutationName = keyof typeof MUTATIONS;

/** The changes of a write, as a bug would have decided them. */
type Rewrite = (rows: readonly NewRow[]) => readonly NewRow[];

function rewriting(journal: Journal, rewrite: Rewrite): Journal {
  return redirected(journal, {
    append: (write: JournalWrite) => {
      const rows = rewrite(write.rows);
      const gone = write.rows.filter((row) => !rows.includes(row)).map(({ messageId }) => messageId);
      const blobs = write.blobs?.filter(({ messageId }) => !gone.includes(messageId)) ?? [];
      return journal.append({ ...write, rows, blobs });
    },
  });
}

const END = { outcome: 'failed', mode: null, reason: 'no-answer' } as const;

const givesUp: Rewrite = (rows) =>
  rows.map((row) => (row.kind === 'unknown' ? { ...row, kind: 'ended', data: END } : row));

const keepsRefused: Rewrite = (rows) => {
  const refused = rows.some(({ kind, data }) => kind === 'completed' && data.result === 'declined');
  return rows.map((row) => {
    if (!refused || row.kind !== 'reversal') return row;
    const { reference, terminalId } = row;
    const data = { outcome: 'declined', mode: 'online', reason: 'declined-by-card' };
    return { kind: 'ended', reference, terminalId, data };
  });
};

/** The request may have been approved all the same: the card's word is not the issuer's. */
const endsWithCard: Rewrite = (rows) => {
  const refused = rows.some(({ kind, data }) => kind === 'completed' && data.result === 'declined');
  return rows.map((row) => {
    if (!refused || row.data.reason !== 'no-answer' || (row.kind !== 'unknown' && row.kind !== 'reversal'))
      return row;
    const { reference, terminalId } = row;
    const data = { outcome: 'declined', mode: 'offline-card', reason: 'declined-by-card' };
    return { kind: 'ended', reference, terminalId, data };
  });
};

const withoutPrecedingReversal: Rewrite = (rows) =>
  rows.some(({ kind }) => kind === 'offline-record')
    ? rows.filter(({ kind }) => kind !== 'preceding-reversal')
    : rows;

/** Each terminal takes a card for another one. */
function knowsCardsByTerminal(driver: TerminalDriver, terminalId: string): TerminalDriver {
  return redirected(driver, {
    start: async (...call: Parameters<TerminalDriver['start']>) => {
      const outcome = await driver.start(...call);
      if (!('card' in outcome)) return outcome;
      const { facts } = outcome.card;
      const paymentAccountReference = `${terminalId}${facts.paymentAccountReference ?? facts.last4Digits}`;
      return { ...outcome, card: { ...outcome.card, facts: { ...facts, paymentAccountReference } } };
    },
  });
}

/** Ages follow the wall clock, and nothing shows that it is behind. */
function withoutFloor(time: TimeFloor): TimeFloor {
  return redirected(time, {
    nowMs: () => time.wallMs(),
    isBehind: () => false,
    ageMs: (timeMs: number) => Math.max(0, time.wallMs() - timeMs),
  });
}

/** What a card made of an answer counts as an approval of the same answer. */
function approving(driver: TerminalDriver, to: OnlineResult['kind']): TerminalDriver {
  return redirected(driver, {
    complete: async (...call: Parameters<TerminalDriver['complete']>) => {
      const outcome = await driver.complete(...call);
      const takes = outcome.kind === 'declined' && call[0].kind === to;
      return takes ? { ...outcome, kind: 'approved' } : outcome;
    },
  });
}

function takesRefusalForApproval(driver: TerminalDriver): TerminalDriver {
  return approving(driver, 'approved');
}

function takesRefusalForOfflineApproval(driver: TerminalDriver): TerminalDriver {
  return approving(driver, 'unable-to-go-online');
}

/** A reversal after an AAC is taken and reverses nothing: the card has refused, so no money can have moved. */
function keepsRefusedByCard(service: PaymentService): PaymentService {
  return redirected(service, {
    followUp: async (request: Parameters<PaymentService['followUp']>[0]) => {
      if (request.type !== 'RV' || request.reason !== 'declined-by-card') return service.followUp(request);
      await service.followUp({ ...request, cancelIfUnseen: true });
      return bareResult('reversed', '000.000.000');
    },
  });
}

/** The commit begins, and is not awaited. */
function commitsLater(store: Store): Store {
  return redirected(store, {
    commit: async (changes: readonly Change[]) => {
      store.commit(changes).catch(() => undefined);
    },
  });
}

function withoutTables(store: Store, tables: readonly TableName[]): Store {
  const drops = (table: TableName): boolean => tables.includes(table);
  return redirected(store, {
    commit: (changes: readonly Change[]) =>
      store.commit(changes.filter((change) => !('table' in change && drops(change.table)))),
    get: (table: TableName, key: never) =>
      drops(table) ? Promise.resolve(undefined) : store.get(table, key),
  });
}

/** Kind of a commit. */
type CommitKind = (changes: readonly Change[]) => boolean;

const inserts = (changes: readonly Change[], table: TableName): boolean =>
  changes.some((change) => change.op === 'insert' && change.table === table);
const endsIntent: CommitKind = (changes) =>
  changes.some((change) => change.op === 'update' && change.table === 'intents');

const parks: CommitKind = (changes) => inserts(changes, 'parked');
/** A payment that never had an intent. */
const refuses: CommitKind = (changes) => inserts(changes, 'payments') && !endsIntent(changes);
/** A stored answer without a payment: to a cancel-if-unseen, or to a message that was refused whole. */
const answersAlone: CommitKind = (changes) =>
  inserts(changes, 'inbox') && !inserts(changes, 'payments') && !endsIntent(changes);

/** Commits of the kind do not look at the epoch of their session. */
function withoutEpochs(store: Store, isMeant: CommitKind): Store {
  const kept = ({ op, ...change }: Change): boolean =>
    op !== 'require-field' || !('column' in change) || change.column !== 'epoch';
  return redirected(store, {
    commit: (changes: readonly Change[]) => store.commit(isMeant(changes) ? changes.filter(kept) : changes),
  });
}

/** Empty commits that a late one waits for at most: half a minute. */
const MOST_WAITING = 5_000;
/** The same for a commit that comes again and again: it must end before its session does. */
const FEWER_WAITING = 2_500;

/** Commits of the kind wait on the disk until their agent has a newer session, or for so many empty commits. */
function committingLate(store: Store, isMeant: CommitKind, most = MOST_WAITING): Store {
  const isNewest = async (changes: readonly Change[]): Promise<boolean> => {
    const fence = changes.find(({ op }) => op === 'require-field');
    if (fence?.op !== 'require-field' || fence.table !== 'agents') return false;
    return (await store.get('agents', fence.key))?.epoch === fence.equals;
  };
  return redirected(store, {
    commit: async (changes: readonly Change[]) => {
      if (isMeant(changes))
        for (let waited = 0; waited < most && (await isNewest(changes)); waited += 1) await store.commit([]);
      return store.commit(changes);
    },
  });
}

/** Every delivery of a message counts as a new message. */
function takesAgain(service: PaymentService): PaymentService {
  const deliveries = new Map<string, number>();
  const anew = <T extends { readonly origin: Origin }>(request: T): T => {
    const { origin } = request;
    if (origin.kind === 'rest') return request;
    const delivery = (deliveries.get(origin.messageId) ?? 0) + 1;
    deliveries.set(origin.messageId, delivery);
    if (delivery === 1) return request;
    return { ...request, origin: { ...origin, messageId: `${origin.messageId}/${delivery}` } };
  };
  return redirected(service, {
    authorize: (request: Parameters<PaymentService['authorize']>[0]) => service.authorize(anew(request)),
    followUp: (request: Parameters<PaymentService['followUp']>[0]) => service.followUp(anew(request)),
  });
}

/** What another machine with the same identity sent under the same number counts as this message: its sale is forgotten. */
function takesPlaceForMessage(service: PaymentService): PaymentService {
  const holders = new Map<string, string>();
  const isForgotten = (origin: Origin): boolean => {
    if (origin.kind === 'rest' || origin.sequence === 0) return false;
    const { agentId, terminalId, sequence, messageId } = origin;
    const place = `${agentId}/${terminalId}#${sequence}`;
    const holder = holders.get(place) ?? messageId;
    holders.set(place, holder);
    return holder !== messageId;
  };
  return redirected(service, {
    authorize: async (request: Parameters<PaymentService['authorize']>[0]) =>
      isForgotten(request.origin) ? bareResult('approved', '000.000.000') : service.authorize(request),
    followUp: async (request: Parameters<PaymentService['followUp']>[0]) =>
      isForgotten(request.origin) ? bareResult('reversed', '000.000.000') : service.followUp(request),
  });
}

/** The acquirer gets a reversal only when it has something to reverse. */
function reversesOnlyWhatIsThere(acquirer: Acquirer): Acquirer {
  return redirected(acquirer, {
    send: async (request: AcquirerRequest) => {
      if (request.kind !== 'reversal' || request.originalReference === undefined)
        return acquirer.send(request);
      const { state } = await acquirer.status(request.originalReference);
      return state === 'answered'
        ? acquirer.send(request)
        : { approved: true, responseCode: '00', resultCode: '000.100.110' };
    },
  });
}

/** The answer of an approval in part is lost, and the acquirer is queried for it too early. */
function losesPartAnswers(acquirer: Acquirer): Acquirer {
  const early = new Set<string>();
  return redirected(acquirer, {
    send: async (request: AcquirerRequest) => {
      const answer = await acquirer.send(request);
      if (request.kind !== 'authorization' || answer.pending || answer.approvedMinor === undefined)
        return answer;
      early.add(request.acquirerReference);
      throw new AcquirerUnreachableError('no answer in time');
    },
    status: async (reference: string) =>
      early.delete(reference) ? { state: 'unknown' } : acquirer.status(reference),
  });
}

/** The requested amount is to be reversed: more than the part that stands is refused. */
function trustsAmount(acquirer: Acquirer): Acquirer {
  const unanswered = new Set<string>();
  return redirected(acquirer, {
    send: async (request: AcquirerRequest) => {
      if (request.kind === 'authorization') unanswered.add(request.acquirerReference);
      if (request.kind === 'reversal' && unanswered.has(request.originalReference)) {
        const status = await acquirer.status(request.originalReference);
        if (status.state !== 'unknown' && !status.answer.pending && status.answer.approvedMinor !== undefined)
          return { approved: false, responseCode: '13', resultCode: '800.100.174' };
      }
      const answer = await acquirer.send(request);
      unanswered.delete(request.acquirerReference);
      return answer;
    },
  });
}

/** One reversal in some never gets an answer, however often it is sent. */
function neverDecides(service: PaymentService): PaymentService {
  return redirected(service, {
    followUp: async (request: Parameters<PaymentService['followUp']>[0]) => {
      const { origin, type } = request;
      if (type === 'RV' && origin.kind === 'bridge' && origin.messageId.endsWith('a'))
        throw new TryLaterError('the outcome of the original is not known yet');
      return service.followUp(request);
    },
  });
}

function sendsAnew(acquirer: Acquirer): Acquirer {
  return redirected(acquirer, {
    send: async (request: AcquirerRequest) => {
      try {
        return await acquirer.send(request);
      } catch (error) {
        if (!(error instanceof AcquirerUnreachableError) || request.kind !== 'authorization') throw error;
        const acquirerReference = [...request.acquirerReference].reverse().join('');
        return acquirer.send({ ...request, acquirerReference });
      }
    },
  });
}

const TAKEN: Outcome = {
  disposition: Disposition.APPROVED,
  paymentId: '',
  resultCode: '000.000.000',
  description: '',
  approvalCode: '',
  responseCode: '00',
  iccDataResponse: new Uint8Array(),
  brand: '',
};

/** What was handed to the socket counts as delivered. */
function forgetsEarly(queue: ForwardQueue): ForwardQueue {
  return redirected(queue, {
    next: async (terminalId: string, after: number) => {
      const envelope = await queue.next(terminalId, after);
      if (envelope) queue.acknowledged(envelope.id, TAKEN).catch(() => undefined);
      return envelope;
    },
  });
}

/** The gateway's answer that there was nothing to reverse does not take the reversal out of the queue. */
function keepsIdleReversals(queue: ForwardQueue): ForwardQueue {
  return redirected(queue, {
    acknowledged: async (messageId: string, outcome: Outcome) => {
      if (outcome.disposition !== Disposition.NOTHING_TO_REVERSE)
        await queue.acknowledged(messageId, outcome);
    },
  });
}

function dropsExpired(queue: ForwardQueue): ForwardQueue {
  const next = async (terminalId: string, after: number): Promise<StreamEnvelope | undefined> => {
    const envelope = await queue.next(terminalId, after);
    if (envelope?.kind !== 'offlineRecord' || !envelope.body.expired) return envelope;
    await queue.acknowledged(envelope.id, TAKEN);
    return next(terminalId, after);
  };
  return redirected(queue, { next });
}

/** Of two messages that wait, the later one goes first, under the number of the other. */
function mixesUp(queue: ForwardQueue): ForwardQueue {
  const held = new Map<string, StreamEnvelope>();
  return redirected(queue, {
    next: async (terminalId: string, after: number) => {
      const first = held.get(terminalId);
      held.delete(terminalId);
      if (first && first.sequence > after) return first;
      const envelope = await queue.next(terminalId, after);
      const later = envelope && (await queue.next(terminalId, envelope.sequence));
      if (!envelope || !later) return envelope;
      held.set(terminalId, { ...envelope, sequence: later.sequence });
      return { ...later, sequence: envelope.sequence };
    },
  });
}

function takesReferenceOnly(service: SaleService): SaleService {
  return redirected(service, {
    request: async (...call: Parameters<SaleService['request']>) => {
      try {
        return await service.request(...call);
      } catch (error) {
        if (!(error instanceof SaleError) || error.code !== 'reference-conflict') throw error;
        return service.get(call[0].reference);
      }
    },
  });
}

function takesAnyCapture(service: SaleService): SaleService {
  return redirected(service, {
    capture: async (...call: Parameters<SaleService['capture']>) => {
      try {
        return await service.capture(...call);
      } catch (error) {
        if (!(error instanceof SaleError) || error.code !== 'not-allowed') throw error;
        return service.get(call[0]);
      }
    },
  });
}

/** Whatever part of an authorization is captured, all of it is. */
function capturesAll(acquirer: Acquirer): Acquirer {
  const authorized = new Map<string, AcquirerRequest>();
  return redirected(acquirer, {
    send: async (request: AcquirerRequest) => {
      if (request.kind === 'authorization') authorized.set(request.acquirerReference, request);
      const original =
        'originalReference' in request ? authorized.get(request.originalReference ?? '') : undefined;
      if (request.kind !== 'capture' || original?.kind !== 'authorization') return acquirer.send(request);
      return acquirer.send({ ...request, amount: original.amount });
    },
  });
}

function cancelsAtOnce(service: SaleService): SaleService {
  return redirected(service, {
    cancel: async (reference: string) => {
      const answer = await service.get(reference);
      void service.cancel(reference).catch(() => undefined);
      return { ...answer, state: 'done' as const, outcome: 'cancelled' as const };
    },
  });
}

/** Keeps every request, beyond a restart, and sends it again in place of a status query. */
function sendsAgain(uplink: Uplink, memory: Map<string, unknown>): Uplink {
  return redirected(uplink, {
    sendLive: (envelope: LiveEnvelope) => {
      if (envelope.kind === 'authorizationRequest') {
        memory.set(envelope.id, structuredClone(envelope));
        return uplink.sendLive(envelope);
      }
      const request = memory.get(envelope.body.messageId) as LiveEnvelope | undefined;
      return uplink.sendLive(request ? structuredClone(request) : envelope);
    },
  });
}

function allowsAll(source: StorePolicySource): StorePolicySource {
  return { policy: UNLIMITED, onChange: (listener) => source.onChange(listener) };
}
