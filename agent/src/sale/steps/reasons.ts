/** Why an event means nothing in a phase, in words that several phases share. */
export const NO_CARD_YET = 'the terminal was not asked for anything yet';
export const CARD_IS_GONE =
  'the card is out of the sale by now: what the terminal still says changes nothing';
export const NOTHING_SENT = 'nothing was sent to the gateway';
export const NOTHING_QUEUED = 'nothing of it is in the queue';
export const NOT_APPROVED = 'only an approved sale can be followed; the till is told';
export const NO_REFERRAL = 'the issuer has not asked for a call; the till is told';
export const NOT_PARKED = 'only a parked sale is settled by hand; the till is told';
export const HAS_BEGUN = 'it has begun already';
export const NO_TIMER = 'no timer of this phase: an old one that fired late';
export const NO_LINK_NEEDED = 'it does not wait for the link';
export const ALREADY_ENDED = 'it has ended: a till that wants its money back reverses it';
