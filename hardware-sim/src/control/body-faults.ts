import { nearMatch } from '@tillbridge/protocol/text/near-match.js';

/** What a schema has against a body: fields of Ajv's errors with `verbose`, as Fastify hands them on. */
export interface SchemaFault {
  /** JSON pointer to the place. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: { readonly description?: string };
  /** The value there; it may be a PIN. */
  readonly data?: unknown;
}

/** The fault for the person who sent the body: place, rule, likely intent. A value is never shown: it may be a PIN. Pure. */
export function bodyFaultText({
  instancePath,
  keyword,
  message = 'is not allowed',
  params,
  parentSchema,
  data,
}: SchemaFault): string {
  const place = placeOf(instancePath);
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    const allowed = params.allowedValues.map(String);
    const near = typeof data === 'string' ? nearMatch(data, allowed) : undefined;
    return `${place} must be one of ${allowed.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`;
  }
  if (keyword === 'additionalProperties') return `${place} has no field ${String(params.additionalProperty)}`;
  if (keyword === 'pattern' && parentSchema?.description)
    return `${place} must be ${parentSchema.description}`;
  return `${place} ${message}`;
}

/** `/0/name` as `[0].name`. */
function placeOf(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  const path = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('');
  return path.replace(/^\./, '') || 'the body';
}
