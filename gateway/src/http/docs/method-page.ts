import { ACCOUNT_METHODS, type AccountMethodKind } from '@tillbridge/protocol/payment/account-methods.js';
import { BRANDS } from '@tillbridge/protocol/payment/brands.js';
import { type FollowUp, LIFECYCLE } from '@tillbridge/protocol/payment/lifecycle.js';
import { RETURN_REASONS, RETURN_WINDOWS_MS } from '@tillbridge/protocol/payment/sepa-returns.js';
import { type AccountBehaviour, TEST_ACCOUNTS } from '@tillbridge/protocol/payment/test-accounts.js';
import { WALLET_NAMES } from '@tillbridge/protocol/payment/wallet-names.js';
import { WAITS } from '../../payments/decide/waits.js';
import { asksWithCard } from '../../payments/flow/follow-up-intent.js';
import { DUE_DATE } from '../payments/mandate.js';

const GENERATED = 'Generated from the tables of the code by `npm run methods`; do not edit.';
const DAY_MS = 24 * 3_600_000;

/** Follow-ups in the order of the page. */
const FOLLOW_UPS = Object.keys(LIFECYCLE) as FollowUp[];

/** What the page says of each kind of payment without a card, beside what the tables say. */
const KINDS: Readonly<Record<AccountMethodKind, { readonly name: string; readonly testData: string }>> = {
  'direct-debit': { name: 'direct debit', testData: 'the accounts below' },
  'online-transfer': { name: 'online transfer', testData: 'any account; the simulated bank asks' },
  'bank-transfer': { name: 'bank transfer', testData: 'any account; the simulated bank asks' },
  'virtual-account': {
    name: 'virtual account',
    testData: 'any `virtualAccount.accountId`; the simulated bank asks',
  },
};

/** The page of methods, operations and test data, in Markdown. */
export function methodPage(): string {
  return `# Payment methods

<!-- ${GENERATED} -->

Every brand is a \`paymentBrand\`. All take \`PA\`, \`PA.CP\` and \`DB\` (money from the shopper) and \`CD\` (money to the shopper).

${methodTable()}

A redirect waits ${WAITS.redirect.lifetimeMs / 60_000} minutes for the shopper and then ends with ${WAITS.redirect.expiredCode}; see
[Payments that wait](waiting-payments.md). The simulated bank has a button for each end: approve, refuse, leave
([how](../../hardware-sim/docs/simulated-bank.md)). Test cards stand on [Test mode](test-mode.md).

## Direct debits

A debit without \`bankAccount.mandate.id\` gets one of letters and hyphens; one without a date of signature was signed today; one without
\`transactionDueDate\` is due in ${DUE_DATE.leadDays} days. Answer and event name mandate, amount, due date and the merchant's account (\`merchant.bankAccount\`):
that is what the merchant tells the payer before the money is taken. The gateway sends no e-mail.

## Accounts of direct debits

The check digits are right; an account that is not here pays.

${accountTable()}

## Returns of direct debits

A return becomes a payment of type \`CB\` that refers to the debit. The debit can then neither be refunded nor reversed (700.300.600). A return after
its window is told to a person and books nothing. Windows run from the due date.

${returnTable()}
`;
}

function methodTable(): string {
  const cards = [
    'card',
    BRANDS.map(({ key }) => key).join(', '),
    'CC',
    '`card.`',
    'at once',
    FOLLOW_UPS.join(' '),
    'test cards',
  ];
  const kinds = [...new Set(ACCOUNT_METHODS.map(({ kind }) => kind))].map((kind) => {
    const methods = ACCOUNT_METHODS.filter((each) => each.kind === kind);
    const [method] = methods;
    const { name, testData } = KINDS[kind];
    return [
      name,
      methods.map(({ brand }) => brand).join(', '),
      method?.code ?? '',
      `\`${method?.group ?? ''}\``,
      method?.isAsynchronous ? 'redirect' : 'at once',
      FOLLOW_UPS.filter((type) => !asksWithCard(type)).join(' '),
      testData,
    ];
  });
  const heads = ['Method', 'Brands', '`paymentMethod`', 'Parameters', 'Outcome', 'Follow-ups', 'Test data'];
  return table(heads, [cards, ...wallets(), ...kinds]);
}

function wallets(): readonly string[][] {
  const tokens = 'tokens of the [simulator](../../hardware-sim/docs/wallet-tokens.md)';
  return WALLET_NAMES.map((name) => [
    `[wallet](wallets.md) ${name}`,
    'that of the card inside',
    'CC',
    `\`${name}.\``,
    'at once',
    FOLLOW_UPS.join(' '),
    tokens,
  ]);
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
