import type { Answer, BetweenFrames, FromSession, Parameter, ToSession } from '../shared/messages.js';
import { findLanguage } from '../texts/find-language.js';
import { isFromSibling, isMessage, Shop } from './shop.js';

// The frame that speaks with the gateway: it brings the texts of the language, which browsers keep with it over many checkouts, it collects the fields of the card from its sibling frames, and reports to the page of the shop what
// came of it, without what was sent.

/** How long the frame of a field may take for its value. */
const FIELD_TIMEOUT_MS = 5_000;
/** How long the gateway may take: as long as it waits for an acquirer, and more. */
const ANSWER_TIMEOUT_MS = 90_000;

let checkoutId: string | undefined;

const shop = new Shop<ToSession, FromSession>((message) => {
  if (message.type === 'open') {
    if (checkoutId !== undefined) return;
    checkoutId = message.checkoutId;
    const language = findLanguage(message.locale);
    void ask('widget').then((answer) => shop.tell({ type: 'opened', answer, language }));
  } else if (message.type === 'submit') void submit(message);
});

async function submit({ request, resource, parameters, fields }: Extract<ToSession, { type: 'submit' }>) {
  const values = await Promise.all(fields.map((at) => valueIn(at, request)));
  const complete = values.filter((value) => value !== undefined);
  const answer: Answer =
    complete.length < values.length
      ? { status: 0, body: {} }
      : await ask(resource, [...parameters.filter(([name]) => !isHeld(name, complete)), ...complete]);
  shop.tell({ type: 'submitted', request, answer });
}

/** The fields of a card come from their frames alone, and what else a frame has given comes from there. */
function isHeld(name: string, values: readonly Parameter[]): boolean {
  return name === 'card.number' || name === 'card.cvv' || values.some(([held]) => held === name);
}

/** The value of the field in the frame at this place of the page; undefined when it does not answer. */
function valueIn(at: number, request: number): Promise<Parameter | undefined> {
  return new Promise((resolve) => {
    const frame = parent.frames[at];
    const hear = (event: MessageEvent): void => {
      if (event.source !== frame || !isFromSibling(event) || !isMessage(event.data)) return;
      const message = event.data as BetweenFrames;
      if (message.type !== 'value' || message.request !== request) return;
      end([message.field, message.value]);
    };
    const end = (value: Parameter | undefined): void => {
      removeEventListener('message', hear);
      clearTimeout(timer);
      resolve(value);
    };
    const timer = setTimeout(() => end(undefined), FIELD_TIMEOUT_MS);
    addEventListener('message', hear);
    const question: BetweenFrames = { type: 'value?', checkoutId: checkoutId ?? '', request };
    frame?.postMessage(question, location.origin);
  });
}

async function ask(
  resource: 'widget' | 'payment' | 'registration',
  form?: readonly Parameter[],
): Promise<Answer> {
  const address = new URL(
    `../../v1/checkouts/${encodeURIComponent(checkoutId ?? '')}/${resource}`,
    location.href,
  );
  const sent = form?.filter(([, value]) => value !== '').map(([name, value]) => [name, value]);
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      ...(sent && { method: 'POST', body: new URLSearchParams(sent) }),
    });
    return { status: response.status, body: shownOf(await response.json()) };
  } catch {
    return { status: 0, body: {} };
  }
}

/** What the page around needs of an answer: it may hold scripts of others, and has no use for the rest. */
const SHOWN = [
  'checkout',
  'id',
  'paymentType',
  'paymentBrand',
  'amount',
  'currency',
  'continueUrl',
  'returnUrl',
  'registrationId',
  'ndc',
  'timestamp',
];

/** The errors of an answer name parameters with their values, which are no business of the page around. */
function shownOf(body: Record<string, unknown>): Record<string, unknown> {
  const shown = Object.fromEntries(SHOWN.flatMap((name) => (name in body ? [[name, body[name]]] : [])));
  const { code, description, parameterErrors } = (body.result ?? {}) as Result;
  const names = parameterErrors?.map(({ name, message }) => ({ name, message }));
  return { ...shown, result: { code, description, ...(names && { parameterErrors: names }) } };
}

interface Result {
  readonly code?: string;
  readonly description?: string;
  readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[];
}
