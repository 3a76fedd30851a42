/** What may stand differently in two places, and what that means. A kind is never renamed: people's explanations refer to it. */
export const DIFFERENCE_KINDS = {
  'payment-not-at-acquirer': 'the payment is approved, and the acquirer knows nothing of it',
  'acquirer-only': 'the acquirer has a transaction that nothing here asked for',
  'outcome-differs': 'approved in one place and not in the other',
  'amount-differs': 'an amount is another one at the acquirer',
  'intent-without-payment': 'a request was carried out, and its payment is missing',
  'intent-overdue': 'the outcome of a request has not been known for too long',
  'answer-missing': 'the payment of an agent’s message has no stored answer',
  'answer-differs': 'the stored answer says other than its payment',
  'answer-without-payment': 'a stored answer names a payment that is missing',
} as const;

/** Kind of a difference. */
export type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

/** What is looked at: a row of the store, or an entry of the acquirer's record. */
export type Subject =
  | { readonly of: 'payment'; readonly id: string }
  | { readonly of: 'entry'; readonly reference: string }
  | { readonly of: 'intent'; readonly id: string }
  | { readonly of: 'answer'; readonly agentId: string; readonly messageId: string };

/** Two places that do not agree. Nothing sensitive. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly subject: Subject;
  /** Which values, for a person. */
  readonly detail: string;
}

/** A subject by name: what people write when they explain a difference. */
export function nameOf(subject: Subject): string {
  switch (subject.of) {
    case 'payment':
    case 'intent':
      return `${subject.of}/${subject.id}`;
    case 'entry':
      return `entry/${subject.reference}`;
    case 'answer':
      return `answer/${subject.agentId}/${subject.messageId}`;
  }
}
