import { AIRLINE_LEG_PARAMETERS, AIRLINE_PARAMETERS, AIRLINE_PASSENGER_PARAMETERS } from './airline.js';
import { AUTHENTICATION_HEADERS, AUTHENTICATION_PARAMETERS } from './authentication.js';
import { BASIC_PAYMENT_PARAMETERS, FOREX_PARAMETERS } from './basic.js';
import { CART_ITEM_PARAMETERS, CART_PAYMENT_PARAMETERS } from './cart.js';
import { CHARGEBACK_PARAMETERS } from './chargeback.js';
import { CUSTOM_PARAMETERS } from './custom.js';
import { JOB_PARAMETERS } from './job.js';
import { BANK_ACCOUNT_PARAMETERS } from './methods/bank-account.js';
import { CARD_PARAMETERS } from './methods/card.js';
import { GIFT_CARD_PARAMETERS } from './methods/gift-card.js';
import { TOKEN_ACCOUNT_PARAMETERS } from './methods/token-account.js';
import { VIRTUAL_ACCOUNT_PARAMETERS } from './methods/virtual-account.js';
import { WALLET_PARAMETERS } from './methods/wallets.js';
import { MIGRATION_PARAMETERS } from './migration.js';
import {
  BILLING_PARAMETERS,
  CORPORATE_PARAMETERS,
  CUSTOMER_PARAMETERS,
  MARKETPLACE_PARAMETERS,
  MERCHANT_BILLING_PARAMETERS,
  MERCHANT_PARAMETERS,
  MERCHANT_SHIPPING_PARAMETERS,
  RECIPIENT_PARAMETERS,
  SENDER_PARAMETERS,
  SHIPPING_CUSTOMER_PARAMETERS,
  SHIPPING_PARAMETERS,
} from './parties.js';
import { POS_PARAMETERS } from './pos.js';
import { QUERY_PARAMETERS } from './query.js';
import { REGISTRATION_PARAMETERS } from './registration.js';
import { STORED_PARAMETERS } from './registrations/stored.js';
import { REPORTING_PARAMETERS } from './reporting.js';
import { RISK_PARAMETERS } from './risk.js';
import { type Operation, type Parameter, takes } from './rows/parameter.js';
import { STANDING_INSTRUCTION_PARAMETERS } from './standing-instruction.js';
import {
  THREE_D_SECURE_AUTHENTICATION_PARAMETERS,
  THREE_D_SECURE_EXEMPTION_PARAMETERS,
  THREE_D_SECURE_PROOF_PARAMETERS,
  THREE_D_SECURE_SCHEME_PARAMETERS,
} from './three-d-secure.js';

/** Spec 2.1-2.9: the tables of the request, in the specification's order, by name. */
export const SECTIONS = {
  basic: BASIC_PAYMENT_PARAMETERS,
  forex: FOREX_PARAMETERS,
  authentication: [...AUTHENTICATION_PARAMETERS, ...AUTHENTICATION_HEADERS],
  card: CARD_PARAMETERS,
  wallets: WALLET_PARAMETERS,
  'virtual account': VIRTUAL_ACCOUNT_PARAMETERS,
  'bank account': BANK_ACCOUNT_PARAMETERS,
  'token account': TOKEN_ACCOUNT_PARAMETERS,
  'gift card': GIFT_CARD_PARAMETERS,
  pos: POS_PARAMETERS,
  customer: CUSTOMER_PARAMETERS,
  'shipping.customer': SHIPPING_CUSTOMER_PARAMETERS,
  billing: BILLING_PARAMETERS,
  'merchant.billing': MERCHANT_BILLING_PARAMETERS,
  shipping: SHIPPING_PARAMETERS,
  'merchant.shipping': MERCHANT_SHIPPING_PARAMETERS,
  corporate: CORPORATE_PARAMETERS,
  sender: SENDER_PARAMETERS,
  recipient: RECIPIENT_PARAMETERS,
  merchant: MERCHANT_PARAMETERS,
  'cart items': CART_ITEM_PARAMETERS,
  'cart payments': CART_PAYMENT_PARAMETERS,
  marketplace: MARKETPLACE_PARAMETERS,
  airline: AIRLINE_PARAMETERS,
  'airline passengers': AIRLINE_PASSENGER_PARAMETERS,
  'airline legs': AIRLINE_LEG_PARAMETERS,
  registration: REGISTRATION_PARAMETERS,
  migration: MIGRATION_PARAMETERS,
  'standing instruction': STANDING_INSTRUCTION_PARAMETERS,
  '3DS authentication': THREE_D_SECURE_AUTHENTICATION_PARAMETERS,
  '3DS proof': THREE_D_SECURE_PROOF_PARAMETERS,
  '3DS exemption': THREE_D_SECURE_EXEMPTION_PARAMETERS,
  '3DS scheme data': THREE_D_SECURE_SCHEME_PARAMETERS,
  'custom and asynchronous': CUSTOM_PARAMETERS,
  risk: RISK_PARAMETERS,
  job: JOB_PARAMETERS,
  chargeback: CHARGEBACK_PARAMETERS,
  reporting: REPORTING_PARAMETERS,
  query: QUERY_PARAMETERS,
} as const;

/** Name of a table. */
export type SectionName = keyof typeof SECTIONS;
/** Name pattern of a row, out of all tables and of the reference. */
export type ParameterName =
  | (typeof SECTIONS)[SectionName][number]['name']
  | (typeof STORED_PARAMETERS)[number]['name'];

/** A name pattern with indices and keys filled in. */
export type ConcreteName<Pattern extends string> = Pattern extends `${infer Before}[n]${infer After}`
  ? `${Before}[${number}]${ConcreteName<After>}`
  : Pattern extends `${infer Before}[key]${infer After}`
    ? `${Before}[${string}]${ConcreteName<After>}`
    : Pattern extends `${infer Before}<scheme>${infer After}`
      ? `${Before}${string}${After}`
      : Pattern;

/** Name of a parameter as a request carries it. */
type RequestName = ConcreteName<ParameterName>;

/** Parameters of a request, as a caller that builds one sees them. */
export type RequestParameters = { readonly [Name in RequestName]?: string };

/** Values by name, as a caller that reads a request sees them: the compiler knows a name that is not in the catalogue. */
export interface ParameterValues extends ReadonlyMap<string, string> {
  get<const Name extends string>(name: KnownName<Name>): string | undefined;
  has<const Name extends string>(name: KnownName<Name>): boolean;
}

/** A name that is written out must be one of the catalogue; one that is put together is taken as it is. */
type KnownName<Name extends string> = Name & (Name extends RequestName ? Name : Computed<Name>);
type Computed<Name extends string> = Record<never, never> extends Record<Name, 1> ? Name : never;

/** Every row of every table. */
export const ALL_PARAMETERS: readonly Parameter[] = Object.values(SECTIONS).flat();

/** The rows that an operation takes, of the specification and of the reference. */
export function parametersOf(operation: Operation): readonly Parameter[] {
  return [...ALL_PARAMETERS, ...STORED_PARAMETERS].filter((row) => takes(operation, row));
}
