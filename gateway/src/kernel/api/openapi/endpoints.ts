import { AGENT_COMMAND_PARAMETERS, AGENT_PARAMETERS } from '../catalogue/administration/agent-commands.js';
import {
  ALERT_ACKNOWLEDGEMENT_PARAMETERS,
  ALERT_LIST_PARAMETERS,
} from '../catalogue/administration/alerts.js';
import {
  DEVICE_ASSIGNMENT_PARAMETERS,
  DEVICE_LIST_PARAMETERS,
  DEVICE_PARAMETERS,
  DEVICE_SUSPENSION_PARAMETERS,
  DEVICE_SWAP_PARAMETERS,
} from '../catalogue/administration/devices.js';
import { INBOX_LIST_PARAMETERS, INBOX_RESOLUTION_PARAMETERS } from '../catalogue/administration/inbox.js';
import { REQUEST_LOG_PARAMETERS } from '../catalogue/administration/request-log.js';
import { REVIEW_DECISION_PARAMETERS, REVIEW_LIST_PARAMETERS } from '../catalogue/administration/reviews.js';
import { STAND_IN_LIST_PARAMETERS } from '../catalogue/administration/stand-ins.js';
import { USER_PARAMETERS } from '../catalogue/administration/users.js';
import { WEBHOOK_PARAMETERS } from '../catalogue/administration/webhooks.js';
import { GIFT_CARD_BALANCE_PARAMETERS } from '../catalogue/gift-card-balance.js';
import { SCHEDULE_PARAMETERS } from '../catalogue/job.js';
import { PAY_BY_LINK_PARAMETERS, PAY_BY_LINK_SMS_PARAMETERS } from '../catalogue/links/pay-by-link.js';
import {
  PAYMENT_EXPORT_PARAMETERS,
  PAYMENT_LIST_PARAMETERS,
  PAYMENT_TOTALS_PARAMETERS,
} from '../catalogue/payment-search.js';
import { QUERY_PAGE_PARAMETERS } from '../catalogue/query.js';
import { REGISTRATION_CHANGE_PARAMETERS } from '../catalogue/registrations/change.js';
import {
  RECONCILIATION_FILE_PARAMETERS,
  RECONCILIATION_LIST_PARAMETERS,
  REPORT_DETAIL_PARAMETERS,
  REPORT_LIST_PARAMETERS,
  REPORT_PAGE_PARAMETERS,
} from '../catalogue/reporting.js';
import { RESULT_CALL_PARAMETERS } from '../catalogue/result-call.js';
import { RISK_CHECK_PARAMETERS } from '../catalogue/risk-check.js';
import type { Operation, Parameter } from '../catalogue/rows/parameter.js';
import { SIMULATED_CHARGEBACK_PARAMETERS } from '../catalogue/simulated-chargebacks.js';
import { SIMULATED_RECEIPT_PARAMETERS } from '../catalogue/simulated-receipts.js';
import type { TokenRight } from '../token-rights.js';
import type { answerSchemas } from './answer-schemas.js';

/** An endpoint as the document shows it. */
export interface Endpoint extends EndpointRow {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
}

/** Endpoints by method and path. */
type EndpointTable = Readonly<Record<string, EndpointRow>>;

interface EndpointRow {
  /** Rows of the catalogue that it takes; absent where it takes the entity alone, or nothing. */
  readonly operation?: Operation;
  /** The rows of an addition; with an operation those that it takes in addition. */
  readonly rows?: readonly Parameter[];
  readonly summary: string;
  /** Schema of the answer. */
  readonly answer: keyof ReturnType<typeof answerSchemas>;
  /**
   * What authorizes a call: a token, or a user's role, with one of the rights, depending on the parameters; the session of any user; the id of a
   * checkout; or nothing.
   */
  readonly access: readonly [TokenRight, ...TokenRight[]] | 'session' | 'checkout-id' | 'none';
  /** Takes an Idempotency-Key, an addition of ours. */
  readonly idempotent?: true;
  /** Not in the specification: ours. */
  readonly addition?: true;
}

/** Paths of schedules: the family's, and a shorter one (docs/schedules.md). */
export const SCHEDULE_PATHS = ['/scheduling/v1/schedules', '/v1/schedules'] as const;

/** Endpoints of schedules under a path. */
function scheduleEndpoints(path: string): EndpointTable {
  const change = { answer: 'Schedule', access: ['pay', 'credit'] } as const;
  return {
    [`POST ${path}`]: {
      operation: 'schedule',
      rows: SCHEDULE_PARAMETERS.creation,
      summary: 'Schedules payments with stored details.',
      ...change,
    },
    [`GET ${path}/{id}`]: {
      rows: SCHEDULE_PARAMETERS.one,
      summary: 'Shows a schedule by its id, or those of a registration.',
      answer: 'Schedule',
      access: ['read'],
    },
    [`POST ${path}/{id}/reschedule`]: {
      rows: SCHEDULE_PARAMETERS.change,
      summary: 'Gives a schedule another job.',
      ...change,
    },
    [`POST ${path}/{id}/deschedule`]: {
      rows: SCHEDULE_PARAMETERS.end,
      summary: 'Ends a schedule, at once or when its notice is over.',
      ...change,
    },
    [`DELETE ${path}/{id}`]: {
      rows: SCHEDULE_PARAMETERS.one,
      summary: 'Ends a schedule, at once or when its notice is over.',
      ...change,
    },
  };
}

/** What a merchant sets up and looks after is ours. */
const ADMINISTRATION = { access: ['administration'], addition: true } as const;

/** Users of the console, their sessions, and the record of what was done. */
const USERS = { access: ['users'], addition: true } as const;
const USER_ENDPOINTS: EndpointTable = {
  'POST /v1/sessions': {
    rows: USER_PARAMETERS.signIn,
    summary: 'Signs a user in: the session is in a cookie that no script reads.',
    answer: 'Session',
    access: 'none',
    addition: true,
  },
  'GET /v1/sessions/current': {
    rows: [],
    summary: 'Shows who is signed in, for which merchants and channels, and with which rights.',
    answer: 'Session',
    access: 'session',
    addition: true,
  },
  'POST /v1/sessions/current/removal': {
    rows: [],
    summary: 'Signs the user out of this browser.',
    answer: 'Envelope',
    access: 'session',
    addition: true,
  },
  'POST /v1/sessions/removal': {
    rows: [],
    summary: 'Signs the user out of every browser.',
    answer: 'Envelope',
    access: 'session',
    addition: true,
  },
  'POST /v1/invitations': {
    rows: USER_PARAMETERS.invitation,
    summary: 'Opens an invitation: gives the secret of the one-time codes, as a text and as a QR code.',
    answer: 'Invitation',
    access: 'none',
    addition: true,
  },
  'POST /v1/invitations/acceptance': {
    rows: USER_PARAMETERS.acceptance,
    summary: 'Accepts an invitation with a password and the first code, and signs the user in.',
    answer: 'Session',
    access: 'none',
    addition: true,
  },
  'GET /v1/users': {
    rows: USER_PARAMETERS.list,
    summary: 'Lists the users with a role for an entity.',
    answer: 'Users',
    ...USERS,
  },
  'POST /v1/users': {
    rows: USER_PARAMETERS.creation,
    summary: 'Invites a person to a role; shows the link this once.',
    answer: 'InvitedUser',
    ...USERS,
  },
  'POST /v1/users/{id}/role': {
    rows: USER_PARAMETERS.role,
    summary: 'Sets the role of a user for an entity, or takes it.',
    answer: 'User',
    ...USERS,
  },
  'POST /v1/users/{id}/reset': {
    rows: USER_PARAMETERS.one,
    summary: 'Takes password and codes of a user, and invites anew; shows the link this once.',
    answer: 'InvitedUser',
    ...USERS,
  },
  'POST /v1/users/{id}/removal': {
    rows: USER_PARAMETERS.one,
    summary: 'Removes a user: signed out at once, everywhere.',
    answer: 'Envelope',
    ...USERS,
  },
  'GET /v1/audit': {
    rows: USER_PARAMETERS.audit,
    summary: 'Lists what was done about an entity, and by whom, the newest first.',
    answer: 'Audit',
    ...USERS,
  },
};

const TABLE: EndpointTable = {
  'POST /v1/payments': {
    operation: 'payment',
    summary: 'Pays: authorizes, debits or credits.',
    answer: 'Payment',
    access: ['pay', 'credit'],
    idempotent: true,
  },
  'POST /v1/payments/{id}': {
    operation: 'follow-up',
    summary: 'Captures, refunds, reverses or otherwise follows an earlier payment.',
    answer: 'Payment',
    access: ['pay', 'refund', 'credit'],
    idempotent: true,
  },
  'GET /v1/payments/{id}': {
    summary: 'Returns the state of a payment.',
    answer: 'Payment',
    access: ['read'],
  },
  'GET /v1/payments/{id}/timeline': {
    summary: 'Shows what happened to a payment: its money, what can follow, and every cause in its order.',
    answer: 'Timeline',
    access: ['read'],
    addition: true,
  },
  'GET /v1/payments': {
    rows: PAYMENT_LIST_PARAMETERS,
    summary:
      'Finds payments by any id, amount, card, terminal, store, e-mail address, outcome or time, the newest first.',
    answer: 'FoundPayments',
    access: ['read'],
    addition: true,
  },
  'GET /v1/payments/export': {
    rows: PAYMENT_EXPORT_PARAMETERS,
    summary: 'Gives the payments that are found as a CSV file.',
    answer: 'PaymentFile',
    access: ['read'],
    addition: true,
  },
  'GET /v1/payments/totals': {
    rows: PAYMENT_TOTALS_PARAMETERS,
    summary:
      'Adds up payments: count, approval rate and volume by time, brand, response code and reason of declines.',
    answer: 'PaymentTotals',
    access: ['read'],
    addition: true,
  },
  'GET /v1/query/{id}': {
    summary: 'Returns the state of a payment, in the older form.',
    answer: 'Payment',
    access: ['read'],
  },
  'GET /v1/query': {
    operation: 'query',
    rows: QUERY_PAGE_PARAMETERS,
    summary: 'Finds payments by the merchant’s reference or by time, in the older form.',
    answer: 'Payments',
    access: ['read'],
  },
  'GET /v3/query/{id}': {
    operation: 'query',
    summary: 'Gives a payment, with those that are linked with it.',
    answer: 'Payments',
    access: ['read'],
  },
  'GET /v3/query': {
    operation: 'query',
    rows: QUERY_PAGE_PARAMETERS,
    summary: 'Finds payments by the merchant’s reference or by time.',
    answer: 'Payments',
    access: ['read'],
  },
  'POST /v1/threeDSecure': {
    operation: 'three-d-secure',
    summary: 'Authenticates a cardholder without a payment.',
    answer: 'Payment',
    access: ['pay'],
  },
  'GET /v1/threeDSecure/{id}': {
    summary: 'Returns the state of an authentication on its own.',
    answer: 'Payment',
    access: ['read'],
  },
  'GET /v1/resultcodes': {
    summary: 'Lists every result code with its text.',
    answer: 'ResultCodes',
    access: 'none',
  },
  'POST /v1/registrations': {
    operation: 'registration',
    summary: 'Stores payment details.',
    answer: 'Registration',
    access: ['pay'],
    idempotent: true,
  },
  'POST /v1/registrations/{id}/payments': {
    operation: 'registration-payment',
    summary: 'Pays with stored details.',
    answer: 'Payment',
    access: ['pay', 'credit'],
    idempotent: true,
  },
  'GET /v1/registrations/{id}': {
    summary: 'Shows stored payment details, as far as they may be shown.',
    answer: 'Registration',
    access: ['read'],
  },
  'POST /v1/registrations/{id}': {
    rows: REGISTRATION_CHANGE_PARAMETERS,
    summary: 'Changes the expiry date or the holder of a stored card.',
    answer: 'Registration',
    access: ['pay'],
  },
  'DELETE /v1/registrations/{id}': {
    summary: 'Removes stored payment details.',
    answer: 'Registration',
    access: ['pay'],
  },
  'POST /v1/checkouts': {
    operation: 'checkout-create',
    summary: 'Creates a checkout for the payment form.',
    answer: 'Checkout',
    access: ['pay'],
    idempotent: true,
  },
  'POST /v1/checkouts/{id}': {
    operation: 'checkout-update',
    summary: 'Changes an open checkout.',
    answer: 'Checkout',
    access: ['pay'],
  },
  'DELETE /v1/checkouts/{id}': {
    summary: 'Removes a checkout.',
    answer: 'Envelope',
    access: ['pay'],
  },
  'GET /v1/paymentWidgets.js': {
    rows: [],
    summary: 'Gives the script of the payment form.',
    answer: 'Script',
    access: 'none',
  },
  'GET /v1/checkouts/{id}/widget': {
    rows: [],
    summary: 'Returns to the payment form what a checkout lets it show.',
    answer: 'CheckoutForm',
    access: 'checkout-id',
    addition: true,
  },
  'POST /v1/checkouts/{id}/payment': {
    operation: 'checkout-payment',
    summary: 'Pays a checkout from the shopper’s browser.',
    answer: 'Payment',
    access: 'checkout-id',
  },
  'GET /v1/checkouts/{id}/payment': {
    summary: 'Returns the state of a checkout’s payment.',
    answer: 'Payment',
    access: ['read'],
  },
  'POST /v1/checkouts/{id}/registration': {
    operation: 'checkout-registration',
    summary: 'Stores payment details from the shopper’s browser.',
    answer: 'Registration',
    access: 'checkout-id',
  },
  'GET /v1/checkouts/{id}/registration': {
    summary: 'Returns the state of a checkout’s registration.',
    answer: 'Registration',
    access: ['read'],
  },
  ...scheduleEndpoints(SCHEDULE_PATHS[0]),
  ...scheduleEndpoints(SCHEDULE_PATHS[1]),
  'POST /v1/schedules/{id}/run': {
    rows: SCHEDULE_PARAMETERS.one,
    summary: 'Makes the next run of a schedule now; in test mode.',
    answer: 'Schedule',
    ...ADMINISTRATION,
  },
  'GET /reports/v1/reconciliations/aggregations': {
    operation: 'report',
    rows: REPORT_LIST_PARAMETERS,
    summary: 'Lists the settlements of a time frame, the newest first.',
    answer: 'Aggregations',
    access: ['reports'],
  },
  'GET /reports/v1/reconciliations/aggregations/{id}': {
    rows: REPORT_DETAIL_PARAMETERS,
    summary: 'Gives all records of a settlement of moderate size.',
    answer: 'SettlementRecords',
    access: ['reports'],
  },
  'GET /reports/v2/reconciliations/aggregations/{id}': {
    rows: REPORT_PAGE_PARAMETERS,
    summary: 'Gives the records of a settlement, 100 a page.',
    answer: 'SettlementRecords',
    access: ['reports'],
  },
  'GET /v1/reconciliation': {
    rows: RECONCILIATION_LIST_PARAMETERS,
    summary: 'Lists the reconciliation files of a merchant, the newest first.',
    answer: 'ReconciliationFiles',
    access: ['reports'],
    addition: true,
  },
  'GET /v1/reconciliation/{name}': {
    rows: RECONCILIATION_FILE_PARAMETERS,
    summary: 'Gives a reconciliation file.',
    answer: 'ReconciliationFile',
    access: ['reports'],
    addition: true,
  },
  'POST /v1/simulator/settlements': {
    rows: [],
    summary:
      'Settles what has happened until now, of the merchant, with the right operator of all; in test mode.',
    answer: 'Aggregations',
    access: ['simulator'],
    addition: true,
  },
  'POST /paybylink/v1': {
    operation: 'checkout-create',
    rows: PAY_BY_LINK_PARAMETERS,
    summary: 'Makes a link by which a shopper pays.',
    answer: 'PaymentLink',
    access: ['pay'],
    idempotent: true,
    addition: true,
  },
  'GET /paybylink/v1/{id}': {
    summary: 'Returns the state of a payment link.',
    answer: 'PaymentLink',
    access: ['read'],
    addition: true,
  },
  'DELETE /paybylink/v1/{id}': {
    summary: 'Ends a payment link.',
    answer: 'Envelope',
    access: ['pay'],
    addition: true,
  },
  'POST /paybylink/v1/{id}/sms': {
    rows: PAY_BY_LINK_SMS_PARAMETERS,
    summary: 'Refused: the gateway sends no text messages.',
    answer: 'Envelope',
    access: ['pay'],
    addition: true,
  },
  'GET /paybylink/v1/{id}/checkouts/{checkoutId}/payment': {
    summary: 'Returns the state of the payment of a link’s checkout.',
    answer: 'Payment',
    access: ['read'],
    addition: true,
  },
  'GET /v1/inbox': {
    rows: INBOX_LIST_PARAMETERS,
    summary:
      'Lists what needs a person, with the one action on each: the critical first, of these the oldest.',
    answer: 'Inbox',
    ...ADMINISTRATION,
  },
  'POST /v1/inbox/{kind}/{id}/resolution': {
    rows: INBOX_RESOLUTION_PARAMETERS,
    summary: 'Carries out the one action on a thing that needs a person.',
    answer: 'InboxResolution',
    ...ADMINISTRATION,
  },
  'GET /v1/requests': {
    rows: REQUEST_LOG_PARAMETERS,
    summary: 'Lists the requests of the entity as they were sent, masked, the newest first.',
    answer: 'Requests',
    ...ADMINISTRATION,
  },
  'GET /v1/alerts': {
    rows: ALERT_LIST_PARAMETERS,
    summary: 'Lists the alerts about the entity’s stores, in the order of their ids.',
    answer: 'Alerts',
    ...ADMINISTRATION,
  },
  'POST /v1/alerts/{id}/acknowledgement': {
    rows: ALERT_ACKNOWLEDGEMENT_PARAMETERS,
    summary: 'Records that a person deals with an alert.',
    answer: 'Alert',
    ...ADMINISTRATION,
  },
  'POST /v1/risk': {
    rows: RISK_CHECK_PARAMETERS,
    summary: 'Checks the risk of a payment that is not made.',
    answer: 'Payment',
    access: ['pay', 'refund', 'credit'],
    addition: true,
  },
  'POST /v1/giftCards/balance': {
    rows: GIFT_CARD_BALANCE_PARAMETERS,
    summary: 'Returns what is left on a gift card.',
    answer: 'Payment',
    access: ['pay', 'refund', 'credit'],
    addition: true,
  },
  'GET /v1/reviews': {
    rows: REVIEW_LIST_PARAMETERS,
    summary: 'Lists the payments that a person has to look at, those that end first at the front.',
    answer: 'Reviews',
    ...ADMINISTRATION,
  },
  'POST /v1/reviews/{id}/release': {
    rows: REVIEW_DECISION_PARAMETERS,
    summary: 'Lets a payment go on that waits for a person, or an approval stand that requires one.',
    answer: 'Review',
    ...ADMINISTRATION,
  },
  'POST /v1/reviews/{id}/refusal': {
    rows: REVIEW_DECISION_PARAMETERS,
    summary: 'Refuses a payment that waits for a person, or gives an approval back that requires one.',
    answer: 'Review',
    ...ADMINISTRATION,
  },
  'GET /v1/standIns': {
    rows: STAND_IN_LIST_PARAMETERS,
    summary:
      'Lists the payments that the gateway approved while no host could be reached, in the order of their ids.',
    answer: 'StandIns',
    ...ADMINISTRATION,
  },
  'POST /v1/payments/{id}/resultCall': {
    rows: RESULT_CALL_PARAMETERS,
    summary: 'Calls the shop of a checkout with its result at once; in test mode.',
    answer: 'ResultCall',
    ...ADMINISTRATION,
  },
  'POST /v1/payments/{id}/receipt': {
    rows: SIMULATED_RECEIPT_PARAMETERS,
    summary: 'Lets the transfer come in that a payment waits for; in test mode.',
    answer: 'Payment',
    ...ADMINISTRATION,
  },
  'POST /v1/payments/{id}/chargeback': {
    rows: SIMULATED_CHARGEBACK_PARAMETERS,
    summary: 'Lets the simulated issuer charge a payment back; in test mode.',
    answer: 'Payment',
    ...ADMINISTRATION,
  },
  'POST /v1/payments/{id}/chargebackReversal': {
    rows: SIMULATED_CHARGEBACK_PARAMETERS,
    summary: 'Lets the simulated issuer give back what a chargeback took; in test mode.',
    answer: 'Payment',
    ...ADMINISTRATION,
  },
  'GET /v1/simulator/transactions': {
    rows: [],
    summary:
      'Lists the acquirer simulator’s own record, of the merchant, with the right operator of all; in test mode.',
    answer: 'Transactions',
    access: ['simulator'],
    addition: true,
  },
  'POST /v1/agents/{id}/commands': {
    rows: AGENT_COMMAND_PARAMETERS,
    summary:
      'Sends a command to an agent: ping, flush its queue, report the status of the store, or cancel a running sale.',
    answer: 'AgentCommand',
    ...ADMINISTRATION,
  },
  'GET /v1/agents/{id}/commands/{commandId}': {
    rows: AGENT_PARAMETERS,
    summary: 'Shows a command to an agent, and what the agent answered.',
    answer: 'AgentCommand',
    ...ADMINISTRATION,
  },
  'GET /v1/devices': {
    rows: DEVICE_LIST_PARAMETERS,
    summary: 'Lists the devices of an entity, in the order of their serials.',
    answer: 'Devices',
    ...ADMINISTRATION,
  },
  'GET /v1/devices/{id}': {
    rows: DEVICE_PARAMETERS,
    summary: 'Shows a device by its serial, with its failures.',
    answer: 'Device',
    ...ADMINISTRATION,
  },
  'POST /v1/devices/{id}/assignment': {
    rows: DEVICE_ASSIGNMENT_PARAMETERS,
    summary: 'Puts a device to use, or moves it.',
    answer: 'Device',
    ...ADMINISTRATION,
  },
  'POST /v1/devices/{id}/suspension': {
    rows: DEVICE_SUSPENSION_PARAMETERS,
    summary: 'Takes nothing from a device any more.',
    answer: 'Device',
    ...ADMINISTRATION,
  },
  'POST /v1/devices/{id}/resumption': {
    rows: DEVICE_PARAMETERS,
    summary: 'Uses a suspended device again.',
    answer: 'Device',
    ...ADMINISTRATION,
  },
  'POST /v1/devices/{id}/swap': {
    rows: DEVICE_SWAP_PARAMETERS,
    summary: 'Lets a device in stock take the place of another one.',
    answer: 'Device',
    ...ADMINISTRATION,
  },
  'POST /v1/devices/{id}/decommission': {
    rows: DEVICE_PARAMETERS,
    summary: 'Takes a device out of use for ever.',
    answer: 'Device',
    ...ADMINISTRATION,
  },
  'GET /v1/webhooks': {
    rows: WEBHOOK_PARAMETERS.endpoint,
    summary: 'Lists the webhook endpoints of an entity.',
    answer: 'Webhooks',
    ...ADMINISTRATION,
  },
  'POST /v1/webhooks': {
    rows: WEBHOOK_PARAMETERS.creation,
    summary: 'Makes a webhook endpoint; shows its key this once.',
    answer: 'KeyedWebhook',
    ...ADMINISTRATION,
  },
  'GET /v1/webhooks/{id}': {
    rows: WEBHOOK_PARAMETERS.endpoint,
    summary: 'Shows a webhook endpoint.',
    answer: 'Webhook',
    ...ADMINISTRATION,
  },
  'GET /v1/webhooks/{id}/deliveries': {
    rows: WEBHOOK_PARAMETERS.log,
    summary: 'Lists deliveries of an endpoint with their tries, in the order of their numbers.',
    answer: 'Deliveries',
    ...ADMINISTRATION,
  },
  'GET /v1/webhooks/{id}/pending': {
    rows: WEBHOOK_PARAMETERS.pending,
    summary: 'Gives the deliveries that wait for an endpoint without a URL, enciphered.',
    answer: 'PendingDeliveries',
    ...ADMINISTRATION,
  },
  'POST /v1/webhooks/{id}/acknowledgement': {
    rows: WEBHOOK_PARAMETERS.delivery,
    summary: 'Records that a delivery was taken that was fetched.',
    answer: 'Envelope',
    ...ADMINISTRATION,
  },
  'POST /v1/webhooks/{id}/test': {
    rows: WEBHOOK_PARAMETERS.endpoint,
    summary: 'Sends a test delivery; one that is taken makes the endpoint active.',
    answer: 'Webhook',
    ...ADMINISTRATION,
  },
  'POST /v1/webhooks/{id}/pause': {
    rows: WEBHOOK_PARAMETERS.pause,
    summary: 'Lets the deliveries of an endpoint wait.',
    answer: 'Webhook',
    ...ADMINISTRATION,
  },
  'POST /v1/webhooks/{id}/resumption': {
    rows: WEBHOOK_PARAMETERS.endpoint,
    summary: 'Delivers what waited for an endpoint.',
    answer: 'Webhook',
    ...ADMINISTRATION,
  },
  'POST /v1/webhooks/{id}/rotation': {
    rows: WEBHOOK_PARAMETERS.rotation,
    summary: 'Makes a new key of an endpoint; the former one is used until the overlap is over.',
    answer: 'KeyedWebhook',
    ...ADMINISTRATION,
  },
  'POST /v1/webhooks/{id}/resend': {
    rows: WEBHOOK_PARAMETERS.resend,
    summary: 'Delivers again under the same numbers: one delivery, or those of events of a time.',
    answer: 'Resent',
    ...ADMINISTRATION,
  },
  'POST /v1/webhooks/{id}/removal': {
    rows: WEBHOOK_PARAMETERS.endpoint,
    summary: 'Delivers nothing to an endpoint any more.',
    answer: 'Envelope',
    ...ADMINISTRATION,
  },
  ...USER_ENDPOINTS,
};

/** Endpoints of the specification, and the additions (docs/rest-api.md). */
export const ENDPOINTS: readonly Endpoint[] = Object.entries(TABLE).map(([name, row]) => {
  const [method = '', path = ''] = name.split(' ');
  return { method: method.toLowerCase() as Endpoint['method'], path, ...row };
});

/** Rights of which a call needs one; none where it needs no token. */
export function tokenRights({ access }: Pick<Endpoint, 'access'>): readonly TokenRight[] {
  return typeof access === 'string' ? [] : access;
}
