import { maskText } from '@tillbridge/protocol/mask/mask.js';
import { bad, objectOf, optional, readText } from './body-fields.js';

/** Printable, as a name on a list: a person, a till, a shift. */
const WHO = /^[\p{L}\p{N}\p{P}\p{Zs}]{1,64}$/u;

/**
 * Reads the body of an acknowledgement, `{by?}`; none at all counts as empty. Resolves to who took note, if anybody said.
 * @throws TillError `bad-request` naming the field and the rule
 */
export function readAcknowledgementBody(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  return optional(objectOf(body, ['by']), 'by', readWho);
}

function readWho(field: string, value: unknown): string {
  const text = readText(field, value);
  // It is kept for ever: nobody's card number may be in it.
  if (WHO.test(text)) return maskText(text);
  throw bad(field, 'must be 1 to 64 printable characters: who took note');
}
