/** What a message is for: a service of the terminal, one of its devices, or a notification without an answer. */
export type MessageClass = 'Service' | 'Device' | 'Event';

interface CategorySpec {
  readonly messageClass: MessageClass;
  /** Name of the object that follows the request's header. */
  readonly request: string;
  /** Name of the object that the response carries; absent: there is none. */
  readonly response?: string;
}

const service = (name: string): CategorySpec => ({
  messageClass: 'Service',
  request: `${name}Request`,
  response: `${name}Response`,
});
const device = (name: string): CategorySpec => ({ ...service(name), messageClass: 'Device' });

/** The messages of nexo Retailer 3.0, by their category. */
export const CATEGORIES = {
  Abort: { messageClass: 'Service', request: 'AbortRequest' },
  Admin: service('Admin'),
  BalanceInquiry: service('BalanceInquiry'),
  Batch: service('Batch'),
  CardAcquisition: service('CardAcquisition'),
  CardReaderAPDU: device('CardReaderAPDU'),
  CardReaderInit: device('CardReaderInit'),
  CardReaderPowerOff: device('CardReaderPowerOff'),
  Diagnosis: service('Diagnosis'),
  Display: device('Display'),
  EnableService: service('EnableService'),
  Event: { messageClass: 'Event', request: 'EventNotification' },
  GetTotals: service('GetTotals'),
  Input: device('Input'),
  InputUpdate: { messageClass: 'Device', request: 'InputUpdate' },
  Login: service('Login'),
  Logout: service('Logout'),
  Loyalty: service('Loyalty'),
  PIN: device('PIN'),
  Payment: service('Payment'),
  Print: device('Print'),
  Reconciliation: service('Reconciliation'),
  Reversal: service('Reversal'),
  Sound: device('Sound'),
  StoredValue: service('StoredValue'),
  TransactionStatus: service('TransactionStatus'),
  Transmit: device('Transmit'),
} as const satisfies Readonly<Record<string, CategorySpec>>;

/** Name of a category. */
export type MessageCategory = keyof typeof CATEGORIES;

/** What is known of a category. */
export function categorySpec(category: MessageCategory): CategorySpec {
  return CATEGORIES[category];
}
