import { checkoutFormSchema, REGISTRATION_PROPERTIES } from './checkout-schema.js';
import { INBOX_ITEM_SCHEMA, INBOX_RESOLUTION_PROPERTIES } from './inbox-schema.js';
import type { Json, JsonObject } from './json.js';
import { PAYMENT_TOTALS_PROPERTIES } from './payment-totals-schema.js';
import { AGGREGATION_SCHEMA, RECONCILIATION_FILE_SCHEMA, SETTLEMENT_RECORD_SCHEMA } from './report-schema.js';
import { REQUEST_SCHEMA } from './request-log-schema.js';
import {
  ALERT_SCHEMA,
  COMMAND_SCHEMA,
  DEVICE_SCHEMA,
  envelopeSchema,
  PARAMETER_ERRORS_SCHEMA,
  paymentAnswerSchema,
  REVIEW_SCHEMA,
  STAND_IN_SCHEMA,
  TRANSACTION_SCHEMA,
} from './response-schema.js';
import { SCHEDULE_PROPERTIES } from './schedule-schema.js';
import { COUNT, listOf, objectOf, PAGE, reference, TEXT, texts } from './schema-parts.js';
import { TIMELINE_PROPERTIES } from './timeline-schema.js';
import {
  AUDIT_RECORD_SCHEMA,
  INVITATION_PROPERTIES,
  SESSION_PROPERTIES,
  USER_SCHEMA,
} from './user-schema.js';
import {
  CALL_PROPERTIES,
  deliveriesSchema,
  pendingDeliveriesSchema,
  TRY_PROPERTIES,
  WEBHOOK_SCHEMA,
} from './webhook-schema.js';

/** Schemas of answers, by the name that the document gives them. */
export function answerSchemas() {
  return {
    Envelope: envelopeSchema(),
    Registration: enveloped(REGISTRATION_PROPERTIES),
    Checkout: enveloped({ id: TEXT, integrity: TEXT }),
    Script: TEXT,
    PaymentLink: enveloped(texts('id', 'link', 'qrCode', 'state', 'checkoutId', 'paymentId')),
    CheckoutForm: enveloped({ checkout: checkoutFormSchema() }),
    Payment: paymentAnswerSchema(),
    ParameterErrors: { allOf: [reference('Envelope'), PARAMETER_ERRORS_SCHEMA] },
    Payments: enveloped({
      records: listOf(reference('Payment')),
      payments: listOf(reference('Payment')),
    }),
    AgentCommand: enveloped({ command: COMMAND_SCHEMA }),
    Alert: enveloped({ alert: ALERT_SCHEMA }),
    Alerts: enveloped({ alerts: listOf(ALERT_SCHEMA), next: TEXT }, ['alerts']),
    Inbox: enveloped(
      {
        items: listOf(INBOX_ITEM_SCHEMA),
        counts: { type: 'object', additionalProperties: COUNT },
        more: listOf(TEXT),
        next: TEXT,
      },
      ['items', 'counts', 'more'],
    ),
    InboxResolution: enveloped(INBOX_RESOLUTION_PROPERTIES, ['kind', 'id', 'outcome', 'state']),
    Requests: enveloped({ requests: listOf(REQUEST_SCHEMA), next: TEXT }, ['requests']),
    Device: enveloped({ device: DEVICE_SCHEMA }),
    Devices: enveloped({ devices: listOf(DEVICE_SCHEMA), next: TEXT }, ['devices']),
    Timeline: enveloped(TIMELINE_PROPERTIES, ['id', 'money', 'linked', 'gaps', 'clocks', 'timeline']),
    Review: enveloped({ review: REVIEW_SCHEMA }),
    Reviews: enveloped({ reviews: listOf(REVIEW_SCHEMA) }, ['reviews']),
    StandIns: enveloped({ standIns: listOf(STAND_IN_SCHEMA), next: TEXT }, ['standIns']),
    Schedule: enveloped({
      ...SCHEDULE_PROPERTIES,
      schedules: listOf(objectOf(SCHEDULE_PROPERTIES)),
    }),
    Webhook: enveloped({
      webhook: WEBHOOK_SCHEMA,
      test: objectOf(TRY_PROPERTIES),
    }),
    KeyedWebhook: enveloped({
      webhook: WEBHOOK_SCHEMA,
      key: TEXT,
      keyId: TEXT,
    }),
    Webhooks: enveloped({ webhooks: listOf(WEBHOOK_SCHEMA) }),
    ResultCall: enveloped({ call: objectOf(CALL_PROPERTIES) }),
    Resent: enveloped({ queued: COUNT }),
    Deliveries: enveloped({ deliveries: deliveriesSchema() }),
    PendingDeliveries: enveloped({ deliveries: pendingDeliveriesSchema() }),
    Aggregations: enveloped({
      aggregations: listOf(AGGREGATION_SCHEMA),
      pages: PAGE,
    }),
    SettlementRecords: enveloped({
      aggregation: AGGREGATION_SCHEMA,
      records: listOf(SETTLEMENT_RECORD_SCHEMA),
      pages: PAGE,
    }),
    ReconciliationFiles: enveloped({
      files: listOf(RECONCILIATION_FILE_SCHEMA),
      pages: PAGE,
    }),
    FoundPayments: enveloped({ payments: listOf(reference('Payment')), next: TEXT }, ['payments']),
    PaymentTotals: enveloped(PAYMENT_TOTALS_PROPERTIES, [
      'isWhole',
      'periods',
      'brands',
      'responseCodes',
      'declines',
    ]),
    PaymentFile: { type: 'string', contentMediaType: 'text/csv' },
    ReconciliationFile: { type: 'string', contentMediaType: 'text/csv' },
    Session: enveloped(SESSION_PROPERTIES, ['user', 'roles', 'entities']),
    Invitation: enveloped(INVITATION_PROPERTIES, ['email', 'name', 'secret', 'address', 'qrCode']),
    User: enveloped({ user: USER_SCHEMA }, ['user']),
    InvitedUser: enveloped({ user: USER_SCHEMA, invitation: TEXT, link: TEXT }, ['user']),
    Users: enveloped({ users: listOf(USER_SCHEMA) }, ['users']),
    Audit: enveloped({ records: listOf(AUDIT_RECORD_SCHEMA), next: COUNT }, ['records']),
    Transactions: listOf(TRANSACTION_SCHEMA),
    ResultCodes: objectOf(
      {
        resultCodes: listOf(objectOf(texts('code', 'description'), ['code', 'description'])),
      },
      ['resultCodes'],
    ),
  } satisfies Record<string, Json>;
}

/** An answer with these members in addition to those of every answer. */
function enveloped(properties: Record<string, Json>, required?: readonly string[]): JsonObject {
  return { allOf: [reference('Envelope'), objectOf(properties, required)] };
}
