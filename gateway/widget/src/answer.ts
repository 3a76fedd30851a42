import type { Answer } from './shared/messages.js';

/** What an answer of the gateway means for the form that was sent. */
export type Outcome =
  | { readonly is: 'back-to-shop' }
  | { readonly is: 'redirect'; readonly url: string }
  | { readonly is: 'refused'; readonly names: readonly string[] }
  | { readonly is: 'expired'; readonly text: string }
  | { readonly is: 'too-many' }
  | { readonly is: 'failed' };

/** No checkout has the id, or not any more. */
const NOT_FOUND = 404;
/** Too many requests; too many tries of one checkout. */
const TOO_MANY: readonly string[] = ['800.120.100', '700.500.001'];

interface Body {
  readonly id?: string;
  readonly result?: {
    readonly code?: string;
    readonly description?: string;
    readonly parameterErrors?: readonly { readonly name: string }[];
  };
  /** Our page that leads to the bank. */
  readonly continueUrl?: string;
}

/** Reads an answer. A decline is an outcome as an approval is: the shop shows the shopper both. */
export function outcomeOf({ status, body: received }: Answer): Outcome {
  const body: Body = received;
  const { code = '', description = '', parameterErrors } = body.result ?? {};
  if (status === NOT_FOUND) return { is: 'expired', text: description };
  if (TOO_MANY.includes(code)) return { is: 'too-many' };
  if (parameterErrors) return { is: 'refused', names: parameterErrors.map(({ name }) => name) };
  if (typeof body.continueUrl === 'string') return { is: 'redirect', url: body.continueUrl };
  return typeof body.id === 'string' && code !== '' ? { is: 'back-to-shop' } : { is: 'failed' };
}
