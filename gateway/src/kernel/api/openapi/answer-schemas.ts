import { checkoutFormSchema, registrationProperties } from './checkout-schema.js';
import type { Json, JsonObject } from './json.js';
import { aggregationSchema, reconciliationFileSchema, settlementRecordSchema } from './report-schema.js';
import {
  alertSchema,
  commandSchema,
  decisionSchema,
  deviceSchema,
  envelopeSchema,
  parameterErrorsSchema,
  paymentAnswerSchema,
  reviewSchema,
  standInSchema,
  transactionSchema,
} from './response-schema.js';
import { scheduleProperties } from './schedule-schema.js';
import { COUNT, listOf, objectOf, PAGE, reference, TEXT, texts } from './schema-parts.js';
import {
  callProperties,
  deliveriesSchema,
  pendingDeliveriesSchema,
  tryProperties,
  webhookSchema,
} from './webhook-schema.js';

/** Schemas of answers, by the name that the document gives them. */
export function answerSchemas() {
  return {
    Envelope: envelopeSchema(),
    Registration: enveloped(registrationProperties()),
    Checkout: enveloped({ id: TEXT, integrity: TEXT }),
    Script: TEXT,
    PaymentLink: enveloped(texts('id', 'link', 'qrCode', 'state', 'checkoutId', 'paymentId')),
    CheckoutForm: enveloped({ checkout: checkoutFormSchema() }),
    Payment: paymentAnswerSchema(),
    ParameterErrors: { allOf: [reference('Envelope'), parameterErrorsSchema()] },
    Payments: enveloped({
      records: listOf(reference('Payment')),
      payments: listOf(reference('Payment')),
    }),
    AgentCommand: enveloped({ command: commandSchema() }),
    Alert: enveloped({ alert: alertSchema() }),
    Alerts: enveloped({ alerts: listOf(alertSchema()), next: TEXT }, ['alerts']),
    Device: enveloped({ device: deviceSchema() }),
    Devices: enveloped({ devices: listOf(deviceSchema()), next: TEXT }, ['devices']),
    Timeline: enveloped({ id: TEXT, timeline: listOf(decisionSchema()) }, ['id', 'timeline']),
    Review: enveloped({ review: reviewSchema() }),
    Reviews: enveloped({ reviews: listOf(reviewSchema()) }, ['reviews']),
    StandIns: enveloped({ standIns: listOf(standInSchema()), next: TEXT }, ['standIns']),
    Schedule: enveloped({
      ...scheduleProperties(),
      schedules: listOf(objectOf(scheduleProperties())),
    }),
    Webhook: enveloped({
      webhook: webhookSchema(),
      test: objectOf(tryProperties()),
    }),
    KeyedWebhook: enveloped({
      webhook: webhookSchema(),
      key: TEXT,
      keyId: TEXT,
    }),
    Webhooks: enveloped({ webhooks: listOf(webhookSchema()) }),
    ResultCall: enveloped({ call: objectOf(callProperties()) }),
    Resent: enveloped({ queued: COUNT }),
    Deliveries: enveloped({ deliveries: deliveriesSchema() }),
    PendingDeliveries: enveloped({ deliveries: pendingDeliveriesSchema() }),
    Aggregations: enveloped({
      aggregations: listOf(aggregationSchema()),
      pages: PAGE,
    }),
    SettlementRecords: enveloped({
      aggregation: aggregationSchema(),
      records: listOf(settlementRecordSchema()),
      pages: PAGE,
    }),
    ReconciliationFiles: enveloped({
      files: listOf(reconciliationFileSchema()),
      pages: PAGE,
    }),
    ReconciliationFile: { type: 'string', contentMediaType: 'text/csv' },
    Transactions: listOf(transactionSchema()),
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
