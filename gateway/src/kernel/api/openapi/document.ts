import { rowsOf } from '../check/check-request.js';
import { FORM_TYPE } from '../form.js';
import { answerSchemas } from './answer-schemas.js';
import { ENDPOINTS, type Endpoint, tokenRights } from './endpoints.js';
import type { Json, JsonObject } from './json.js';
import { formSchema, queryParameters, requestSchema, rowParameters } from './request-schema.js';
import { reference, TEXT } from './schema-parts.js';
import { tagList, tagOf } from './tags.js';

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
    tags: tagList(endpoints),
    paths,
    components: {
      schemas: { ...requestSchemas(endpoints), ...answerSchemas() },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-tillbridge-console' },
      },
    },
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
    tags: [tagOf(endpoint)],
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
  if (endpoint.access === 'session') return [{ session: [] }];
  return tokenRights(endpoint).map((right) => ({ token: [right] }));
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

function urlParameters({ method, operation, rows, access }: Endpoint): JsonObject[] {
  if (method === 'post' || typeof access === 'string') return [];
  if (operation) return [...queryParameters(operation), ...rowParameters(rows ?? [])];
  if (rows) return rowParameters(rows);
  return [
    { name: 'entityId', in: 'query', required: true, schema: { type: 'string', pattern: '^[0-9a-f]{32}$' } },
  ];
}

function formBody(schema: JsonObject): JsonObject {
  return { required: true, content: { [FORM_TYPE]: { schema } } };
}

/** Answers that are no JSON. */
const FILE_TYPES: Partial<Record<Endpoint['answer'], string>> = {
  ReconciliationFile: 'text/csv',
  PaymentFile: 'text/csv',
  Script: 'text/javascript',
};

function responsesOf({ method, answer, access, idempotent }: Endpoint): JsonObject {
  const schemaOf = (status: string): JsonObject => {
    if (status === '200') return reference(answer);
    if (status !== '400') return reference('Envelope');
    const errors = reference('ParameterErrors');
    // A payment that fails is answered like one that goes well.
    return answer === 'Payment' ? { anyOf: [reference('Payment'), errors] } : errors;
  };
  const responses: Record<string, Json> = {};
  for (const [status, description] of Object.entries(STATUSES)) {
    if ((access === 'none' || access === 'checkout-id') && (status === '401' || status === '403')) continue;
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
