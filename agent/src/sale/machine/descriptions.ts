import type { SalePhase } from './state/answer.js';
import type { Effect, SaleEvent, SaleTimer } from './state/events.js';
import { DEFAULT_POLICY } from './state/policy.js';

/** What each phase is, for the README that is made from the machine. */
export const PHASE_WORDS: Readonly<Record<SalePhase, string>> = {
  accepted: 'journaled, nothing sent to the terminal yet',
  'reading-card': 'the terminal has the sale; a restart forgets this phase on purpose',
  authorizing: 'the message id of the request is on disk; the request may or may not have left',
  completing: 'the answer is on disk; the card has it and owes the second cryptogram',
  unknown: 'a request may have left and no answer came: the resolver finds out',
  reversing: 'a reversal is on disk and in the queue',
  done: 'ended, with an outcome',
  parked: 'staff has to resolve it; the reason is in the answer and in the queue',
};

/** What each event is. */
export const EVENT_WORDS: Readonly<Record<SaleEvent['kind'], string>> = {
  begin: 'the sale is journaled and has its terminal',
  'card-read': 'the terminal ended reading the card',
  'card-completed': 'the terminal ended the second card action',
  sent: 'whether a byte of the request was handed to the socket',
  answer: 'the gateway answered the request',
  status: 'the gateway answered a status request',
  timer: 'a timer ran out',
  link: 'the link to the gateway changed',
  acknowledged: 'the gateway has committed a message of the queue',
  parked: 'the gateway will never take a message of the queue',
  cancel: 'the till cancels the sale',
  reverse: 'the till reverses an approved sale, or staff has a parked reversal sent again',
  capture: 'the till captures a preauthorization, or a part of it',
  'voice-approved': 'the till enters the approval code of a call to the issuer',
  expire: 'the offline record is older than the policy allows',
  'late-decline-acknowledged': 'staff acknowledged the late decline',
  'resolve-manually': 'staff stated how a parked sale ended',
  restarted: 'the agent was started again (first event of an open sale)',
  'journal-lost': 'what the last event led to could not be journaled',
};

/** What each effect does; none happens before the facts of its step are on disk. */
export const EFFECT_WORDS: Readonly<Record<Effect['do'], string>> = {
  'start-card': 'the terminal prompts for the card',
  'complete-card': 'the card gets the answer, or unable-to-go-online',
  'decline-card': 'the card gets a decline, and the display prompts to remove it',
  'cancel-card': 'the terminal gets the command to stop',
  'finish-card': 'the terminal shows how it ended and prompts to remove the card',
  'send-authorization': 'the request is sent to the gateway, once and never again',
  'wake-link': 'the uplink tries now',
  'ask-status': 'a status request is sent to the gateway',
  'set-timer': 'a timer begins',
  'stop-timer': 'a timer is stopped',
};

/** One timer of the machine. */
interface TimerWords {
  readonly timer: SaleTimer;
  /** Milliseconds, one for each time that it is set in a row. */
  readonly delaysMs: readonly number[];
  /** The key of the configuration that changes it. */
  readonly key?: string;
  readonly text: string;
}

/** Every timer, with what happens when it runs out, and its times unless configured otherwise. */
export const TIMER_WORDS: readonly TimerWords[] = [
  {
    timer: 'link',
    delaysMs: [DEFAULT_POLICY.linkWaitMs],
    key: 'linkWaitMs',
    text: 'no link came up for a sale that needs the gateway: failed, before any card was read',
  },
  {
    timer: 'answer',
    delaysMs: [DEFAULT_POLICY.answerTimeoutMs],
    key: 'answerTimeoutMs',
    text: 'no answer to a request that was handed over: unknown',
  },
  {
    timer: 'resolve',
    delaysMs: DEFAULT_POLICY.statusScheduleMs,
    text: 'the resolver requests the status; after the last time it reverses without one. Counted while the link is up',
  },
  {
    timer: 'overdue',
    delaysMs: [DEFAULT_POLICY.overdueAfterMs],
    key: 'overdueAfterMs',
    text: 'unknown or reversing for so long: parked, so that staff resolves it. The reversal stays in the queue and ends the sale when the gateway acknowledges it',
  },
];
