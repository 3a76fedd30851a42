import { element } from '../shared/dom.js';
import type { TextKey } from '../texts/texts.js';
import type { FormContext } from './context.js';
import { errorText, type Group, group, hasLabelInside } from './group.js';

/** A field of a form that can be wrong. */
export interface Field {
  readonly group: Group;
  /** Parameters of the API that it brings. */
  readonly names: readonly string[];
  /** Shows what is wrong, or that nothing is. */
  readonly check: () => boolean;
  /** Shows it as wrong, whatever it holds. */
  readonly refuse: () => void;
  readonly focus: () => void;
}

/** What a text field is made of. */
interface TextFieldOptions {
  /** As in `wpwl-group-cardHolder`. */
  readonly key: string;
  readonly name: string;
  readonly label: TextKey;
  readonly error: TextKey;
  readonly isValid: (value: string) => boolean;
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  /** Parameters that it brings, where these are not its name. */
  readonly names?: readonly string[];
  /** Gets its validity when the shopper leaves it. */
  readonly onBlur?: (isValid: boolean) => void;
}

/** An input with its label and its error. */
export function textField(
  context: FormContext,
  parts: TextFieldOptions,
): Field & { readonly input: HTMLInputElement } {
  const { key, name, isValid, onBlur, names = [name] } = parts;
  const label = context.language.texts[parts.label];
  const input = element('input', {
    type: 'text',
    name,
    ...(hasLabelInside(context) && { placeholder: label }),
    ...parts.attributes,
  });
  const made = group(context, { name: key, label, control: input });
  const refuse = (): void => made.setError(errorText(context, parts.error));
  const check = (): boolean => {
    const isGood = isValid(input.value.trim());
    if (isGood) made.setError(undefined);
    else refuse();
    return isGood;
  };
  input.addEventListener('blur', () => {
    onBlur?.(isValid(input.value.trim()));
    // A field that the shopper has not begun shows no fault.
    if (input.value !== '') check();
  });
  input.addEventListener('input', () => {
    if (input.classList.contains('wpwl-has-error') && isValid(input.value.trim())) made.setError(undefined);
  });
  return { group: made, names, check, refuse, focus: () => input.focus(), input };
}
