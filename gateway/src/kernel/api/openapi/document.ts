import { rowsOf } from '../check/check-request.js';
import { FORM_TYPE } from '../form.js';
import { checkoutFormSchema, registrationProperties } from './checkout-schema.js';
import { ENDPOINTS, type Endpoint } from './endpoints.js';
import type { Json, JsonObject } from './json.js';
import { aggregationSchema, reconciliationFileSchema, settlementRecordSchema } from './report-schema.js';
import { formSchema, queryParameters, requestSchema, rowParameters } from './request-schema.js';
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
import { COUNT, listOf, objectOf, PAGE, TEXT, texts } from './schema-parts.js';
import {
  callProperties,
  deliveriesSchema,
  pendingDeliveriesSchema,
  tryProperties,
  webhookSchema,
} from './webhook-schema.js';

/** Texts of the document that are not in the catalogue. */
interface DocumentOptions {
  /** Version of the gateway. */
  readonly version: string;
  readonly serverUrl: string;
  /** Endpoints that are served; absent: all of the table. */
  readonly endpoints?: readonly Endpoint[];
}

/** Meaning of the HTTP statuses, by what an endpoint can answer. */
const STATUSES = {
  200: 'Successful request.',
  307: 'Temporary redirect to the https address.',
  400: 'Invalid parameters or values, or the payment failed.',
  401: 'Invalid authorization header.',
  403: 'Invalid access token.',
  404: 'Nothing has that path or id.',
  409: 'A request with the same Idempotency-Key is running; try again after the time in Retry-After.',
  413: 'The body is longer than the service reads.',
  415: 'The body is not a form.',
  429: 'Too many requests; try again after the time in Retry-After.',
} as const;

/** The OpenAPI 3.1 document of the API, made from the catalogue. Pure: the same options give the same document. */
export function openApiDocument({ version, serverUrl, endpoints = ENDPOINTS }: DocumentOptions): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment platform API',
      version,
      description: 'Parameters are sent as a form. New fields may appear in answers at any time.',
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: { ...requestSchemas(endpoints), ...answerSchemas() },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function answerSchemas(): Record<string, Json> {
  const payment = reference('Payment');
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
      records: listOf(payment),
      payments: listOf(payment),
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
  };
}

function requestSchemas(endpoints: readonly Endpoint[]): Record<string, Json> {
  const schemas: Record<string, Json> = {};
  for (const { method, operation } of endpoints) {
    if (method === 'post' && operation) schemas[schemaName(operation)] = requestSchema(operation);
  }
  return schemas;
}

function operationOf(endpoint: Endpoint): JsonObject {
  const { method, path, operation, rows, summary, addition, idempotent } = endpoint;
  const parameters = [
    ...pathParameters(path),
    ...urlParameters(endpoint),
    ...(idempotent ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId: `${method}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_, next?: string) => next?.toUpperCase() ?? '')}`,
    summary,
    ...(addition && { 'x-addition': true }),
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'post' && (operation || rows) && { requestBody: formBody(bodySchema(operation, rows)) }),
    security: securityOf(endpoint),
    responses: responsesOf(endpoint),
  };
}

/** What a body holds: the rows of an operation, rows of its own, or both. */
function bodySchema(operation: Endpoint['operation'], rows: Endpoint['rows']): JsonObject {
  // One flat object: two that allow nothing else would allow nothing together.
  if (rows) return formSchema([...(operation ? rowsOf(operation) : []), ...rows]);
  return operation ? reference(schemaName(operation)) : {};
}

/** The rights of which a token needs one, as alternatives: what OpenAPI lists within one of them is needed together. */
function securityOf(endpoint: Endpoint): JsonObject[] {
  return endpoint.credential === 'token' ? endpoint.rights.map((right) => ({ token: [right] })) : [];
}

/** The header by which a request that is sent again is known. */
const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'The same key and parameters again give the stored answer for 90 days; other parameters are refused. ' +
    'Of two at once one is answered 409.',
  'x-addition': true,
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: TEXT,
  }));
}

function urlParameters({ method, operation, rows, credential }: Endpoint): JsonObject[] {
  if (method === 'post' || credential !== 'token') return [];
  if (operation) return [...queryParameters(operation), ...rowParameters(rows ?? [])];
  if (rows) return rowParameters(rows);
  return [
    { name: 'entityId', in: 'query', required: true, schema: { type: 'string', pattern: '^[0-9a-f]{32}$' } },
  ];
}

/** An answer with these members in addition to those of every answer. */
function enveloped(properties: Record<string, Json>, required?: readonly string[]): JsonObject {
  return { allOf: [reference('Envelope'), objectOf(properties, required)] };
}

function formBody(schema: JsonObject): JsonObject {
  return { required: true, content: { [FORM_TYPE]: { schema } } };
}

/** Answers that are no JSON. */
const FILE_TYPES: Partial<Record<Endpoint['answer'], string>> = {
  'reconciliation-file': 'text/csv',
  script: 'text/javascript',
};

function responsesOf({ method, answer, credential, idempotent }: Endpoint): JsonObject {
  const schemas = {
    payment: 'Payment',
    envelope: 'Envelope',
    checkout: 'Checkout',
    registration: 'Registration',
    'checkout-form': 'CheckoutForm',
    'result-codes': 'ResultCodes',
    script: 'Script',
    'payment-link': 'PaymentLink',
    payments: 'Payments',
    'agent-command': 'AgentCommand',
    alert: 'Alert',
    alerts: 'Alerts',
    device: 'Device',
    devices: 'Devices',
    timeline: 'Timeline',
    review: 'Review',
    reviews: 'Reviews',
    'stand-ins': 'StandIns',
    schedule: 'Schedule',
    webhook: 'Webhook',
    'keyed-webhook': 'KeyedWebhook',
    webhooks: 'Webhooks',
    resent: 'Resent',
    'result-call': 'ResultCall',
    deliveries: 'Deliveries',
    'pending-deliveries': 'PendingDeliveries',
    aggregations: 'Aggregations',
    'settlement-records': 'SettlementRecords',
    'reconciliation-files': 'ReconciliationFiles',
    'reconciliation-file': 'ReconciliationFile',
    transactions: 'Transactions',
  };
  const schemaOf = (status: string): JsonObject => {
    if (status === '200') return reference(schemas[answer]);
    if (status !== '400') return reference('Envelope');
    const errors = reference('ParameterErrors');
    // A payment that fails is answered like one that goes well.
    return answer === 'payment' ? { anyOf: [reference('Payment'), errors] } : errors;
  };
  const responses: Record<string, Json> = {};
  for (const [status, description] of Object.entries(STATUSES)) {
    if (credential !== 'token' && (status === '401' || status === '403')) continue;
    if (!idempotent && status === '409') continue;
    if (method !== 'post' && (status === '413' || status === '415')) continue;
    const type = (status === '200' && FILE_TYPES[answer]) || 'application/json';
    const content = { [type]: { schema: schemaOf(status) } };
    responses[status] = status === '307' ? { description } : { description, content };
  }
  return responses;
}

function schemaName(operation: string): string {
  return `${operation.replace(/(^|-)(.)/g, (_, _dash, letter: string) => letter.toUpperCase())}Request`;
}

function reference(schema: string): JsonObject {
  return { $ref: `#/components/schemas/${schema}` };
}
