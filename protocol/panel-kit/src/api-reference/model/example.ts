import type { Operation } from './document.js';

/** An example of a request, as code is made of it. */
export interface RequestExample {
  readonly method: string;
  /** Path and query, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters of a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** A body in JSON. */
  readonly json?: unknown;
  /** True: it carries a token. */
  readonly token: boolean;
}

/** An example of an answer. */
export interface AnswerExample {
  readonly status: string;
  readonly type: string;
  readonly body: unknown;
}

const FORM = 'application/x-www-form-urlencoded';

/** The request of an operation, of the examples that stand in the document. @param token it needs one */
export function requestOf({ method, path, object }: Operation, token: boolean): RequestExample {
  const given = (place: string) =>
    (object.parameters ?? [])
      .filter((parameter) => parameter.in === place && parameter.example !== undefined)
      .map(({ name, example }): [string, string] => [name, String(example)]);
  const inPath = new Map(given('path'));
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = inPath.get(name);
    return value === undefined ? whole : encodeURIComponent(value);
  });
  const query = new URLSearchParams(given('query')).toString();
  const [[type, { example = undefined } = {}] = ['']] = Object.entries(object.requestBody?.content ?? {});
  return {
    method,
    target: query === '' ? filled : `${filled}?${query}`,
    headers: Object.fromEntries(given('header')),
    ...(example !== undefined &&
      (type === FORM ? { form: example as Record<string, string> } : { json: example })),
    token,
  };
}

/** The answer to the request of the document, where it has one. */
export function answerOf({ object }: Operation): AnswerExample | undefined {
  for (const [status, { content = {} }] of Object.entries(object.responses ?? {}))
    for (const [type, { example }] of Object.entries(content))
      if (example !== undefined) return { status, type, body: example };
  return undefined;
}
