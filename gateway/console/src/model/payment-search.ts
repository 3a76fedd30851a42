/** What of a payment a text may be, by the parameter of the search. */
export type SearchedBy =
  | 'id'
  | 'merchantTransactionId'
  | 'amount'
  | 'card.last4Digits'
  | 'pos.terminalId'
  | 'agentId'
  | 'customer.email';

/** What a list is limited to, as the address of the page has it. */
export interface PaymentFilter {
  /** What was typed. */
  readonly text: string;
  /** What it is, where the person chose it. */
  readonly by: SearchedBy | undefined;
  readonly outcome: '' | 'approved' | 'declined';
  /** Payment types, separated by commas. */
  readonly types: string;
  /** Days, `YYYY-MM-DD`, in UTC; empty: any. */
  readonly from: string;
  readonly to: string;
}

const FORMS: readonly (readonly [SearchedBy, RegExp])[] = [
  ['customer.email', /^[^\s@]+@[^\s@]+$/],
  ['amount', /^\d{1,10}[.,]\d{2}$/],
  ['card.last4Digits', /^\d{4}$/],
  ['id', /^[0-9a-f]{32}$|^[0-9a-f-]{36}$|^\d{4}\.\d{4}\.\d{4}$/],
  ['pos.terminalId', /^[\x21-\x7e]{1,32}$/],
  ['merchantTransactionId', /^.{1,255}$/],
  ['agentId', /^[\x21-\x7e]{1,64}$/],
  ['id', /^[0-9A-Za-z.-]{4,64}$/],
  ['amount', /^\d{1,10}$/],
];

/** What a typed text may be, the likeliest first; each once. */
export function meaningsOf(text: string): readonly SearchedBy[] {
  return [...new Set(FORMS.filter(([, form]) => form.test(text)).map(([by]) => by))];
}

/** The filter that an address has. What it does not know counts as not set. */
export function filterOf(query: Readonly<Record<string, string>>): PaymentFilter {
  const { q = '', by, outcome, types = '', from = '', to = '' } = query;
  const text = q.trim();
  const isDay = (day: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(day);
  return {
    text,
    by: meaningsOf(text).find((each) => each === by),
    outcome: outcome === 'approved' || outcome === 'declined' ? outcome : '',
    types: /^[A-Z.]{2,5}(,[A-Z.]{2,5})*$/.test(types) ? types : '',
    from: isDay(from) ? from : '',
    to: isDay(to) ? to : '',
  };
}

/** What of a filter stands in the address. */
export function queryOf({ text, by, outcome, types, from, to }: PaymentFilter): Record<string, string> {
  const all = { q: text, by: by ?? '', outcome, types, from, to };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** The parameters of a request. @param by what the text is taken for */
export function parametersOf(filter: PaymentFilter, by: SearchedBy | undefined): Record<string, string> {
  const { text, outcome, types, from, to } = filter;
  const amount = /[.,]/.test(text) ? text.replace(',', '.') : `${text}.00`;
  const all = {
    ...(by !== undefined && { [by]: by === 'amount' ? amount : text }),
    outcome,
    paymentTypes: types,
    // The search ends with the second that is named.
    'date.from': from === '' && to !== '' ? '2000-01-01 00:00:00' : from && `${from} 00:00:00`,
    'date.to': to === '' && from !== '' ? '2099-12-31 23:59:59' : to && `${to} 23:59:59`,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}
