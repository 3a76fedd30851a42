/** The kinds of differences and their meaning. A kind is never renamed: stored explanations refer to it. */
export const DIFFERENCE_KINDS = {
  'payment-not-at-acquirer': 'the payment is approved, and the acquirer has no entry of it',
  'acquirer-only': 'the acquirer has a transaction that the gateway did not ask for',
  'outcome-differs': 'approved at the gateway or at the acquirer, and not at the other',
  'amount-differs': 'an amount differs at the acquirer',
  'intent-without-payment': 'a request was carried out, and its payment is missing',
  'intent-overdue': 'the outcome of a request has not been known for too long',
  'answer-missing': 'the payment of an agent’s message has no stored answer',
  'answer-differs': 'the stored answer differs from its payment',
  'answer-without-payment': 'a stored answer names a payment that is missing',
  'totals-differ':
    'the host of an acquirer has other totals of a settlement day than the journal of its link',
  'settled-twice': 'the acquirer’s file has a transaction more than once',
  'settled-unexpected':
    'the acquirer’s file has a transaction that moved no money by the journal of the link',
  'settled-differs': 'the acquirer’s file has a transaction with another amount',
  'settlement-incomplete': 'a part of the last settlement run failed: an alert about it stands',
  'not-settled': 'the acquirer’s file lacks a transaction that its host has carried out',
} as const;

/** Kind of a difference. */
export type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

/** What is compared: a row of the store, an entry of the acquirer's record, a line of its file, or totals of a day. */
export type Subject =
  | { readonly of: 'payment'; readonly id: string }
  | { readonly of: 'entry'; readonly reference: string }
  | { readonly of: 'intent'; readonly id: string }
  | { readonly of: 'exchange'; readonly reference: string }
  | { readonly of: 'line'; readonly id: string }
  | {
      readonly of: 'totals';
      readonly acquirer: string;
      readonly day: number;
      readonly acceptorId: string;
      readonly currency: string;
    }
  | { readonly of: 'settlement'; readonly part: string }
  | { readonly of: 'answer'; readonly agentId: string; readonly messageId: string };

/** Two records that do not agree. Nothing sensitive. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly subject: Subject;
  /** The values, for the operator. */
  readonly detail: string;
}

/** The name of a subject, as operators write it when they explain a difference. */
export function nameOf(subject: Subject): string {
  switch (subject.of) {
    case 'payment':
    case 'intent':
    case 'line':
      return `${subject.of}/${subject.id}`;
    case 'entry':
    case 'exchange':
      return `${subject.of}/${subject.reference}`;
    case 'totals':
      return `totals/${subject.acquirer}/${subject.day}/${subject.acceptorId}/${subject.currency}`;
    case 'settlement':
      return subject.part;
    case 'answer':
      return `answer/${subject.agentId}/${subject.messageId}`;
  }
}
