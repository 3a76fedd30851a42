/** What an alert of a code means. */
interface AlertKind {
  /** `critical`: money or trust is at stake, act at once. `warning`: act within the day. */
  readonly severity: 'critical' | 'warning';
  /**
   * What ends it. `cause`: the gateway clears it when the cause is gone, acknowledged or not. `acknowledgement`: it is about an event;
   * the acknowledgement ends it, and the next event raises it again.
   */
  readonly ends: 'cause' | 'acknowledgement';
  /** What its subject names. */
  readonly subject: string;
  /** What has happened. */
  readonly text: string;
  /** What a person does. */
  readonly action: string;
}

/** Every alert by its code. A code is never given a second meaning. The docs page and the rules for Prometheus are made of this table. */
export const ALERT_TABLE = {
  'message-parked': {
    severity: 'critical',
    ends: 'cause',
    subject: 'agent/message',
    text: 'a message of an agent was parked: it will not be carried out without manual resolution',
    action: 'remove the cause, then `inbox retry`; or resolve the sale otherwise, then `inbox drop`',
  },
  'messages-missing': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent/terminal',
    text: 'the stream of a terminal continues after messages that were never received',
    action: 'compare the sales of the terminal with its payments, and resolve what is missing',
  },
  'message-id-reused': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent',
    text: 'a message id came again with other content; the first message keeps its answer',
    action: 'look for a fault of the agent, or for a second holder of its key',
  },
  'journal-behind': {
    severity: 'critical',
    ends: 'cause',
    subject: 'agent',
    text: 'the journal of an agent ends before the stored row: rows were lost, or an old copy is in use',
    action: 'stop the agent and restore its journal; the next generation clears this',
  },
  'journal-forked': {
    severity: 'critical',
    ends: 'cause',
    subject: 'agent',
    text: 'the journal of an agent differs from the stored row: it was changed, or two copies are in use',
    action: 'stop the second copy and restore the journal; the next generation clears this',
  },
  'chargeback-not-booked': {
    severity: 'warning',
    ends: 'acknowledgement',
    subject: 'payment',
    text: 'the acquirer reports a chargeback that cannot be: too late, of more than is left, or given back without one',
    action: 'dispute it with the acquirer',
  },
  'cart-payment-not-reversed': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'payment',
    text: 'a gift card paid for an order whose rest was not paid, and could not be given back',
    action: 'refund the payment, or agree with the shopper otherwise',
  },
  'review-not-reversed': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'payment',
    text: 'a person refused an approval that required a review, and what it took could not be given back',
    action: 'refund the payment, or agree with the shopper otherwise',
  },
  'stand-in-declined': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'payment',
    text: 'the gateway had approved a payment by itself while no host could be reached, and the acquirer has declined it since',
    action: 'reverse the payment and agree with the cardholder otherwise, or bear the loss',
  },
  'offline-declined': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'payment',
    text: 'a sale that a store approved offline was declined when it was forwarded: the goods are given out',
    action: 'agree with the cardholder otherwise, or bear the loss; the store acknowledges it as well',
  },
  'advices-overdue': {
    severity: 'warning',
    ends: 'cause',
    subject: 'acquirer',
    text: 'the acquirer has not taken advices of payments that the gateway approved by itself',
    action: 'check the line and call the acquirer; the advices are sent by themselves until it answers',
  },
  'reversals-overdue': {
    severity: 'critical',
    ends: 'cause',
    subject: 'acquirer',
    text: 'the acquirer has not acknowledged reversals: it may hold money of payments that have failed',
    action:
      'call the acquirer and have it reverse them; they are sent by themselves until it acknowledges them',
  },
  'acquirer-link-restored': {
    severity: 'critical',
    ends: 'cause',
    subject: 'acquirer',
    text: 'the database was put back from a backup, and has forgotten exchanges with an acquirer’s host: what agents send again of that time is held',
    action: 'import the files of these days, run `check`, resolve what is held, then `acquirer close-gap`',
  },
  'database-restored': {
    severity: 'critical',
    ends: 'cause',
    subject: '`database`',
    text: 'the database was put back from a backup: what is known to be revoked since was revoked again, the rest is held',
    action: 'see `restore show`, revoke what is missing, run `check`, then `restore confirm`',
  },
  'restore-record-damaged': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'file',
    text: 'the record of what was revoked was changed or damaged; it was put aside, and a new one begun',
    action: 'find out who writes to the home of the gateway; a backup of before is not noticed any more',
  },
  'settlement-incomplete': {
    severity: 'critical',
    ends: 'cause',
    subject: 'entry, settlement, merchant or file',
    text: 'a part of a settlement run failed; everything else was settled',
    action: 'correct what the detail names; the next run does the part again, `settlement run` at once',
  },
  'acquirer-file-quarantined': {
    severity: 'warning',
    ends: 'cause',
    subject: 'acquirer/file',
    text: 'a settlement or chargeback file of an acquirer cannot be imported: nothing of it counts',
    action:
      'see `acquirer files`; have the acquirer send it again, or remove the cause and `acquirer retry-file`, or `acquirer drop-file`',
  },
  'message-not-sent': {
    severity: 'warning',
    ends: 'acknowledgement',
    subject: 'payment',
    text: 'a payer did not get the e-mail about a direct debit, or a receipt that was requested: the mail server refused, or could not be reached in time',
    action: 'look at the detail; inform the payer of a debit otherwise before it is due',
  },
  'wait-overdue': {
    severity: 'critical',
    ends: 'cause',
    subject: '`waits`',
    text: 'payments that wait could not be ended long after their deadline: shoppers and shops do not learn how they ended',
    action: 'see whether the acquirer answers; the log names each payment and what stands against its end',
  },
  'journal-unproven': {
    severity: 'warning',
    ends: 'acknowledgement',
    subject: 'agent',
    text: 'the head of a journal was accepted without a proof: the agent has removed the row that was stored',
    action: 'expected after the gateway was restored from a backup; else examine the agent’s machine',
  },
  'journal-tree': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent',
    text: 'the digest tree of a journal does not go on from the head that was countersigned: no later head is',
    action:
      'run `tillbridge-agent verify`; where the journal is sound, `restore --as-is` begins a new generation',
  },
  'agent-cloned': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent',
    text: 'two processes take turns as one agent',
    action: 'stop the copy; where none of yours is known, replace the agent’s key',
  },
  'agent-fenced': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent',
    text: 'an agent came with an older generation of its journal and was refused',
    action: 'stop the old copy; the restored agent goes on',
  },
  'agent-key-revoked': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent',
    text: 'a key of an agent that was revoked or replaced proved itself',
    action:
      'find the machine that holds the old key; the money of a lost machine comes back by `agents replace`',
  },
  'agent-generation-jump': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent',
    text: 'an agent came with a generation of its journal that no operator allowed',
    action:
      'after a restore: `agents allow-generation`; otherwise its key was stolen: `agents revoke`, `agents replace`',
  },
  'agent-channel-foreign': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent',
    text: 'an agent proved itself over a TLS key that is not this gateway’s',
    action:
      'compare `bridge.tlsPins` with the certificate of the proxy; if they agree, another party stands between',
  },
  'enrolment-code-guessed': {
    severity: 'warning',
    ends: 'acknowledgement',
    subject: 'agent',
    text: 'an enrolment code was named too often by who did not have it, and counts no more',
    action: 'issue another code, and look for who tried',
  },
  'card-replayed': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent/terminal, or entity',
    text: 'card data came again with a transaction counter that another sale has used; it was refused',
    action: 'find out who sends the copies: the device, the agent or the merchant',
  },
  'offline-record-refused': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent/terminal',
    text: 'an offline record came without the card’s evidence: it was declined late',
    action: 'find out who made the record: the terminal, the agent, or another party with its key',
  },
  'offline-age-disputed': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent/terminal',
    text: 'gateway and agent do not agree on the age of an offline record: it is held, then parked',
    action: 'correct the clock that is wrong, the gateway’s where many stores are named; then `inbox retry`',
  },
  'clock-disagrees': {
    severity: 'critical',
    ends: 'cause',
    subject: 'agent',
    text: 'the clocks of gateway and agent differ',
    action: 'correct the clock that is wrong: the gateway’s where many agents are named',
  },
  'node-clock-disagrees': {
    severity: 'critical',
    ends: 'cause',
    subject: 'nodes',
    text: 'the clocks of two gateway nodes differ',
    action: 'correct the clock that is wrong (NTP)',
  },
  'device-key-missing': {
    severity: 'warning',
    ends: 'acknowledgement',
    subject: 'agent/terminal, or entity',
    text: 'card data came that no key opens',
    action: 'load the base derivation key of the device, or take the device out of service',
  },
  'device-refused': {
    severity: 'warning',
    ends: 'acknowledgement',
    subject: 'agent/terminal, or entity',
    text: 'a sale was refused because the inventory has not its device, or has it otherwise',
    action:
      'where the device is yours, run the command of the detail, which clears this; `device-locked` follows where it goes on',
  },
  'device-locked': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'device',
    text: 'account data of a device could not be taken, again and again: nothing more is taken from it for a day',
    action: 'look at the device and who sends its data; then `devices unlock`',
  },
  'entity-locked': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'entity',
    text: 'account data of an entity could not be taken, again and again: no more is taken from it for a day',
    action: 'find out who sends the data; then `devices unlock`',
  },
  'payment-forgotten': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'agent',
    text: 'the acquirer holds a payment that this database does not know; it was reversed as the agent requested',
    action:
      'expected after the database was restored from a backup; then run `check`. Else find out who lost rows',
  },
  'unexplained-difference': {
    severity: 'critical',
    ends: 'cause',
    subject: 'kind and subject of the difference',
    text: 'payments, stored answers and the acquirer’s record, totals or files differ',
    action: 'correct it, or `check explain KIND SUBJECT --note TEXT`',
  },
  'acquirer-silent': {
    severity: 'critical',
    ends: 'cause',
    subject: 'acquirer',
    text: 'the acquirer answers nothing',
    action: 'check the line and call the acquirer; requests are resolved by themselves when it answers',
  },
  'certificate-unusable': {
    severity: 'critical',
    ends: 'cause',
    subject: 'tls',
    text: 'the files of the TLS certificate were replaced and cannot be used; the former certificate stays in use',
    action: 'correct the files named in `tls`: a certificate with its chain, and its key, in PEM',
  },
  'security-module-unavailable': {
    severity: 'critical',
    ends: 'cause',
    subject: 'the module',
    text: 'the keys cannot be read: no card data can be opened',
    action: 'check the module, its PIN and the key store; requests go on by themselves',
  },
  'webhook-failing': {
    severity: 'warning',
    ends: 'cause',
    subject: 'webhook endpoint',
    text: 'an event was tried several times and not delivered',
    action: 'see `webhooks log ENDPOINT`; correct the receiver, or `webhooks pause` it',
  },
  'webhook-paused': {
    severity: 'warning',
    ends: 'cause',
    subject: 'webhook endpoint',
    text: 'an endpoint is paused: its events wait',
    action: '`webhooks resume ENDPOINT` when the receiver is ready',
  },
  'ftp-account-locked': {
    severity: 'warning',
    ends: 'acknowledgement',
    subject: 'merchant',
    text: 'wrong passwords were tried for the account of a merchant at the FTP location: it is locked for up to 15 minutes',
    action: 'ask the merchant; give a new password by `settlement ftp-account` where it was not the merchant',
  },
  'schedule-suspended': {
    severity: 'warning',
    ends: 'acknowledgement',
    subject: 'schedule',
    text: 'the work on a schedule never came to an end: it makes no run any more',
    action: 'correct what the log names; reschedule it, or create another one',
  },
  'request-failed': {
    severity: 'critical',
    ends: 'acknowledgement',
    subject: 'method and route',
    text: 'a request was answered with 500: its effect may be there, and its client does not know',
    action: 'find the ndc of the detail in the log, and what the request did; report the fault',
  },
  'work-failing': {
    severity: 'warning',
    ends: 'cause',
    subject: 'the work',
    text: 'work in the background fails',
    action: 'correct what the log names',
  },
} as const satisfies Readonly<Record<string, AlertKind>>;

/** Code of an alert. */
export type AlertCode = keyof typeof ALERT_TABLE;

/** All codes. */
export const ALERT_CODES = Object.keys(ALERT_TABLE) as readonly AlertCode[];

/** What a code means; undefined for one that this build does not know. */
export function alertKind(code: string): AlertKind | undefined {
  return Object.hasOwn(ALERT_TABLE, code) ? ALERT_TABLE[code as AlertCode] : undefined;
}

/** Code of the alert about a part of a settlement run that failed. */
export const SETTLEMENT_ALERT = 'settlement-incomplete' satisfies AlertCode;
