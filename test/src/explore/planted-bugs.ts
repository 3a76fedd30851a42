import type { CompleteOutcome } from '@tillbridge/agent/drivers/core/driver.js';
import type { LinkMutationName } from '../simulation/mutations/link-mutations.js';
import { MUTATIONS, type MutationName } from '../simulation/mutations/mutations.js';
import type { GatewaySeams } from './gateway/gateway-program.js';
import { buggyLink, LINK_BUGS } from './link/link-bugs.js';
import type { MachineName, Seams } from './machines.js';
import type { TerminalStage } from './sale/agent-state.js';
import { SESSION_BUGS } from './sessions/session-bugs.js';
import { FORMER_TOTALS_BUGS, TOTALS_BUGS } from './totals/totals-bugs.js';

/** A bug of the simulation in the code that is explored: the machine that finds it, and where it stands there. */
export interface PlantedBug {
  readonly machine: MachineName;
  readonly seams: Seams;
}

const DISK = 'what a disk keeps: see power loss';
const ACCOUNT_DATA = 'account data and counters of cards: they come typed here';
const EVIDENCE =
  'evidence, limits and ages of offline records: rules over values, without an order of events';
const GATEWAY_CLOCK = 'the clock of the gateway against its own rows: time is an event there';
const TWO_FAULTS = 'two faults of a sale: no bound that ends has so many';
const UNDECIDED = 'a message that is never decided: here each is once the acquirer answers';
const MONEY = 'captures and settlement: sums, not orders';
const NUMBERS = 'numbers and keys of a link';
const SERVICE = 'what tills and merchants are shown of what is stored';

/** What a card made of an answer counts as an approval. */
function approving(
  outcome: CompleteOutcome,
  stage: TerminalStage,
  of: 'approved' | 'unable-to-go-online',
): CompleteOutcome {
  const isTaken = stage.at === 'completing' && stage.with === of && outcome.kind === 'declined';
  return isTaken ? { ...outcome, kind: 'approved' } : outcome;
}

const ofLink = (name: keyof typeof LINK_BUGS): PlantedBug => ({
  machine: 'link',
  seams: { link: buggyLink(LINK_BUGS[name]) },
});

const ofSession = (
  name: keyof typeof SESSION_BUGS,
  machine: 'sessions' | 'two-copies' = 'sessions',
): PlantedBug => ({
  machine,
  seams: { sessions: SESSION_BUGS[name] },
});

const ofTotals = (name: keyof typeof TOTALS_BUGS): PlantedBug => ({
  machine: 'totals',
  seams: { totals: TOTALS_BUGS[name] },
});

const ofWait = (gateway: GatewaySeams): PlantedBug => ({ machine: 'waits', seams: { gateway } });

/** What a start could read too little of: each was a bug of the product once, and broke a simulation. */
type RestoredTime =
  | 'a restart knows its last contact by the time of the store alone'
  | 'a restart knows its last contact by the time of the gateway alone';

/** Every deliberate bug of the simulation, and former bugs of the product: where they are explored, or why they are not. */
export const PLANTED_BUGS: Readonly<
  Record<
    | MutationName
    | LinkMutationName
    | RestoredTime
    | keyof typeof SESSION_BUGS
    | keyof typeof FORMER_TOTALS_BUGS,
    PlantedBug | string
  >
> = {
  'a restart knows its last contact by the time of the store alone': {
    machine: 'clocks',
    seams: { clocks: { restores: ({ contactGatewayMs: _, ...stored }) => stored } },
  },
  'a restart knows its last contact by the time of the gateway alone': {
    machine: 'clocks',
    seams: { clocks: { restores: (stored) => ({ ...stored, contactWallMs: stored.contactMs }) } },
  },
  'what a host carries out on the day after its request is looked for on the day before alone': {
    machine: 'totals',
    seams: {
      totals:
        FORMER_TOTALS_BUGS[
          'what a host carries out on the day after its request is looked for on the day before alone'
        ],
    },
  },
  'a hold that a host begins on a later day is never looked for': {
    machine: 'totals',
    seams: { totals: FORMER_TOTALS_BUGS['a hold that a host begins on a later day is never looked for'] },
  },
  'the journal forgets to sync': DISK,
  'the journal answers before its transaction': DISK,
  'the store forgets to sync': DISK,
  'the gateway answers before its commit': {
    machine: 'sale',
    seams: { gateway: MUTATIONS['the gateway answers before its commit'] },
  },
  'the agent forgets before the acknowledgement': {
    machine: 'sale',
    seams: { agent: MUTATIONS['the agent forgets before the acknowledgement'] },
  },
  'the agent drops an expired record in silence': {
    machine: 'offline-sale',
    seams: { agent: MUTATIONS['the agent drops an expired record in silence'] },
  },
  'the queue mixes up the order of a stream': {
    machine: 'offline-sale',
    seams: { agent: MUTATIONS['the queue mixes up the order of a stream'] },
  },
  'a reversal that comes first leaves no tombstone': {
    machine: 'sale',
    seams: { gateway: MUTATIONS['a reversal that comes first leaves no tombstone'] },
  },
  'the gateway takes a message once more under its id': {
    machine: 'sale',
    seams: { gateway: MUTATIONS['the gateway takes a message once more under its id'] },
  },
  'a card that was replayed is taken again': ACCOUNT_DATA,
  'an offline record gets the answer to the authorization of its KSN': ACCOUNT_DATA,
  'an offline record may not come under the KSN of its own authorization': ACCOUNT_DATA,
  'a device sells for any merchant': ACCOUNT_DATA,
  'a foreign KSN is taken once more': ACCOUNT_DATA,
  'account data that are refused use up no KSN': ACCOUNT_DATA,
  'a used KSN is answered unlike unreadable account data': ACCOUNT_DATA,
  'a device sells at any terminal': ACCOUNT_DATA,
  'a message may name another terminal inside than outside': ACCOUNT_DATA,
  'an older session may still write': {
    machine: 'sale',
    seams: { gateway: MUTATIONS['an older session may still write'] },
  },
  'an older session may still park a message': TWO_FAULTS,
  'an older session may still refuse': TWO_FAULTS,
  'an older session may still answer a cancel-if-unseen': TWO_FAULTS,
  'a sale of a cloned agent is forgotten': 'a second machine with the identity of an agent',
  'a reversal that found nothing to reverse waits for ever': {
    machine: 'sale',
    seams: { agent: MUTATIONS['a reversal that found nothing to reverse waits for ever'] },
  },
  'the gateway sends a request to a silent acquirer as a new one': {
    machine: 'sale',
    seams: { gateway: MUTATIONS['the gateway sends a request to a silent acquirer as a new one'] },
  },
  'the reversal that fences trusts the amount': MONEY,
  'a message that cannot be decided blocks its stream for ever': UNDECIDED,
  'the till takes a reference alone for the sale': SERVICE,
  'a till may capture more than was authorized': MONEY,
  'the gateway captures all that was authorized': MONEY,
  'a pending payment is reported absent': SERVICE,
  'the gateway believes an offline record': EVIDENCE,
  'the gateway believes a TC': EVIDENCE,
  'a counter of a card is used up by any cryptogram': ACCOUNT_DATA,
  'the gateway believes the age of an offline record': EVIDENCE,
  'an offline record expires at the gateway by its own clock alone': GATEWAY_CLOCK,
  'a cancel is answered before its outcome is known': {
    machine: 'sale',
    seams: { agent: { showsCancelled: true } },
  },
  'a request is sent again when nothing is known of it': {
    machine: 'sale',
    seams: { agent: { asks: (_status, request) => request } },
  },
  'the agent ignores the policy of its store': EVIDENCE,
  'no answer counts as a decline': {
    machine: 'sale',
    seams: { agent: MUTATIONS['no answer counts as a decline'] },
  },
  'an approval that the card refused is not reversed': {
    machine: 'sale',
    seams: { agent: MUTATIONS['an approval that the card refused is not reversed'] },
  },
  'an AAC after an approval counts as approved': {
    machine: 'sale',
    seams: { agent: { completes: (outcome, stage) => approving(outcome, stage, 'approved') } },
  },
  'an AAC without the gateway counts as approved': {
    machine: 'offline-sale',
    seams: { agent: { completes: (outcome, stage) => approving(outcome, stage, 'unable-to-go-online') } },
  },
  'the gateway reverses nothing where the card has refused': {
    machine: 'sale',
    seams: { gateway: MUTATIONS['the gateway reverses nothing where the card has refused'] },
  },
  'a card that refuses after a timeout ends its sale': {
    machine: 'offline-sale',
    seams: { agent: MUTATIONS['a card that refuses after a timeout ends its sale'] },
  },
  'the limits of a card are counted for each terminal': EVIDENCE,
  'an offline record expires by the wall clock': {
    machine: 'clocks',
    seams: { clocks: MUTATIONS['an offline record expires by the wall clock'] },
  },
  'an offline record expires at its store by the clock of the gateway alone': {
    machine: 'clocks',
    seams: { clocks: MUTATIONS['an offline record expires at its store by the clock of the gateway alone'] },
  },
  'a clock that was set back is believed': {
    machine: 'clocks',
    seams: { clocks: MUTATIONS['a clock that was set back is believed'] },
  },
  'an offline approval does not reverse the request before it': {
    machine: 'offline-sale',
    seams: { agent: MUTATIONS['an offline approval does not reverse the request before it'] },
  },
  'a payment that waits is resolved as if its answer were lost': ofWait(
    MUTATIONS['a payment that waits is resolved as if its answer were lost'],
  ),
  'a deadline ignores a decision that came before it': ofWait(
    MUTATIONS['a deadline ignores a decision that came before it'],
  ),
  'a return counts as an approval': ofWait(MUTATIONS['a return counts as an approval']),
  'a return after the end makes a second outcome': ofWait(
    MUTATIONS['a return after the end makes a second outcome'],
  ),
  'what a payment kept while it waited stays': ofWait(MUTATIONS['what a payment kept while it waited stays']),
  'the end of a wait is not in the commit of its outcome': ofWait(
    MUTATIONS['the end of a wait is not in the commit of its outcome'],
  ),
  'a gateway takes what another one works on': {
    machine: 'nodes',
    seams: { gateway: MUTATIONS['a gateway takes what another one works on'] },
  },
  'a gateway goes on that others have taken over from': {
    machine: 'nodes',
    seams: { gateway: MUTATIONS['a gateway goes on that others have taken over from'] },
  },
  'a late commit counts though others have taken over': {
    machine: 'nodes',
    seams: { gateway: MUTATIONS['a late commit counts though others have taken over'] },
  },
  'what a commit relies on may change before it': {
    machine: 'nodes',
    seams: { gateway: MUTATIONS['what a commit relies on may change before it'] },
  },
  'no process looks at deadlines': ofWait(MUTATIONS['no process looks at deadlines']),
  'a card is stored for each who brings it': SERVICE,
  'an agreement belongs to no card': SERVICE,
  'a refund is answered as declined': SERVICE,
  'what follows a payment is carried out twice': SERVICE,
  'a settlement counts every currency in hundredths': MONEY,
  'a settlement takes refunds for payments': MONEY,
  'a settlement takes the fee of a payment for a refund': MONEY,
  'a settlement counts an operation more': MONEY,
  'a settlement scales what it exchanges twice': MONEY,
  'a settlement takes the latest rate for that of its time': MONEY,
  'a settlement takes a fee of a chargeback': MONEY,
  'a settlement takes what was won back once more': MONEY,
  'a gift card of another merchant pays': MONEY,
  'an order takes a gift-card payment as it was before': MONEY,
  'what a gift card paid for a refused order stays paid': MONEY,
  'a notification is delivered whatever its answer is': SERVICE,
  'an event gets two numbers': SERVICE,
  'a payment that is declined is not notified': SERVICE,
  'totals count what was requested': SERVICE,
  'a receipt shows what was requested': SERVICE,
  'an approval that comes after its reversal stands': ofLink(
    'an approval that comes after its reversal stands',
  ),
  'an approval that comes after its reversal is believed': ofLink(
    'an approval that comes after its reversal is believed',
  ),
  'what a host carried out after its reversal stands where its answer was lost': ofTotals(
    'what a host carried out after its reversal stands where its answer was lost',
  ),
  'a trace number names two messages': NUMBERS,
  'a retrieval reference number names two payments': NUMBERS,
  'two gateways take the same numbers for their messages': NUMBERS,
  'a reversal that is sent again lacks the flag of a repeat': ofLink(
    'a reversal that is sent again lacks the flag of a repeat',
  ),
  'a reversal without an answer is not sent again': ofLink('a reversal without an answer is not sent again'),
  'an advice that is repeated is sent as another one': ofLink(
    'an advice that is repeated is sent as another one',
  ),
  'the reversal of a part approval names what was requested': ofLink(
    'the reversal of a part approval names what was requested',
  ),
  'a reversal leaves half of what was approved': ofLink('a reversal leaves half of what was approved'),
  'totals of a settlement day leave reversals out': ofTotals(
    'totals of a settlement day leave reversals out',
  ),
  'a settlement day goes on after its end': ofTotals('a settlement day goes on after its end'),
  'totals of a settlement day are never compared': ofTotals('totals of a settlement day are never compared'),
  'a zone key that was replaced is given up at once': NUMBERS,
  'a new zone key is forgotten with its process': NUMBERS,
  'a session that lost the race for its epoch begins all the same': ofSession(
    'a session that lost the race for its epoch begins all the same',
  ),
  'a Welcome leaves before the epoch of its session is on disk': ofSession(
    'a Welcome leaves before the epoch of its session is on disk',
  ),
  'an older copy of a journal begins a session after a newer one': ofSession(
    'an older copy of a journal begins a session after a newer one',
    'two-copies',
  ),
  'a restored copy of a journal begins a session without its operator': ofSession(
    'a restored copy of a journal begins a session without its operator',
    'two-copies',
  ),
  'an older session takes the place of a newer one': ofSession(
    'an older session takes the place of a newer one',
  ),
  'a Welcome of a connection that was given up counts': ofSession(
    'a Welcome of a connection that was given up counts',
  ),
};
