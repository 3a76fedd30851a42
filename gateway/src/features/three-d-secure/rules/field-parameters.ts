/** Parameters of the API that fields of an AReq come out of (`areq.ts`), by the name of the field. */
const PARAMETERS: Readonly<Record<string, string>> = {
  acctNumber: 'card.number',
  cardExpiryDate: 'card.expiryYear',
  cardholderName: 'card.holder',
  email: 'customer.email',
  browserAcceptHeader: 'customer.browser.acceptHeader',
  browserIP: 'customer.ip',
  browserJavaEnabled: 'customer.browser.javaEnabled',
  browserLanguage: 'customer.browser.language',
  browserColorDepth: 'customer.browser.screenColorDepth',
  browserScreenHeight: 'customer.browser.screenHeight',
  browserScreenWidth: 'customer.browser.screenWidth',
  browserTZ: 'customer.browser.timezone',
  browserUserAgent: 'customer.browser.userAgent',
  threeDSRequestorChallengeInd: 'threeDSecure.challengeIndicator',
  threeDSRequestorAuthenticationInd: 'threeDSecure.authenticationInd',
  threeDSRequestorURL: 'merchant.url',
  threeRIInd: 'threeDSecure.threeRIInd',
  mcc: 'merchant.mcc',
  merchantName: 'merchant.name',
  merchantCountryCode: 'threeDSecure.merchant.country',
  purchaseAmount: 'amount',
  purchaseCurrency: 'currency',
  purchaseInstalData: 'standingInstruction.numberOfInstallments',
  recurringExpiry: 'standingInstruction.expiry',
  recurringFrequency: 'standingInstruction.frequency',
};

/** Groups of fields with a parameter of the same end each. */
const ADDRESSES: Readonly<Record<string, string>> = { billAddr: 'billing', shipAddr: 'shipping' };
const ADDRESS_PARTS: Readonly<Record<string, string>> = {
  Line1: 'street1',
  Line2: 'street2',
  City: 'city',
  PostCode: 'postcode',
  State: 'state',
  Country: 'country',
};

/** Error codes whose detail names fields (EMV 3DS, table A.4): one is missing, or has a wrong form. */
const FAULTS: Readonly<Record<string, string>> = {
  '201': 'must be sent for 3D Secure',
  '203': 'has a form that 3D Secure refuses',
};

/**
 * Names the parameters of a merchant that make a message of 3D Secure wrong, without their values; undefined where the error names
 * no field. Pure.
 * @param detail the names of fields, parted by commas
 */
export function refusedFieldsText(
  errorCode: string | undefined,
  detail: string | undefined,
): string | undefined {
  const fault = FAULTS[errorCode ?? ''];
  const names = (detail ?? '').split(/[,;\s]+/).filter((name) => /^[A-Za-z][A-Za-z0-9.]{0,79}$/.test(name));
  if (fault === undefined || names.length === 0) return undefined;
  return names.map((name) => `${parameterOf(name)}: ${fault} (field ${name})`).join('; ');
}

function parameterOf(field: string): string {
  const [, group = '', part = ''] = /^(billAddr|shipAddr)(\w+)$/.exec(field) ?? [];
  const ofAddress = ADDRESS_PARTS[part];
  if (ofAddress !== undefined) return `${ADDRESSES[group]}.${ofAddress}`;
  if (field.startsWith('sdk')) return 'threeDSecure.deviceInfo';
  return PARAMETERS[field] ?? 'threeDSecure';
}
