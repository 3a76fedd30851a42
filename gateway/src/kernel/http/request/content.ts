import { type ContentError, contentDetail } from '../../api/content.js';
import { type Envelope, type EnvelopeDeps, envelope } from './envelope.js';

/** Why values that keep their formats are refused: the parameter and its code, or a code alone where no one parameter is at fault. */
export type ContentRefusal = ContentError | string;

/** The answer without a payment to values that are refused: it names the parameter. */
export function contentAnswer(sources: EnvelopeDeps, refusal: ContentRefusal): Envelope {
  if (typeof refusal === 'string') return envelope(sources, refusal);
  const resultDetails = { ExtendedDescription: contentDetail(refusal) };
  return { ...envelope(sources, refusal.code), ...{ resultDetails } };
}

/** Whether something is refused. */
export function isContentRefusal(content: object | string): content is ContentRefusal {
  return typeof content === 'string' || 'code' in content;
}

/** The result code. */
export function codeOf(refusal: ContentRefusal): string {
  return typeof refusal === 'string' ? refusal : refusal.code;
}
