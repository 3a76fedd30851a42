import { type TSchema, Type } from '@tillbridge/platform/schema/type.js';
import { TILL_RIGHTS } from '../access/rights.js';
import { DISPLAY_STEPS } from '../display/customer-display.js';
import { TILL_ERRORS } from '../errors/error-table.js';
import { SALE_OUTCOMES, SALE_PHASES } from '../sale/machine/state/answer.js';
import { LANGUAGES } from '../sale/receipts/store.js';

import { CARRIED_KINDS } from '../sale/totals/day-close.js';
import { TOTAL_KINDS, TOTALS_BY } from '../sale/totals/totals.js';

// The answers as the API docs show them; server.test.ts holds every answer against them.

const text = (description?: string) => Type.String(description === undefined ? {} : { description });
/** One of the words of a text. */
const words = (all: string) => Type.Unsafe<string>({ type: 'string', enum: all.split(' ') });
const wordsOrNull = (description: string, all: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...all.split(' '), null], description });
const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) });
const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description && { description }) });
const yesOrNo = (description: string) => Type.Boolean({ description });
const AMOUNT = text('Decimal text.');

/** An object of which the keys after `optional` may be absent. */
function answer(
  properties: Readonly<Record<string, TSchema>>,
  optional: Readonly<Record<string, TSchema>> = {},
  more: object = {},
) {
  const maybe = Object.entries(optional).map(([key, value]) => [key, Type.Optional(value)] as const);
  return Type.Object(
    { ...properties, ...Object.fromEntries(maybe) },
    { additionalProperties: false, ...more },
  );
}

const CAPTURE = answer(
  {
    amount: AMOUNT,
    final: yesOrNo('No other capture follows.'),
    state: words('queued acknowledged refused parked withdrawn'),
  },
  { captureReference: text('The till’s own name for it.'), reason: text('Why it was refused.') },
);

const CARD = answer(
  { entryMode: words('MANUAL MAGSTRIPE MAGSTRIPE_AS_FALLBACK ICC NFC_ICC NFC_MAGSTRIPE') },
  { brand: text(), bin: text(), last4Digits: text() },
);

const EMV = answer(
  {},
  {
    aid: text('Application identifier.'),
    label: text('Application label.'),
    tvr: text('Terminal verification results.'),
    tsi: text('Transaction status information.'),
    ac: text('Application cryptogram, tag 9F26.'),
    acType: words('TC ARQC AAC'),
    atc: text('Application transaction counter.'),
    cvm: text('CVM results, tag 9F34.'),
    arc: text('Authorisation response code, tag 8A.'),
  },
  { description: 'EMV data of the receipt, in hex unless stated otherwise.' },
);

const LATE_DECLINE_REASON = words('declined-later expired-offline');
const APPROVAL = words('card-approved deferred');

/** A sale, as every call on it answers. */
export const SALE_ANSWER = answer(
  {
    reference: text('The till’s own.'),
    terminalId: text(),
    type: words('sale refund preauthorization'),
    state: words(SALE_PHASES.join(' ')),
    outcome: wordsOrNull('`null` until known.', SALE_OUTCOMES.join(' ')),
    mode: wordsOrNull('Who decided; `null` until decided.', 'online offline-card offline-deferred'),
    amount: AMOUNT,
    currency: text('ISO 4217 alpha-3.'),
    cashierText: text('For the cashier.'),
    timeline: Type.Array(
      answer({ at: time(), step: text() }, { detail: text(), by: text('The till that requested it.') }),
    ),
  },
  {
    till: text('The till that requested it; absent: the store.'),
    tip: text('Of `amount`: what the customer gives to staff.'),
    cashBack: text('Of `amount`: what the till hands out in cash.'),
    approvedAmount: text('Where less than `amount` was approved: how much.'),
    captures: Type.Array(CAPTURE),
    reason: text('Why it ended, or has to be reversed: a code.'),
    failure: text('With `reason` `terminal-failed`: what the terminal could not do, a code.'),
    correlationId: text('By which logs, traces and webhooks of the gateway name this sale: 32 hex digits.'),
    paymentId: text('The gateway’s id of the payment.'),
    resultCode: text('The gateway’s result code.'),
    approvalCode: text('The issuer’s approval code.'),
    card: CARD,
    emv: EMV,
    receipts: answer({ customer: text(), merchant: text() }),
    lateDecline: answer({ reason: LATE_DECLINE_REASON }, { acknowledgedAt: time(), acknowledgedBy: text() }),
  },
  { $id: 'Sale' },
);

/** What of a sale was given back. */
export const REFUNDS_ANSWER = answer({
  currency: text('ISO 4217 alpha-3.'),
  taken: text('What the sale took, a decimal text.'),
  refunded: text('What refunds gave back, or still may.'),
  refundable: text('What is left to be refunded.'),
  refunds: Type.Array(
    answer({
      reference: text(),
      amount: AMOUNT,
      state: words(SALE_PHASES.join(' ')),
      outcome: wordsOrNull('`null` until known.', SALE_OUTCOMES.join(' ')),
    }),
  ),
});

/** What every refusal answers. */
export const ERROR_ANSWER = answer(
  {
    error: answer(
      {
        code: words(Object.keys(TILL_ERRORS).join(' ')),
        message: text('Field, rule and likely intent, for a person.'),
      },
      {
        field: text('The field that is wrong.'),
        runningReference: text('With `terminal-busy`: the sale that runs.'),
        correlationId: text('With `internal`: by which the log of the agent has the cause.'),
      },
    ),
  },
  {},
  { $id: 'Error' },
);

const IDENTITY = answer({ maker: text(), model: text(), firmware: text(), serial: text() });

const TERMINAL_FIELDS = {
  id: text(),
  deviceType: text(),
  state: words('disconnected connecting ready busy'),
  offline: answer(
    { ready: yesOrNo('May it sell without the gateway?'), reasons: Type.Array(text()) },
    {
      because: text('The reasons for a person.'),
      deferred: yesOrNo('Authorizations may be deferred, too.'),
    },
  ),
};
const TERMINAL_OPTIONAL = {
  name: text('What staff calls it.'),
  identity: IDENTITY,
  runningReference: text('The sale that occupies it.'),
  fault: words('missing permission busy library other lost wrong-device'),
  reason: text('Why its line is not open, for a person.'),
};

const TERMINAL = answer(TERMINAL_FIELDS, TERMINAL_OPTIONAL, { $id: 'Terminal' });

const KEY = words('loaded missing exhausted unknown');

/** What became of work that is no sale. */
export const DEVICE_ANSWER = answer(
  { kind: words('done unavailable failed') },
  { failure: text('Why it was not done.'), detail: text() },
);

/** A terminal and the condition that it reports now. */
export const CONDITION_ANSWER = answer(
  {
    ...TERMINAL_FIELDS,
    condition: answer(
      { kind: words('condition failed') },
      {
        identity: IDENTITY,
        keys: answer({ data: KEY, pin: KEY }),
        tampered: yesOrNo('The device found itself opened and erased its keys.'),
        batteryPercent: count(),
        localTime: text('The device’s own clock.'),
        failure: text('Why it did not answer.'),
        detail: text(),
      },
    ),
  },
  TERMINAL_OPTIONAL,
);

/** A reference to one of the answers with a name. */
const refTo = (name: 'Sale' | 'Error' | 'Terminal') => Type.Unsafe<unknown>({ $ref: `${name}#` });

/** Answers that have a name in the docs. */
export const NAMED_ANSWERS = [SALE_ANSWER, ERROR_ANSWER, TERMINAL] as const;

export const TERMINALS_ANSWER = Type.Array(refTo('Terminal'));

const COPY = answer(
  {
    mode: words('required best-effort'),
    state: words('in-sync behind failed taken'),
    rowsBehind: count('Rows that only the journal has.'),
    ageSeconds: count('For how long it has not been in sync.'),
    alarm: yesOrNo('It is far behind.'),
  },
  { detail: text() },
);

export const STATUS_ANSWER = answer({
  gateway: answer(
    { state: words('down connecting up') },
    {
      lastContactAgeSeconds: count(),
      attempt: count('Failed attempts since the last session.'),
      reason: text('Why there is no session.'),
      detail: text(),
      silent: yesOrNo('`true`: the session is there, and the gateway does not answer a ping.'),
      epoch: count('The session’s epoch.'),
    },
  ),
  journal: answer(
    { state: words('ready unavailable') },
    {
      row: count('The newest row.'),
      hash: text('Its hash.'),
      reason: text(),
      detail: text(),
      generation: count('Counts restores.'),
      standing: text('`good`, or what is wrong.'),
      standingDetail: text(),
      advice: text('What to do about it.'),
      gatewayRow: count('The newest row that the gateway keeps the hash of.'),
      compactionHeldBy: text('The sale that keeps older rows from being removed.'),
      copy: COPY,
    },
  ),
  terminals: TERMINALS_ANSWER,
  store: answer(
    { timeZone: text('IANA name.'), language: words(LANGUAGES.join(' ')) },
    { name: text('On receipts.'), currency: text('Of the merchant, ISO 4217 alpha-3.') },
  ),
  queue: answer({ depth: count(), parked: count(), lateDeclines: count() }),
  requestFaults: answer(
    { count: count('Requests that failed by a fault of the agent since it started.') },
    { last: answer({ at: time(), method: text(), route: text(), correlationId: text() }) },
  ),
  open: Type.Array(text('Reference of a sale that has no true end yet.')),
  parked: Type.Array(
    answer({ reference: text(), terminalId: text(), code: text(), reason: text() }, { till: text() }),
  ),
  todos: Type.Array(
    answer({
      terminalId: text('Whose sales the gateway refuses.'),
      since: time('When it refused the first.'),
      reason: text('What is wrong, and the command of the gateway that mends it.'),
    }),
  ),
  policy: answer(
    {
      values: Type.Array(
        answer({
          name: text('Such as `offline.perSale.EUR`.'),
          value: text('What applies: the stricter of both sides.'),
          setBy: words('agent gateway both'),
        }),
      ),
    },
    { version: count('Of the gateway’s policy of the store; absent while it is not known.') },
  ),
});

const LEFT = answer(
  { terminalId: text(), amount: AMOUNT, currency: text(), count: count() },
  { deferred: answer({ amount: AMOUNT, count: count() }) },
);

const ITEM = answer(
  {
    reference: text(),
    terminalId: text(),
    kind: words('reversal cancel-if-unseen offline-record capture voice-authorization'),
    state: words('waiting parked'),
    messageId: text(),
    sequence: count(),
    at: time('When it was journaled.'),
  },
  {
    reason: text('Why it is parked.'),
    approval: APPROVAL,
    expired: yesOrNo('It waited too long: it is reported to the gateway, and not sent for authorization.'),
    amount: AMOUNT,
    currency: text(),
  },
);

const LATE_DECLINE = answer(
  {
    reference: text(),
    terminalId: text(),
    amount: AMOUNT,
    currency: text(),
    approval: APPROVAL,
    reason: LATE_DECLINE_REASON,
    at: time('When the gateway reported it.'),
  },
  { detail: text('The gateway’s text.'), last4Digits: text() },
);

export const QUEUE_ANSWER = answer({
  depth: count('Messages that wait for the gateway.'),
  parked: count('Messages that it did not take.'),
  sums: Type.Unsafe<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: AMOUNT }),
  oldestAgeSeconds: count(),
  limitsLeft: Type.Array(LEFT, { description: 'What the offline limits still allow.' }),
  items: Type.Array(ITEM),
  lateDeclines: Type.Array(LATE_DECLINE, {
    description: 'Unacknowledged offline sales that were declined later or expired.',
  }),
});

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Done.',
  202: 'Taken: ask again, or listen to the events.',
};

/** A page of sales. */
export const SALES_ANSWER = answer(
  { sales: Type.Array(refTo('Sale')) },
  { next: text('`after` of the next page; absent on the last.') },
);

const TOTAL = answer({ count: count(), amount: AMOUNT });

const groupsOf = (total: TSchema) =>
  Type.Array(
    answer({
      key: text('Terminal, brand, currency or till; empty where there is none.'),
      currency: text(),
      net: text('`approved` less `refunded`; may be below zero.'),
      ...Object.fromEntries(TOTAL_KINDS.map((kind) => [kind, total])),
    }),
  );

export const TOTALS_ANSWER = answer({
  since: time(),
  until: time('Does not count.'),
  timeZone: text('Of the store.'),
  by: words(TOTALS_BY.join(' ')),
  groups: groupsOf(TOTAL),
});

const CLOSED_TOTAL = answer({
  count: Type.Integer({ description: 'Below zero where more was taken back than added.' }),
  amount: AMOUNT,
});

/** A day close. */
export const DAY_CLOSE_ANSWER = answer(
  {
    number: count('From 1, without gaps.'),
    reference: text('The client’s own.'),
    since: time('The close before.'),
    until: time(),
    timeZone: text('Of the store.'),
    rows: answer({ from: count('The first row of the journal that it covers.'), to: count('The last one.') }),
    carriedOver: answer(
      Object.fromEntries(CARRIED_KINDS.map((kind) => [kind, count()])),
      {},
      {
        description: 'Sales without an end, by kind: they count in the close after their end.',
      },
    ),
    terminals: groupsOf(CLOSED_TOTAL),
    brands: groupsOf(CLOSED_TOTAL),
    currencies: groupsOf(CLOSED_TOTAL),
  },
  { till: text('The till that closed; absent: the store.') },
);

/** A page of day closes. */
export const DAY_CLOSES_ANSWER = answer(
  { dayCloses: Type.Array(DAY_CLOSE_ANSWER) },
  { next: text('`before` of the next page; absent on the last.') },
);

const TILL = { id: text('Its name.'), rights: Type.Array(words(TILL_RIGHTS.join(' '))), createdAt: time() };

const TILL_OPTIONAL = { hasPin: yesOrNo('Its page is locked by the PIN of the cashier.') };

export const TILLS_ANSWER = Type.Array(answer(TILL, TILL_OPTIONAL));

/** A one-time code of a till. */
export const CODE_ANSWER = answer({
  code: text('Eight characters in two groups, such as `7K3M-9QTX`.'),
  expiresInSeconds: count(),
});

/** A one-time code of a customer display. */
export const DISPLAY_CODE_ANSWER = answer(
  { code: text('Eight characters in two groups, such as `7K3M-9QTX`.'), expiresInSeconds: count() },
  {
    address: text('With `page`: what the display opens.'),
    picture: text('With `page`: the address as a QR code, a `data:` URL of an SVG.'),
  },
);

/** What a customer display shows. */
export const DISPLAY_ANSWER = answer(
  {
    terminalId: text(),
    step: words(DISPLAY_STEPS.join(' ')),
    deviceType: text('Of the terminal.'),
    store: answer({ language: words(LANGUAGES.join(' ')) }, { name: text('Of the merchant.') }),
  },
  {
    type: words('sale refund preauthorization'),
    amount: AMOUNT,
    currency: text('ISO 4217 alpha-3.'),
    tip: AMOUNT,
    cashBack: AMOUNT,
    rest: text('Of a partial approval: what is still to be paid.'),
    removeCard: yesOrNo('The card may be taken out.'),
    shownForMs: count('How much longer it is shown.'),
  },
);

/** Who has signed in. */
export const SESSION_ANSWER = answer(
  {
    rights: Type.Array(words(TILL_RIGHTS.join(' '))),
    locked: yesOrNo('The PIN of the cashier is needed: `POST /v1/sign-in/pin`.'),
  },
  {
    till: text('Absent: the store itself.'),
    ...TILL_OPTIONAL,
    display: text('Of a customer display: the terminal that it shows.'),
  },
);

/** Whose token a call came with. */
export const CALLER_ANSWER = answer(
  { rights: Type.Array(words(TILL_RIGHTS.join(' '))) },
  { till: text('Absent: the token is that of the store, which may do everything.'), ...TILL_OPTIONAL },
);

/** How the link and the exposure were over the last hours. */
export const HISTORY_ANSWER = answer({
  since: time(
    'From when on something is known: at most the last hours. The exposure also of the time before the agent was started.',
  ),
  until: time('Now.'),
  link: Type.Array(answer({ at: time(), state: words('down connecting up') }), {
    description: 'Each change, oldest first. Before the first it is not known.',
  }),
  exposure: Type.Array(
    answer({
      at: time(),
      depth: count('Messages that waited for the gateway.'),
      sums: Type.Unsafe<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: AMOUNT }),
    }),
    { description: 'What waited, then each change, oldest first; at most one in a minute.' },
  ),
});

export const NEW_TILL_ANSWER = answer({ ...TILL, token: text('Its bearer token.') }, TILL_OPTIONAL);

export const STREAM_TOKEN_ANSWER = answer({
  token: text('Opens one stream: `GET /v1/events?token=…`.'),
  expiresInSeconds: count(),
});

/** The refusals that every call may end in. */
const REFUSALS = {
  '4xx': { ...refTo('Error'), description: 'Refused.' },
  '5xx': { ...refTo('Error'), description: 'Not possible now.' },
};

/** Answers of a call by status. */
export function responses(given: TSchema | 'Sale', ...statuses: readonly (200 | 202)[]) {
  const schema = given === 'Sale' ? refTo('Sale') : given;
  const all = statuses.length > 0 ? statuses : ([200] as const);
  const done = all.map((status) => [status, { ...schema, description: DESCRIPTIONS[status] }]);
  return { ...Object.fromEntries(done), ...REFUSALS };
}

/** What a call sends that answers in another form than JSON. */
export function streams(type: string, description: string) {
  return { 200: { description, content: { [type]: { schema: { type: 'string' } } } }, ...REFUSALS };
}
