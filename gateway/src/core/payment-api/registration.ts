import { present } from '@tillbridge/wire/present.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { Form } from '../../kernel/http/request/form.js';
import type { RegistrationUse } from '../payments/rules/requests.js';
import type { DirectDebit } from './mandate.js';

/** The registration that parameters name; undefined where they bring their own details. */
export function registrationIdOf(values: ReadonlyMap<string, string>): string | undefined {
  return values.get('registration.id');
}

/** The stored payment details of valid parameters; undefined when none are named. */
export function registrationOf(
  values: ParameterValues,
  debit: () => DirectDebit,
): RegistrationUse | undefined {
  const id = registrationIdOf(values);
  if (id === undefined) return undefined;
  const holder = values.get('card.holder') ?? values.get('bankAccount.holder');
  const overrides = values.get('overrideHolder') === 'true';
  return {
    id,
    ...present({ cvv: values.get('card.cvv'), holder: overrides ? holder : undefined }),
    debit: debit(),
  };
}

/** The form of a payment with the registration of the path. */
export function withRegistration(form: Form, registrationId: string | undefined): Form {
  if (registrationId === undefined) return form;
  return { ...form, parameters: [...form.parameters, ['registration.id', registrationId]] };
}
