import type { ReturnReason } from './sepa-returns.js';

/** How the bank simulator treats a test account. */
export type AccountBehaviour =
  | { readonly kind: 'pay' }
  /** Refuses the debit at once, with an ISO 8583 response code. */
  | { readonly kind: 'decline'; readonly responseCode: string }
  /** Pays, and returns the debit on its due date. */
  | { readonly kind: 'return'; readonly reason: ReturnReason };

/** A bank account of test mode. */
interface TestAccount {
  readonly iban: string;
  readonly bic: string;
  readonly country: 'AT' | 'DE' | 'ES';
  /** The same account without an IBAN. */
  readonly bankCode: string;
  readonly number: string;
  readonly behaviour: AccountBehaviour;
}

const pay: AccountBehaviour = { kind: 'pay' };
const returns = (reason: ReturnReason) => ({ kind: 'return', reason }) as const;

/** Test accounts of direct debits (gateway/docs/payment-methods.md). The check digits are right; every other valid IBAN pays. */
export const TEST_ACCOUNTS: readonly TestAccount[] = [
  german('DE23100000001234567890', pay),
  german('DE39100000000000000005', { kind: 'decline', responseCode: '05' }),
  german('DE66100000000000000101', returns('AC01')),
  german('DE39100000000000000102', returns('AC04')),
  german('DE12100000000000000103', returns('AC06')),
  german('DE82100000000000000104', returns('AM04')),
  german('DE55100000000000000105', returns('MD01')),
  german('DE28100000000000000106', returns('MD06')),
  german('DE98100000000000000107', returns('MS03')),
  austrian('AT611904300234573201', pay),
  austrian('AT091904300000000104', returns('AM04')),
  austrian('AT521904300000000106', returns('MD06')),
  spanish('ES9121000418450200051332', pay),
  spanish('ES2821000418420000000104', returns('AM04')),
  spanish('ES3621000418410000000106', returns('MD06')),
];

const BY_IBAN: ReadonlyMap<string, TestAccount> = new Map(TEST_ACCOUNTS.map((each) => [each.iban, each]));

/** What names an account in a request. */
interface NamedAccount {
  readonly iban?: string;
  readonly number?: string;
  readonly bankCode?: string;
}

/** The test account that a request names by IBAN, or by number and bank code; undefined when it is none of ours. */
export function findTestAccount({ iban, number, bankCode }: NamedAccount): TestAccount | undefined {
  if (iban !== undefined) return BY_IBAN.get(iban.toUpperCase());
  return TEST_ACCOUNTS.find((each) => each.number === number && each.bankCode === bankCode);
}

function german(iban: string, behaviour: AccountBehaviour): TestAccount {
  return account('DE', 'MARKDEF1100', iban, 8, behaviour);
}

function austrian(iban: string, behaviour: AccountBehaviour): TestAccount {
  return account('AT', 'BKAUATWW', iban, 5, behaviour);
}

function spanish(iban: string, behaviour: AccountBehaviour): TestAccount {
  return account('ES', 'CAIXESBB', iban, 8, behaviour);
}

/** Country and check digits, then the bank code of so many digits, then the number. */
function account(
  country: TestAccount['country'],
  bic: string,
  iban: string,
  bankDigits: number,
  behaviour: AccountBehaviour,
): TestAccount {
  const bban = iban.slice(4);
  return {
    iban,
    bic,
    country,
    bankCode: bban.slice(0, bankDigits),
    number: bban.slice(bankDigits),
    behaviour,
  };
}
