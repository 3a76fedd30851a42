import { countriesIn } from '../shared/countries.js';
import { element } from '../shared/dom.js';
import type { FormContext } from './context.js';
import { errorText, group } from './group.js';
import type { Field } from './text-field.js';

/** What a choice of a country is made of. */
interface CountryOptions {
  readonly key: string;
  readonly name: string;
  /** What is chosen from the beginning: alpha-2, or nothing. */
  readonly value: string;
  readonly isMandatory: boolean;
}

/** A choice of a country by its name in the language. */
export function countryField(context: FormContext, { key, name, value, isMandatory }: CountryOptions): Field {
  const { tag, texts } = context.language;
  const countries = countriesIn(tag);
  const select = element(
    'select',
    { name, autocomplete: key === 'country' ? 'billing country' : 'off' },
    element('option', { value: '' }, '–'),
    ...countries.map(([code, text]) => element('option', { value: code }, text)),
  );
  const wanted = value.toUpperCase();
  // What the shop knows stays, also where no list has it.
  if (wanted !== '' && !countries.some(([code]) => code === wanted))
    select.append(element('option', { value: wanted }, wanted));
  select.value = wanted;
  const made = group(context, { name: key, label: texts.country, control: select });
  const refuse = (): void => made.setError(errorText(context, 'requiredError'));
  const check = (): boolean => {
    const isGood = select.value !== '' || !isMandatory;
    if (isGood) made.setError(undefined);
    else refuse();
    return isGood;
  };
  select.addEventListener('change', check);
  return { group: made, names: [name], check, refuse, focus: () => select.focus() };
}
