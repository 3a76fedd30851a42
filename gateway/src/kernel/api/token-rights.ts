/** What a token may be used for, by right. None of them includes another. */
export const TOKEN_RIGHTS = {
  pay: 'payments, captures, reversals',
  refund: 'refunds, reversals',
  credit: 'credits (CD): money to a card that no sale bounds',
  read: 'payments as they stand, queries',
  reports: 'reports',
  diagnostics: 'in addition to read: what a terminal and the security module did in a timeline',
  metrics: 'the numbers of the gateway',
  administration: 'what the merchant sets up and looks after',
  simulator: 'the record of the acquirer simulator and settlements of the merchant, in test mode',
  users: 'users of the console, and the record of what was done',
  operator:
    'in addition to simulator: the record and settlements of all merchants; to administration: what needs a person, of all',
} as const;

/** A right of an access token. */
export type TokenRight = keyof typeof TOKEN_RIGHTS;
