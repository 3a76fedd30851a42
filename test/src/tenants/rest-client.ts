/** An answer of the gateway. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A request as it goes out. */
export interface RestRequest {
  readonly method: string;
  readonly path: string;
  /** Parameters: in the URL of a GET, in the body of a POST. */
  readonly form: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: the request has no header that names one. */
  readonly token?: string;
}

/** Sends one request on a new connection. */
export async function sendRest(url: string, request: RestRequest): Promise<RestAnswer> {
  const { method, path, form, headers, token } = request;
  const parameters = new URLSearchParams(form);
  const inUrl = method !== 'POST' && parameters.size > 0;
  const response = await fetch(`${url}${path}${inUrl ? `?${parameters}` : ''}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      accept: 'application/json',
      connection: 'close',
      ...headers,
    },
    ...(method === 'POST' && { body: parameters }),
  });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await bodyOf(response),
  };
}

/** What came: JSON is read, and anything else, such as a script, stays a text. */
async function bodyOf(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return isJson ? response.json() : response.text();
}
