import { Ajv, type ValidateFunction } from 'ajv';

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The answers of an OpenAPI document. */
export class Documented {
  readonly #paths: Paths;
  readonly #ajv = new Ajv({ strict: false, validateFormats: false });
  /** By the text of their schemas: making one takes longer than a whole request. */
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: { readonly paths?: unknown; readonly components?: unknown }) {
    this.#paths = document.paths as Paths;
    this.#ajv.addSchema({ $id: 'document', components: document.components });
  }

  /** What is wrong with an answer; an answer of a path that the document does not have is right when it is a refusal. */
  faults(method: string, url: string, status: number, body: unknown): readonly string[] {
    const found = Object.entries(this.#paths).find(([path]) =>
      new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(url),
    );
    const responses = found?.[1][method.toLowerCase()]?.responses;
    if (!responses) return status === 404 || status === 400 ? [] : [`${method} ${url} is not documented`];
    const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
    const schema = response?.content?.['application/json']?.schema;
    if (!schema) return [`${method} ${url} documents no answer ${status}`];
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const validate = this.#validators.get(text) ?? this.#ajv.compile(JSON.parse(text) as Json);
    this.#validators.set(text, validate);
    return validate(body)
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  }
}
