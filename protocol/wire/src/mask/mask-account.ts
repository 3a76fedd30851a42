/** Characters at the end of an account number that are shown. */
const SHOWN_END = 4;
/** Characters at the beginning of an IBAN that are shown: its country and check digits. */
const SHOWN_BEGIN = 4;
/** A shorter number is not shown in parts. */
const SHORT = 10;

/** An IBAN or account number as answers may show it: country and check digits of an IBAN, and the last four characters. */
export function maskAccount(account: string): string {
  if (account.length < SHORT) return '*'.repeat(account.length);
  const begin = /^[A-Z]{2}\d{2}/i.test(account) ? SHOWN_BEGIN : 0;
  const hidden = '*'.repeat(account.length - begin - SHOWN_END);
  return `${account.slice(0, begin)}${hidden}${account.slice(-SHOWN_END)}`;
}
