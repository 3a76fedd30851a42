/**
 * Situations that a run of many simulations must meet, each with the fact that counts as one. A run that met one of them in no simulation proves
 * nothing about it. To add one: a line here, and a call of `SituationRecorder.saw` where the fact is seen.
 */
export const RARE_SITUATIONS = {
  'partial approval, answer lost':
    'the acquirer recorded an approval for a part, and its answer never reached the gateway',
  'capture, answer lost': 'the same with a capture',
  'refund, answer lost': 'the same with a refund',
  'reversal, answer lost': 'the same with a reversal',
  'gateway ended between commit and answer':
    'the answer to a message was in the store when the gateway ended, before any agent received it',
  'tombstone refused a late original': 'an authorization came after its reversal and was refused',
  'message of an older session refused': 'a newer session of the agent was open when the message was handled',
  'sessions of one agent overlapped': 'the gateway ended a session because the agent had a newer one',
  'clone sold and lost its session':
    'two machines have one identity; the one whose session ended had approved a sale before',
  'offline approval, late decline': 'the issuer declined an offline record',
  'offline record expired': 'an offline record waited too long to be authorized',
  'deferred authorization reversed': 'a sale with a deferred authorization was reversed',
  'preceding reversal undid an approval':
    'the issuer had approved the request that an offline record of the same sale replaced',
  'AAC after an approval': 'the issuer approved and the card declined',
  'AAC after no answer': 'the request had left, no answer came, and the card declined',
  'AAC after a timeout undid an approval':
    'the card declined because no answer came in time, and the approval of the issuer was reversed',
  'clock jump over offline records': 'the clock of a store jumped while offline records waited in its queue',
  'power loss tore a journal write':
    'a power loss took at least one of the writes on their way to the journal',
  'failed journal write was kept': 'the disk reported a write as failed and has it all the same',
  'unrecorded approval reversed': 'an approval could not be journaled, and the sale was reversed',
  'replayed card refused':
    'the check of the KSN or of the ATC refused what another sale of an agent had sent',
  'parked message retried': 'staff had a parked message tried again, and the gateway answered it',
  'parked sale resolved': 'staff stated how a parked sale ended',
  'gateway ended while a payment waited, then paid':
    'a payment that one process of the gateway let wait was approved in another one',
  'approval found at the deadline':
    'the wait of a payment was over, and its shopper, payer or reviewer had approved it in time',
  'payments of one agreement approved at once':
    'several first payments that share an agreement were on their way together, and approved',
  'one card registered at once': 'several have stored the card of one customer at the same moment',
  'captures of one payment at once':
    'two captures of a hold or more were on their way together, and approved',
  'refunds of one payment at once': 'the same with refunds of a payment',
  'shared payment reversed': 'what was captured or given back in parts was reversed after that',
  'settlement while others paid':
    'a settlement wrote records while other requests of its merchant were on their way',
  'orders with the same gift-card payment at once':
    'several orders wanted to be paid with one gift-card payment, and one was refused',
  'gift-card payment given back while orders wanted it':
    'a refund or reversal of a gift-card payment was approved that orders wanted at the same moment',
  'notification received twice': 'a server took a notification, and its answer did not count: it came again',
  'chargeback of a settled payment': 'money of a payment was taken back that a settlement already had',
  'chargeback given back': 'a merchant won back what a chargeback had taken',
} as const satisfies Readonly<Record<string, string>>;

/** Name of a rare situation. */
export type RareSituation = keyof typeof RARE_SITUATIONS;

/** How often each situation happened in one simulation; those that did not are absent. */
export type SituationCounts = Readonly<Partial<Record<RareSituation, number>>>;

/** All of them, in the order of the table. */
export const SITUATION_NAMES = Object.keys(RARE_SITUATIONS) as readonly RareSituation[];
