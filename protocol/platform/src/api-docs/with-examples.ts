/** An example of an operation: a request that was sent to a real program, and what it answered. */
export interface ApiExample {
  /** Parameters of path, query, header and form by their names. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** A body in JSON. */
  readonly body?: unknown;
  readonly status: number;
  /** JSON, or the beginning of a text. */
  readonly answer: unknown;
}

/** Examples by method and path: `POST /v1/payments`. */
export type ApiExamples = Readonly<Record<string, ApiExample>>;

type Content = Readonly<Record<string, { readonly schema?: object; readonly example?: unknown }>>;

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** An OpenAPI document with examples where its tools look for them: at parameters, bodies and answers. */
export function withExamples(document: object, examples: ApiExamples): object {
  const { paths = {} } = document as { readonly paths?: Paths };
  const shown = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => {
        const example = examples[`${method.toUpperCase()} ${path}`];
        return [method, example ? exampled(operation, example) : operation];
      }),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(shown) };
}

function exampled(operation: Operation, { parameters = {}, body, status, answer }: ApiExample): Operation {
  const inUrl = new Set((operation.parameters ?? []).map(({ name }) => name));
  const form = Object.fromEntries(Object.entries(parameters).filter(([name]) => !inUrl.has(name)));
  const { requestBody, responses = {} } = operation;
  const sent = body ?? (Object.keys(form).length > 0 ? form : undefined);
  // A group of statuses, such as `4XX`, has no status of its own.
  const known = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
  return {
    ...operation,
    ...(operation.parameters && {
      parameters: operation.parameters.map((each) =>
        parameters[each.name] === undefined ? each : { ...each, example: parameters[each.name] },
      ),
    }),
    ...(requestBody &&
      sent !== undefined && {
        requestBody: { ...requestBody, content: withExample(requestBody.content, sent) },
      }),
    responses: { ...responses, [status]: { ...known, content: withExample(known?.content ?? {}, answer) } },
  };
}

/** The first of the media types has the example. */
function withExample(content: Content, example: unknown): Content {
  const [[type, media] = ['application/json', {}]] = Object.entries(content);
  return { ...content, [type]: { ...media, example } };
}
