import {
  FORM_TYPE,
  type ParsedForm,
  parseFormText,
  parseForm as readForm,
} from '@tillbridge/protocol/api/form.js';

export { FORM_TYPE, parseFormText };

/** What a body or a query held, and what is wrong with it: told together with the faults of the parameters. */
export interface Form extends ParsedForm {
  /** How the entity's clients speak; absent: as the specification says. */
  readonly compatibility?: 'legacy';
}

/** Reads a form body; the content type was looked at before. */
export function parseForm(body: Uint8Array): Form {
  return readForm(body);
}
