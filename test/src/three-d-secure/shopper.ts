/** What the shopper does at the bank's page. */
export interface Shopper {
  /** `undefined`: the shopper gives up there. */
  readonly code: string | undefined;
  /** Where the shop's pages begin: the walk ends there. */
  readonly shop: string;
  /** Called at each step of the walk, with its name. */
  readonly onStep?: (step: string) => Promise<void>;
  /** Reloads a page whose server is not there, until it is. */
  readonly reloads?: true;
  /** The method call's frame is never answered. */
  readonly loseNotification?: true;
}

/** Where an answer sends the shopper. */
export interface Redirect {
  readonly url: string;
  readonly method: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly preconditions?: readonly {
    readonly url: string;
    readonly parameters: readonly { readonly name: string; readonly value: string }[];
  }[];
}

interface Form {
  readonly id: string | undefined;
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const MAX_STEPS = 30;
const RELOAD_INTERVAL_MS = 100;

/** Every address and form that passed through the browser. */
interface Walk {
  readonly end: string;
  readonly forms: readonly Form[];
}

/**
 * Follows redirects and forms as a browser with scripts does, from our page to the shop's. The frame of the method call is loaded first, then
 * the page goes on.
 */
export async function walk(from: Redirect | undefined, shopper: Shopper): Promise<Walk> {
  if (!from) throw new Error('the answer sends the shopper nowhere');
  const forms: Form[] = [];
  let { url } = from;
  const fields = Object.fromEntries(from.parameters.map(({ name, value }) => [name, value]));
  let form: Form | undefined = from.method === 'POST' ? { id: undefined, action: url, fields } : undefined;
  if (form) forms.push(form);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (!form && url.startsWith(shopper.shop)) return { end: url, forms };
    const { location, html } = await load(url, form, shopper.reloads);
    form = undefined;
    if (location !== undefined) {
      url = new URL(location, url).href;
      continue;
    }
    const found = formsIn(html, url);
    forms.push(...found);
    const call = found.find(({ id }) => id === 'call');
    const next = found.find(({ id }) => id !== 'call');
    if (!next) throw new Error(`the page at ${url} leads nowhere: ${html}`);
    if (call) await shopper.onStep?.('method');
    if (call && !shopper.loseNotification) await inFrame(call, forms, shopper.reloads);
    if (call) await shopper.onStep?.('method-ended');
    const isChallenge = 'acsTransID' in next.fields;
    if (isChallenge) await shopper.onStep?.('challenge');
    if (isChallenge && shopper.code === undefined) return { end: url, forms };
    if ('cres' in next.fields) await shopper.onStep?.('challenge-ended');
    form = isChallenge
      ? { ...next, fields: { ...next.fields, code: shopper.code ?? '', action: 'confirm' } }
      : next;
    url = next.action;
  }
  throw new Error(`${MAX_STEPS} steps and no end`);
}

/** Makes the calls that come before a redirect in hidden frames of the shop's page. @returns how many there were */
export async function callBefore({ preconditions = [] }: Redirect): Promise<number> {
  for (const { url, parameters } of preconditions) {
    const fields = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
    await inFrame({ id: undefined, action: url, fields }, []);
  }
  return preconditions.length;
}

async function inFrame(call: Form, forms: Form[], reloads?: true): Promise<void> {
  const [next] = formsIn((await load(call.action, call, reloads)).html, call.action);
  if (!next) return;
  forms.push(next);
  await load(next.action, next, reloads);
}

async function load(
  url: string,
  form: Form | undefined,
  reloads?: true,
): Promise<{ location?: string; html: string }> {
  const response = await fetched(url, form, reloads);
  const location = response.headers.get('location');
  const html = await response.text();
  if (response.status >= 400) throw new Error(`${url} answered ${response.status}: ${html}`);
  return { html, ...(location !== null && { location }) };
}

async function fetched(url: string, form: Form | undefined, reloads?: true): Promise<Response> {
  for (;;) {
    try {
      const body = form && new URLSearchParams(form.fields);
      return await fetch(url, { redirect: 'manual', ...(body && { method: 'POST', body }) });
    } catch (error) {
      if (!reloads) throw error;
      await new Promise((resolve) => setTimeout(resolve, RELOAD_INTERVAL_MS));
    }
  }
}

function formsIn(html: string, base: string): readonly Form[] {
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, head = '', body = '']) => ({
    id: /id="([^"]*)"/.exec(head)?.[1],
    action: new URL(unescaped(/action="([^"]*)"/.exec(head)?.[1] ?? ''), base).href,
    fields: Object.fromEntries(
      [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, unescaped(value)],
      ),
    ),
  }));
}

function unescaped(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
