import type { Rule } from '@tillbridge/platform/schema/rule.js';
import { type Static, type TProperties, Type } from '@tillbridge/platform/schema/type.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { amountOrFault, type Money } from '@tillbridge/wire/payment/money.js';
import { TILL_RIGHTS, type TillRight } from '../access/rights.js';
import { CASHIER_PIN, TILL_ID } from '../access/till-registry.js';
import type { ManualOutcome, SaleType } from '../sale/machine/state/answer.js';
import { partsFault } from '../sale/service/request-rules.js';
import type { CaptureOptions, SaleRequest } from '../sale/service/sale-service.js';
import { MAX_BODY_BYTES, TillError } from './till-error.js';

/** Limits of what a till may send, by name. */
export const TILL_LIMITS = {
  maxBodyBytes: MAX_BODY_BYTES,
  maxReferenceLength: 64,
  maxNoteLength: 200,
  maxCancelAfterSeconds: 600,
} as const;

/** Other names under which tills of other systems send the same thing. */
const ALIASES: Readonly<Record<string, string>> = {
  merchantTransactionId: 'reference',
  id: 'reference',
  terminal: 'terminalId',
  deviceId: 'terminalId',
  paymentType: 'type',
  total: 'amount',
  tipAmount: 'tip',
  cashback: 'cashBack',
  cashBackAmount: 'cashBack',
};

/** A body with these fields and no others. */
function body<P extends TProperties>(properties: P, more: { readonly rule?: Rule } = {}) {
  const names = Object.keys(properties);
  const aliases = Object.fromEntries(Object.entries(ALIASES).filter(([, name]) => names.includes(name)));
  const expected = `a JSON object with ${names.join(', ')}`;
  return Type.Object(properties, { additionalProperties: false, expected, aliases, ...more });
}

/** A body that may be left out as well. */
function optionalBody<P extends TProperties>(properties: P) {
  const whole = body(properties);
  return Type.Unsafe<Static<typeof whole> | null | undefined>({ ...whole, type: ['object', 'null'] });
}

/** A text that a function checks further; `expected` is for what is no text. */
function text(
  description: string,
  check: (text: string) => string | undefined,
  {
    expected = 'a text',
    ...more
  }: { readonly expected?: string; readonly examples?: readonly string[] } = {},
) {
  const rule: Rule = (value) => {
    const problem = typeof value === 'string' ? check(value) : undefined;
    return problem === undefined ? undefined : { problem };
  };
  return Type.Unsafe<string>({ type: 'string', description, expected, ...more, rule });
}

/** Printable ASCII without the blank at either end, so that it stands in a path and on a receipt. */
const REFERENCE = /^[!-~](?:[ -~]*[!-~])?$/;

/** A till's own reference. */
const reference = (description: string) =>
  text(
    description,
    (value) => {
      if (value.length <= TILL_LIMITS.maxReferenceLength && REFERENCE.test(value)) return undefined;
      return `must be 1 to ${TILL_LIMITS.maxReferenceLength} printable ASCII characters, no blank at either end; this one has ${value.length} characters`;
    },
    { examples: ['order-4711'] },
  );

const AMOUNT = text(
  'Decimal text above zero, with no decimals or exactly two.',
  (value) =>
    /^\d{1,10},\d{2}$/.test(value) ? `must have a dot, not a comma: "${value.replace(',', '.')}"` : undefined,
  { expected: 'a decimal text such as "12.34", not a number: numbers lose cents', examples: ['12.34'] },
);

/** A part of the amount. */
const PART = (description: string) => ({
  ...AMOUNT,
  description: `${description} A decimal text, as the amount.`,
});

const CURRENCY = text(
  'ISO 4217 alpha-3.',
  (value) => {
    if (currencyNumber(value) !== undefined) return undefined;
    const upper = value.toUpperCase();
    const meant = currencyNumber(upper) === undefined ? '' : `; did you mean "${upper}"?`;
    return `must be an ISO 4217 code of three uppercase letters, such as EUR${meant}`;
  },
  { examples: ['EUR'] },
);

const TERMINAL_ID = text(
  'May be left out while the agent has exactly one terminal.',
  (value) =>
    /^\d{1,32}$/.test(value) ? undefined : 'must be 1 to 32 digits (GET /v1/terminals lists the ids)',
  { expected: 'a text: put the digits in quotes', examples: ['1001'] },
);

const yesOrNo = (description: string) => Type.Boolean({ description, expected: 'true or false' });
/** One of some words. */
export const oneOf = <T extends string>(words: readonly T[], description: string, more: object = {}) =>
  Type.Unsafe<T>({
    type: 'string',
    enum: words,
    description,
    expected: `one of ${words.join(', ')}`,
    ...more,
  });

/** The path of one sale. */
export const SALE_PARAMS = Type.Object({ reference: reference('The till’s reference of the sale.') });

/** The path of one terminal. */
export const TERMINAL_PARAMS = Type.Object({ id: Type.String({ description: 'Id of the terminal.' }) });

const tillId = (description: string) =>
  text(
    description,
    (value) =>
      TILL_ID.test(value)
        ? undefined
        : 'must be 1 to 32 letters, digits, dots, hyphens or underscores, and begin with a letter or digit',
    { examples: ['front-1'] },
  );

/** The path of one till. */
export const TILL_PARAMS = Type.Object({ id: tillId('Name of the till.') });

const cashierPin = (description: string) =>
  text(description, (value) => (CASHIER_PIN.test(value) ? undefined : 'must be 4 to 8 digits'), {
    expected: 'a text of digits',
  });

/** Body of `POST /v1/tills`. */
export const TILL_BODY = body({
  id: tillId('Its name; sales are journaled under it.'),
  rights: Type.Unsafe<readonly TillRight[]>({
    type: 'array',
    items: { type: 'string', enum: [...TILL_RIGHTS] },
    minItems: 1,
    uniqueItems: true,
    description: 'What it may do.',
    expected: `a list of ${TILL_RIGHTS.join(', ')}`,
  }),
  pin: Type.Optional(cashierPin('The page of the till is locked by it: 4 to 8 digits.')),
});

/** Body of a sign-in: one of both. */
export const SIGN_IN_BODY = body(
  {
    code: Type.Optional(Type.String({ description: 'A one-time code of the till.', expected: 'a text' })),
    token: Type.Optional(Type.String({ description: 'The token of the till.', expected: 'a text' })),
  },
  {
    rule: (value) => {
      const { code, token } = (value ?? {}) as Readonly<Record<string, unknown>>;
      return (code === undefined) === (token === undefined)
        ? { at: 'code', problem: 'or token must be there, and not both' }
        : undefined;
    },
  },
);

/** Most characters of the address of a page. */
const MAX_PAGE_LENGTH = 200;

/** Body of `POST /v1/terminals/{id}/display-code`. */
export const DISPLAY_CODE_BODY = optionalBody({
  page: Type.Optional(
    text(
      'Address of the agent as the display reaches it: then the answer has what the display opens.',
      (value) =>
        value.length <= MAX_PAGE_LENGTH && /^https?:\/\/[^/?#\s]+\/?$/.test(value)
          ? undefined
          : `must be an address of the agent without a path, such as https://agent.shop.example:8090, of at most ${MAX_PAGE_LENGTH} characters`,
      { examples: ['https://agent.shop.example:8090'] },
    ),
  ),
});

/** Body of the unlocking of a page. */
export const PIN_BODY = body({ pin: cashierPin('The PIN of the cashier.') });

/** Body of `POST /v1/sales`. */
export const SALE_BODY = body(
  {
    reference: reference('The till’s own reference, unique per agent for ever.'),
    amount: AMOUNT,
    currency: CURRENCY,
    tip: Type.Optional(PART('Of a sale: what of the amount the customer gives to staff.')),
    cashBack: Type.Optional(
      PART('Of a sale: what of the amount the till hands out in cash. It is approved by the issuer alone.'),
    ),
    terminalId: Type.Optional(TERMINAL_ID),
    type: Type.Optional(
      oneOf<SaleType>(['sale', 'refund', 'preauthorization'], 'What it is.', { default: 'sale' }),
    ),
    originalReference: Type.Optional(reference('Of a refund: the reference of the earlier sale.')),
    onlineOnly: Type.Optional(yesOrNo('Refuse an approval without the gateway.')),
    cancelAfterSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: TILL_LIMITS.maxCancelAfterSeconds,
        description: 'Cancel the sale where nothing is decided by then.',
        expected: `whole seconds from 1 to ${TILL_LIMITS.maxCancelAfterSeconds}`,
      }),
    ),
  },
  {
    rule: (value) => {
      const { type = 'sale', originalReference } = (value ?? {}) as Readonly<Record<string, unknown>>;
      if (originalReference === undefined || type === 'refund') return undefined;
      return { at: 'originalReference', problem: `belongs to a refund; this is a ${type}` };
    },
  },
);

/** Body of a capture, in the currency of its sale. */
export const CAPTURE_BODY = body({
  amount: AMOUNT,
  captureReference: Type.Optional(
    reference('The till’s name for it, unique in its sale; without one there is only one capture.'),
  ),
  final: Type.Optional(yesOrNo('No other capture follows.')),
});

/** Body of a voice authorization; the service knows the rule for the code. */
export const VOICE_BODY = body({
  approvalCode: Type.String({ description: 'What the issuer gave on the phone.', expected: 'a text' }),
});

/** How a parked sale ended, as a person states it. */
export const RESOLUTION_BODY = body({
  outcome: oneOf<ManualOutcome>(['approved', 'declined', 'reversed', 'failed'], 'How the sale ended.'),
  note: text('How that was found out.', (value) => {
    const { length } = value.trim();
    return length > 0 && length <= TILL_LIMITS.maxNoteLength
      ? undefined
      : `must say in 1 to ${TILL_LIMITS.maxNoteLength} characters how that was found out`;
  }),
});

/** Body of a day close. */
export const DAY_CLOSE_BODY = body({
  reference: reference('The client’s own; the same again is the same close.'),
});

/** Printable, as a name on a list: a person, a till, a shift. */
const WHO = /^[\p{L}\p{N}\p{P}\p{Zs}]{1,64}$/u;

/** Body of an acknowledgement. */
export const ACKNOWLEDGEMENT_BODY = optionalBody({
  by: Type.Optional(
    text('Who took note: a person, a till, a shift.', (value) =>
      WHO.test(value) ? undefined : 'must be 1 to 64 printable characters: who took note',
    ),
  ),
});

/** The body of a call without parameters. Content is an error: a till that means to reverse a part would reverse all. */
export const NO_BODY = optionalBody({});

/** What a till requests. `till`: which one; undefined for the store. @throws TillError for an amount that its currency does not have */
export function saleRequest(
  { type = 'sale', amount, tip, cashBack, currency, cancelAfterSeconds, ...rest }: Static<typeof SALE_BODY>,
  till: string | undefined,
): SaleRequest {
  const deadline = cancelAfterSeconds === undefined ? {} : { cancelAfterMs: cancelAfterSeconds * 1_000 };
  const asking = till === undefined ? {} : { till };
  const request: SaleRequest = {
    ...{ ...rest, ...deadline, ...asking, type, amount: moneyOf(amount, currency) },
    ...(tip !== undefined && { tip: moneyOf(tip, currency, 'tip') }),
    ...(cashBack !== undefined && { cashBack: moneyOf(cashBack, currency, 'cashBack') }),
  };
  const fault = partsFault(request);
  if (fault) throw new TillError('bad-request', `${fault.field} ${fault.problem}`, fault.field);
  return request;
}

/** One capture in the currency of its sale. @throws TillError for an amount that the currency does not have */
export function captureRequest(
  { amount, ...options }: Static<typeof CAPTURE_BODY>,
  currency: string,
): { readonly amount: Money; readonly options: CaptureOptions } {
  return { amount: moneyOf(amount, currency), options };
}

/** Who acknowledged. It is stored for ever: it must not contain a card number. */
export function acknowledgedBy(body: Static<typeof ACKNOWLEDGEMENT_BODY>): string | undefined {
  return body?.by === undefined ? undefined : maskText(body.by);
}

function moneyOf(text: string, currency: string, field = 'amount'): Money {
  const bad = (rule: string) => new TillError('bad-request', `${field} ${rule}`, field);
  const money = amountOrFault(text, currency);
  if (typeof money === 'string') throw bad(`cannot be read: ${money}`);
  if (money.minor > 0) return money;
  throw bad('must be more than zero');
}
