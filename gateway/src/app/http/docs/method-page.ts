import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { RETURN_REASONS, RETURN_WINDOWS_MS } from '@tillbridge/wire/payment/sepa-returns.js';
import { type AccountBehaviour, TEST_ACCOUNTS } from '@tillbridge/wire/payment/test-accounts.js';
import { TEST_GIFT_CARDS } from '@tillbridge/wire/payment/test-gift-cards.js';
import { REFUSED_PROMOTIONS } from '@tillbridge/wire/payment/test-promotions.js';
import { TEST_TOKENS, type TokenState } from '@tillbridge/wire/payment/test-tokens.js';
import { TOKEN_REFUSALS } from '../../../core/acquirers/internal/decide-token.js';
import { GIFT_CARD_PINS } from '../../../core/acquirers/internal/gift-cards.js';
import { type ResponseCode, simulatedResultCode } from '../../../core/acquirers/internal/response-codes.js';
import { DUE_DATE } from '../../../core/payment-api/mandate.js';
import { WAITS } from '../../../core/payments/rules/waits.js';
import { OUTBOX_RETRIES } from '../../../kernel/outbox/send-loop.js';
import { type Example, METHODS, type Method } from './methods.js';

const GENERATED = 'Generated from the tables of the code by `npm run methods`; do not edit.';
const DAY_MS = 24 * 3_600_000;

/** The page of methods, operations and test data, in Markdown. */
export function methodPage(): string {
  return `# Payment methods

<!-- ${GENERATED} -->

Every brand is a \`paymentBrand\`. All take \`PA\`, \`PA.CP\` and \`DB\` (money from the shopper) and \`CD\` (money to the shopper).

${methodTable()}

A redirect waits ${WAITS.redirect.lifetimeMs / 60_000} minutes for the shopper and then ends with ${WAITS.redirect.expiredCode}; see
[Payments that wait](waiting-payments.md). The simulated bank has a button for each end: approve, refuse, leave
([how](../../hardware-sim/docs/simulated-bank.md)). Test cards stand on [Test mode](test-mode.md).

## How a test makes each end

A test makes every payment of this table, and refunds it. Parameters that are refused or returned stand in place of those that pay. With any method
\`customParameters[unknownForSeconds]\` keeps the outcome open for a time. A test charges each payment back and gives its money again.

${endTable()}

## Gift cards

A payment of brand \`GIFTCARD\` needs \`giftCard.number\`; with another brand \`giftCard.*\` describes a card that is bought. The answer names
what is left in \`giftCard.balance\`, also where it is too little (${simulatedResultCode('51')}): so a shop learns how much the card can pay. \`CD\` loads a card.
${GIFT_CARD_PINS.tries} wrong PINs within ${GIFT_CARD_PINS.windowMs / 60_000} minutes block a card for the rest of them (${simulatedResultCode('75')}).
\`POST /v1/giftCards/balance\` (an addition) takes \`entityId\`, \`giftCard.number\` and \`giftCard.pin\`. It pays nothing and answers with
\`giftCard.balance\` and \`giftCard.currency\`; its wrong PINs count too.

${giftCardTable()}

To pay one part with a gift card and the rest otherwise, make the payment with the gift card first. Send its id as \`cart.payments[n].name\`, with
\`cart.payments[n].type=GIFTCARD\`, with the payment of the rest; \`amount\` is that of the rest, in the same currency. Amount, currency and brand of the entry, where they
are sent, are those of the gift-card payment. Each gift-card payment belongs to one order. Where the rest is refused, or never paid, the gateway gives
the gift card back what it paid; where that cannot be, it raises the alert \`cart-payment-not-reversed\`. Parts of a paid order are refunded one by one, and
a gift-card payment that no order names stays as it is. A checkout whose order has one can be tried once: then its gift card is paid back.

Any other name is free text of 1 to 255 characters, such as that of a gift card which was redeemed elsewhere. The gateway repeats it and does nothing else.

## Bank transfers

The answer to \`PREPAYMENT\` is pending (${WAITS.receipt.pendingCode}) and names what the payer transfers: \`amount\`, \`currency\`, and in
\`merchant.bankAccount\` the \`holder\`, \`number\` (an IBAN), \`bic\` and \`reference\`, a creditor reference of ISO 11649 that the payer states
as the purpose. Neither \`bankAccount.*\` of the payer nor \`shopperResultUrl\` is needed. The payment waits ${WAITS.receipt.lifetimeMs / DAY_MS} days
for the money and then ends with ${WAITS.receipt.expiredCode}. Three things end the wait:

- **A file of the bank**: a row \`SETTLED\`, \`DEBIT\`, \`POS\` with the status SUCCESS of an [imported file](reconciliation.md#files-of-acquirers). It names the payment by
  \`UniqueID\`, or by the reference in a \`ConnectorTxId\` or in the \`Descriptor\`, with blanks and lowercase letters or without.
- **RC**: \`POST /v1/payments/{id}\` with \`paymentType=RC\`, \`amount\` and \`currency\`. The merchant has seen the money on its account. The RC moves no money
  of its own; a refund names the payment.
- **\`POST /v1/payments/{id}/receipt\`**, in test mode, for a token with the right \`administration\` (an addition): the whole money comes in.

| what comes in | the payment | the record of the row states |
|---|---|---|
| the amount, at once or in parts | is paid with the last part | – |
| less | waits on until its deadline | how much is missing |
| more | is paid, for its own amount | how much to give back |
| another currency | waits on | that it does not count |
| anything after the deadline | stays declined | that the money is to be given back |
| a row that was imported before | counts once | – |
| an unknown reference | – | NOT_MATCHED, with the reference |

Parts of files and of RC count together. A running gateway ends the wait within its \`resolverIntervalMs\`, or as soon as a client reads the payment.

Limit: the simulated acquirer of test mode alone offers bank transfers. A [link](acquirer-link.md) to a host, and so live mode, refuses
\`PREPAYMENT\` with 600.200.201.

## Promotion codes

\`promotionCode\` goes to the acquirer and changes no amount: \`amount\` is what is left to pay. There is one for an
order. The name of a \`cart.payments\` entry with \`type=PROMOTION\` is free text. The simulator takes every code but these.

${promotionTable()}

## Token accounts

\`tokenAccount.type=EXTERNAL\` is a token of another provider, \`NETWORK\` one of a card network. A network token needs
\`tokenAccount.cryptogram\` or \`tokenAccount.dtvc\` (${simulatedResultCode('T2')}), except where the merchant repeats a payment
(\`standingInstruction.source=MIT\`). A verification code that ends in 000 is wrong. No token is kept: nothing that needs the issuer again can follow.
A token that is not below pays if its check digit is right.

${tokenTable()}

## Direct debits

SEPA (\`DIRECTDEBIT_SEPA\`) is made in EUR alone: any other currency is refused with 100.550.401, naming \`currency\`.

A debit without \`bankAccount.mandate.id\` gets one of letters and hyphens; one without a date of signature was signed today; one without
\`transactionDueDate\` is due in ${DUE_DATE.leadDays} days. Any date may be the due date. Answer and event name mandate, amount, due date and the merchant's account (\`merchant.bankAccount\`):
the payer must know these before the money is taken. Where \`mail\` is [configured](configuration.md) and \`customer.email\` is sent, the gateway sends
them by e-mail, in English: an outbox row in the commit of the debit, tried again for ${OUTBOX_RETRIES.giveUpAfterMs / DAY_MS} days; then it raises an alert
(\`message-not-sent\`). A copy that is sent twice, because a process died in between, has the same Message-ID.

## Accounts of direct debits

The check digits are right; an account that is not here pays.

${accountTable()}

## Returns of direct debits

A return becomes a payment of type \`CB\` that refers to the debit. The debit can then neither be refunded nor reversed (700.300.600). A return after
its window raises an alert for staff and books nothing. Windows run from the due date.

${returnTable()}
`;
}

function methodTable(): string {
  const rows = METHODS.map(({ name, brands, code, group, outcome, followUps, testData }) => [
    name,
    brands.length > 0 ? brands.join(', ') : 'that of the card',
    code,
    `\`${group}\``,
    outcome,
    followUps.join(' '),
    testData,
  ]);
  const heads = ['Method', 'Brands', '`paymentMethod`', 'Parameters', 'Outcome', 'Follow-ups', 'Test data'];
  return table(heads, rows);
}

/** How a payment of a method can be made to end, with the parameters that do it. */
function endTable(): string {
  const rows = METHODS.map(({ name, outcome, pays, refused, returned }) => [
    name,
    exampleText(pays) || (outcome === 'redirect' ? 'the button of the bank' : '`POST …/receipt`'),
    refused ? exampleText(refused) : outcome === 'redirect' ? 'the button of the bank' : '–',
    ABANDONED[outcome],
    returned ? exampleText(returned) : '–',
  ]);
  return table(['Method', 'Pays', 'Is refused', 'Is abandoned', 'Is returned'], rows);
}

const ABANDONED: Readonly<Record<Method['outcome'], string>> = {
  'at once': '–',
  redirect: 'the button of the bank, or nothing',
  receipt: 'nothing',
};

function exampleText(example: Example): string {
  return Object.entries(example)
    .map(([name, value]) => `\`${name}=${value}\``)
    .join(' ');
}

function giftCardTable(): string {
  return table(
    ['`giftCard.number`', '`giftCard.pin`', 'Holds', 'What its issuer does'],
    TEST_GIFT_CARDS.map(({ number, pin, currency, openingMinor: minor, behaviour }) => [
      number,
      pin,
      `${formatAmount({ minor, currency })} ${currency}`,
      behaviour.kind === 'pay' ? 'pays up to the balance' : `declines (${behaviour.responseCode})`,
    ]),
  );
}

/** The page's text for a token's state. */
const TOKEN_STATES: Readonly<Record<TokenState, string>> = {
  active: 'pays',
  suspended: 'suspended',
  expired: 'expired',
  unverified: 'refuses every cryptogram and code',
  unknown: 'unknown',
};
const TOKEN_CODES: Readonly<Partial<Record<TokenState, ResponseCode>>> = TOKEN_REFUSALS;

function tokenTable(): string {
  return table(
    ['`tokenAccount.number`', '`tokenAccount.type`', 'Answer of the token service'],
    TEST_TOKENS.map(({ number, type, state }) => {
      const code = TOKEN_CODES[state];
      const text = TOKEN_STATES[state];
      return [number, type, code === undefined ? text : `${text}: ${simulatedResultCode(code)}`];
    }),
  );
}

function promotionTable(): string {
  const rows = Object.entries(REFUSED_PROMOTIONS).map(([code, response]) => [
    code,
    simulatedResultCode(response),
  ]);
  return table(['`promotionCode`', 'Code'], rows);
}

function accountTable(): string {
  const heads = ['Country', 'IBAN', 'BIC', '`bankCode`', '`number`', 'What its bank does'];
  return table(
    heads,
    TEST_ACCOUNTS.map(({ country, iban, bic, bankCode, number, behaviour }) => [
      country,
      `\`${iban}\``,
      bic,
      bankCode,
      number,
      wordsOf(behaviour),
    ]),
  );
}

function wordsOf(behaviour: AccountBehaviour): string {
  if (behaviour.kind === 'pay') return 'pays';
  if (behaviour.kind === 'decline') return `declines (${behaviour.responseCode})`;
  return `pays, and returns on the due date: ${behaviour.reason}`;
}

function returnTable(): string {
  const heads = ['Reason', 'Code', 'Window in days'];
  return table(
    heads,
    Object.entries(RETURN_REASONS).map(([reason, { resultCode, window }]) => [
      reason,
      resultCode,
      String(RETURN_WINDOWS_MS[window] / DAY_MS),
    ]),
  );
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
