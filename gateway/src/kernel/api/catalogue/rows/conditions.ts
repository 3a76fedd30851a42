/** What makes a conditional parameter required (the C of the specification's tables), in the specification's terms. */
export const CONDITIONS = {
  'not-stated': 'The specification states no condition.',
  'known-entity': 'Every call that carries a token names its entity.',
  'no-brand-detection': 'Required unless the brand is detected from the card.',
  receiver: 'Some receivers require it.',
  conversion: 'Sent when a currency is converted during the transaction.',
  'number-or-iban': 'Either bankAccount.number or bankAccount.iban is required.',
  'bank-code-or-bic': 'With an account number either bankAccount.bankCode or bankAccount.bic is required.',
  'direct-debit': 'Belongs to a direct debit.',
  'any-customer': 'Required when any other customer parameter is sent.',
  'document-id': 'Requires customer.identificationDocId.',
  'document-type': 'Requires customer.identificationDocType.',
  'three-d-secure-2': 'Mandatory when 3D Secure v2 is processed.',
  'street-not-digits': 'street1 plus street2 must not be digits only.',
  asynchronous: 'Receives the shopper after an asynchronous payment.',
  'installment-three-d-secure': 'Mandatory when 3D Secure is processed on a transaction of type INSTALLMENT.',
  'app-based-three-d-secure': 'Required when the app-based 3D Secure v2 flow is started.',
  'external-three-d-secure': 'Sent when an external 3D Secure server was used.',
  'domestic-french-scheme':
    'Required for the domestic french scheme with message category PA, or NPA with indicator 02 or 03.',
  'from-widget': 'Names sent by the widget begin with SHOPPER_.',
  'recurring-migration': 'Details of the INITIAL transaction.',
} as const satisfies Readonly<Record<string, string>>;

/** Key of a condition. */
export type Condition = keyof typeof CONDITIONS;
