import type { Endpoint } from './endpoints.js';
import type { JsonObject } from './json.js';

/** What one wants to do, and the endpoints for it. */
interface TagRow {
  /** Heading in the API reference. */
  readonly title: string;
  readonly description: string;
  /** Method and path of its endpoints. The first row that has an endpoint takes it. */
  readonly endpoints: readonly RegExp[];
}

/** Tags of the document by name, in the order of the API reference. */
export const TAGS = {
  'test-mode': {
    title: 'Make things happen in test mode',
    description: 'What banks, shoppers and time do elsewhere.',
    endpoints: [
      /\/v1\/simulator\//,
      /\/payments\/\{id\}\/(receipt|chargeback|chargebackReversal|resultCall)$/,
      /\/run$/,
    ],
  },
  payments: {
    title: 'Take a payment',
    description: 'From a server that has the payment details itself.',
    endpoints: [/^POST \/v1\/payments$/, /\/v1\/(risk|giftCards\/balance)$/],
  },
  checkouts: {
    title: 'Let the shopper pay on a page',
    description: 'The payment form keeps card data away from the shop.',
    endpoints: [/\/v1\/checkouts/, /paymentWidgets/],
  },
  'payment-links': {
    title: 'Send a payment link',
    description: 'A shopper pays by a link, without a shop of its own.',
    endpoints: [/\/paybylink\//],
  },
  'three-d-secure': {
    title: 'Authenticate a cardholder',
    description: '3D Secure without a payment.',
    endpoints: [/\/threeDSecure/],
  },
  'follow-ups': {
    title: 'Capture, refund, reverse',
    description: 'What follows an earlier payment.',
    endpoints: [/^POST \/v1\/payments\/\{id\}$/],
  },
  queries: {
    title: 'Find out how a payment stands',
    description: 'By its id, by the reference of the merchant, or by time.',
    endpoints: [/^GET \/v1\/payments/, /\/v[13]\/query/, /\/resultcodes$/],
  },
  registrations: {
    title: 'Store payment details',
    description: 'Pay again without the card.',
    endpoints: [/\/v1\/registrations/],
  },
  schedules: {
    title: 'Repeat payments',
    description: 'The gateway pays at the times of a schedule, with stored details.',
    endpoints: [/\/schedules/],
  },
  webhooks: {
    title: 'Be notified',
    description: 'Events are delivered to an endpoint, signed and enciphered, or wait there to be fetched.',
    endpoints: [/\/v1\/webhooks/],
  },
  reports: {
    title: 'Reconcile',
    description: 'Settlements, their records and files.',
    endpoints: [/\/reports\//, /\/v1\/reconciliation/],
  },
  reviews: {
    title: 'Decide what waits for a person',
    description:
      'What needs a person; alerts, reviews, and payments that were approved while no host could be reached.',
    endpoints: [/\/v1\/(inbox|alerts|reviews|standIns)/],
  },
  requests: {
    title: 'See what was sent',
    description: 'The requests of a merchant with what was wrong with them; masked.',
    endpoints: [/\/v1\/requests/],
  },
  stores: {
    title: 'Look after stores and devices',
    description: 'Agents take commands; devices are assigned, suspended, swapped.',
    endpoints: [/\/v1\/(agents|devices)/],
  },
  users: {
    title: 'Look after users of the console',
    description: 'Who may sign in and do what; and the record of what was done.',
    endpoints: [/\/v1\/(users|sessions|invitations|audit)/],
  },
} as const satisfies Readonly<Record<string, TagRow>>;

/** Name of a tag. */
type Tag = keyof typeof TAGS;

/** The last tag of the reference stands first in the table: its patterns are narrower than those of others. */
const LAST: Tag = 'test-mode';

/** The tag of an endpoint. @throws Error naming the file to change */
export function tagOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): Tag {
  const name = `${method.toUpperCase()} ${path}`;
  const found = Object.entries(TAGS).find(([, { endpoints }]) =>
    endpoints.some((pattern) => pattern.test(name)),
  );
  if (!found) throw new Error(`${name} has no tag: add it to gateway/src/kernel/api/openapi/tags.ts`);
  return found[0] as Tag;
}

/** The tags as the document lists them, those alone that endpoints have. */
export function tagList(endpoints: readonly Endpoint[]): JsonObject[] {
  const used = new Set(endpoints.map(tagOf));
  const names = Object.keys(TAGS) as Tag[];
  return [...names.filter((name) => name !== LAST), LAST]
    .filter((name) => used.has(name))
    .map((name) => {
      const { title, description } = TAGS[name];
      return { name, description, 'x-displayName': title };
    });
}
