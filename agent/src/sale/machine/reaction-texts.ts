import type { SalePhase } from './state/answer.js';
import type { SaleEvent } from './state/events.js';

/** What an event means in a phase. The tables of the docs are generated from it, and a test compares it with the machine. */
interface ReactionText {
  /** What happens, or why nothing does. */
  readonly text: string;
  /** Phases it may lead to, the present one aside. */
  readonly to: readonly SalePhase[];
  readonly isHandled: boolean;
}

const NO_CARD_YET = 'the terminal has no request yet';
const CARD_IS_GONE = 'the card is out of the sale by now: later reports of the terminal change nothing';
const NOTHING_SENT = 'nothing was sent to the gateway';
const NOTHING_QUEUED = 'none of its messages is in the queue';
const NOT_APPROVED = 'only an approved sale can be captured or reversed; the till gets an error';
const NO_LINK_NEEDED = 'it does not wait for the link';
const ALREADY_ENDED = 'it has ended: a till that wants its money back reverses it';
const NEVER_ACCEPTED = 'the gateway will never take the message: parked with its reason';
const TOO_OLD =
  'an offline record waited too long: it goes out as expired, and the gateway does not authorize it';
const REVERSAL_QUEUED = 'staff has it already; what has to be reversed is in the queue';
const STAFF_FIRST = 'staff has to resolve it first; the till gets an error';
const QUEUE_GOES_ON = 'the queue goes on by itself';
const CARD_READ = 'the card has been read';
const FIRST_ANSWER = 'the answer is here already; the first one stands';
const NO_OUTCOME_YET = 'it has no outcome yet: the till gets an error and cancels it instead';
const REVERSAL_TELLS = 'the reversal covers whatever the gateway recorded';

/** Events that mean nothing in most phases, and why; a phase in which one means something has its own text. */
const IGNORED = {
  begin: ignored('it has begun already'),
  'card-read': ignored(CARD_IS_GONE),
  'card-completed': ignored(CARD_IS_GONE),
  sent: ignored('the request was given up while it was handed over'),
  timer: ignored('no timer of this phase: an old one that fired late'),
  acknowledged: ignored(NOTHING_QUEUED),
  parked: ignored(NOTHING_QUEUED),
  capture: ignored(NOT_APPROVED),
  'voice-approved': ignored('the issuer has not requested a call; the till gets an error'),
  expire: ignored('there is no offline record'),
  'late-decline-acknowledged': ignored('there is no late decline to acknowledge; the till gets an error'),
  'resolve-manually': ignored('only a parked sale is manually resolved; the till gets an error'),
} as const;

/** The sale's machine in words: phase × event. */
export const REACTION_TEXTS: Readonly<Record<SalePhase, Readonly<Record<SaleEvent['kind'], ReactionText>>>> =
  {
    accepted: {
      ...IGNORED,
      begin: handled(
        'reads the card, or sends a linked refund at once; without a link that it cannot do without, waits for one first',
        ['reading-card', 'authorizing'],
      ),
      link: handled('the link it waited for is up: goes on', ['reading-card', 'authorizing']),
      timer: handled('`link`: no link came up in time: failed', ['done']),
      cancel: handled('nothing has happened yet: cancelled', ['done']),
      restarted: handled('no card was requested: failed', ['done']),
      'journal-lost': handled('nothing has left the agent: failed', ['done']),
      'card-read': ignored(NO_CARD_YET),
      'card-completed': ignored(NO_CARD_YET),
      sent: ignored(NOTHING_SENT),
      answer: ignored(NOTHING_SENT),
      status: ignored(NOTHING_SENT),
      reverse: ignored(NOT_APPROVED),
    },
    'reading-card': {
      ...IGNORED,
      'card-read': handled(
        'ARQC: the message id is journaled, then the request is sent. TC (Y1): recorded as offline approval where the rules agree. AAC, cancelled, failed: that is the end',
        ['authorizing', 'done'],
      ),
      cancel: handled(
        'sends the command to stop to the terminal; what the card decides meanwhile is declined',
        [],
      ),
      restarted: handled('the card has made no decision: failed', ['done']),
      'journal-lost': handled('the card gets a decline: failed', ['done']),
      'card-completed': ignored('the card has not been given an answer yet'),
      sent: ignored(NOTHING_SENT),
      answer: ignored(NOTHING_SENT),
      status: ignored(NOTHING_SENT),
      link: ignored('the card is being read; whether there is a link counts when it is read'),
      reverse: ignored(NOT_APPROVED),
    },
    authorizing: {
      ...IGNORED,
      sent: handled(
        'handed over: waits for the answer. Not a byte handed over: where the rules allow it the card decides offline, or its ARQC is kept (deferred); else failed. Cancelled meanwhile: reversed',
        ['done', 'reversing'],
      ),
      answer: handled('journaled, then sent to the card; a linked refund ends with it', [
        'completing',
        'done',
        'reversing',
      ]),
      status: handled(
        '`answered`: as the answer. `not-seen`: reversed, so that the request is refused should it still arrive',
        ['completing', 'done', 'reversing'],
      ),
      link: handled('up again: requests the status while the card still waits', []),
      timer: handled(
        '`answer`: no answer in time: unknown, and the card gets a decline; or, where the policy reverses first, the card decides offline or its ARQC is kept',
        ['done', 'unknown'],
      ),
      'card-completed': handled(
        'the card decided offline. TC: recorded as offline approval, behind a reversal of the request where that was handed over. AAC: its ARQC is kept where the rules allow that. Else, or without a cryptogram: the end, or unknown where the request is out',
        ['done', 'unknown', 'reversing'],
      ),
      cancel: handled('the request is out: reversed; not out yet: cancelled when it is known', ['reversing']),
      restarted: handled('the request may have left and is never sent again: resolved', ['unknown']),
      'journal-lost': handled('handed over: resolved when the disk is back; else failed', [
        'unknown',
        'done',
      ]),
      'card-read': ignored(CARD_READ),
      reverse: ignored(NO_OUTCOME_YET),
    },
    completing: {
      ...IGNORED,
      'card-completed': handled(
        'TC after an approval: approved. AAC, no second cryptogram, a cancel meanwhile, or another amount than the policy takes: reversed in the same write. After a decline: declined; a referral waits for the code of a call',
        ['done', 'reversing'],
      ),
      cancel: handled('waits for the card, then reverses the approval', []),
      restarted: handled(
        'whether the card agreed will never be known: an approval is reversed, a decline stands',
        ['reversing', 'done'],
      ),
      'journal-lost': handled('the end cannot be recorded: an approval is reversed, a decline stands', [
        'reversing',
        'done',
      ]),
      'card-read': ignored(CARD_READ),
      sent: ignored('the answer is here already'),
      answer: ignored(FIRST_ANSWER),
      status: ignored(FIRST_ANSWER),
      link: ignored(NO_LINK_NEEDED),
      reverse: ignored(NO_OUTCOME_YET),
      'voice-approved': ignored('the card is not done with the referral yet; the till gets an error'),
    },
    unknown: {
      ...IGNORED,
      timer: handled(
        '`resolve`: requests the status; after the last request: reversed. `overdue`: no answer for too long: the reversal is journaled, and the sale is parked for staff',
        ['reversing', 'parked'],
      ),
      link: handled('up again: begins to ask', []),
      status: handled(
        '`answered`: an approval is reversed (of a linked refund it counts), a decline is the end. `not-seen`: reversed, which refuses the request should it still arrive. `tombstoned`: failed. `in-progress`: requests it again',
        ['reversing', 'done'],
      ),
      answer: handled('late: an approval is reversed (of a linked refund it counts), a decline is the end', [
        'reversing',
        'done',
      ]),
      reverse: handled('gives up asking: reversed', ['reversing']),
      restarted: handled('begins to ask, as before', []),
      'journal-lost': handled('nothing was decided: requests the status again when the disk may be back', []),
      sent: ignored('what was handed over is being found out'),
      cancel: ignored('it is not approved: whatever was recorded will be reversed anyway'),
    },
    reversing: {
      ...IGNORED,
      acknowledged: handled(
        'of the reversal. Reversed: reversed (a preauthorization with captures: approved, its rest released). Nothing to reverse: the end it would have had. Refused: parked, or approved as before where a till had requested it',
        ['done', 'parked'],
      ),
      parked: handled(NEVER_ACCEPTED, ['parked']),
      timer: handled(
        '`overdue`: the gateway has not taken the reversal for too long: parked, so that staff resolves it; the reversal stays in the queue',
        ['parked'],
      ),
      answer: ignored(REVERSAL_TELLS),
      status: ignored(REVERSAL_TELLS),
      link: ignored(QUEUE_GOES_ON),
      cancel: ignored('it is being reversed already'),
      reverse: ignored('it is being reversed already: the till gets the end of that'),
      restarted: ignored('the reversal stands in the queue, which the journal brings back'),
      'journal-lost': ignored('the reversal is on disk; the gateway sends its answer again'),
      expire: handled(TOO_OLD, []),
    },
    done: {
      ...IGNORED,
      acknowledged: handled(
        'of an offline record, a capture or an approval code: noted; a decline of what counted as approved ends it as declined later, or as expired. Of a message that was manually resolved: parked again where the gateway had accepted it and the till’s answer differs',
        ['parked'],
      ),
      parked: handled(NEVER_ACCEPTED, ['parked']),
      answer: handled('an approval of a sale that ended without it is reversed', ['reversing']),
      reverse: handled(
        'an approved sale: reversed; of a preauthorization what is not captured. Refused with the reason where nothing can be reversed',
        ['reversing'],
      ),
      capture: handled(
        'an approved preauthorization: queued, up to what is left of it; refused with the reason beyond',
        [],
      ),
      'voice-approved': handled(
        'after a referral: approved by the code, which is queued for the gateway',
        [],
      ),
      status: ignored('its end is known'),
      link: ignored(NO_LINK_NEEDED),
      cancel: ignored(ALREADY_ENDED),
      restarted: ignored('its end is on disk; what is queued goes on'),
      'journal-lost': ignored(
        'nothing was decided: the till gets an error and repeats the call, the gateway sends its answer again',
      ),
      expire: handled(TOO_OLD, []),
      'late-decline-acknowledged': handled('staff acknowledged the late decline: no longer listed', []),
    },
    parked: {
      ...IGNORED,
      acknowledged: handled(
        'the gateway took a message that waited, or a parked one that staff there had tried again: the end that follows from it',
        ['done'],
      ),
      parked: handled('one more message that the gateway will never take', []),
      reverse: handled(
        'an approved sale: reversed. A reversal that the gateway would not take, of the sale or ahead of its offline record: sent anew under a new id',
        ['reversing'],
      ),
      'resolve-manually': handled(
        'staff states how it ended: that is the end, and nothing of it stays parked. As no sale: reversed in the same write, whatever is recorded. As approved: a cancel-if-unseen goes out for what was parked',
        ['done'],
      ),
      expire: handled(TOO_OLD, []),
      answer: ignored(REVERSAL_QUEUED),
      status: ignored(REVERSAL_QUEUED),
      link: ignored(QUEUE_GOES_ON),
      cancel: ignored(ALREADY_ENDED),
      capture: ignored(STAFF_FIRST),
      'voice-approved': ignored(STAFF_FIRST),
      restarted: ignored('it stays parked; what is queued goes on'),
      'journal-lost': ignored('nothing was decided: the caller gets an error and repeats the call'),
    },
  };

function handled(text: string, to: readonly SalePhase[]): ReactionText {
  return { text, to, isHandled: true };
}

function ignored(text: string): ReactionText {
  return { text, to: [], isHandled: false };
}
