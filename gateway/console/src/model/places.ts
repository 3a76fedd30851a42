import type { Session, TokenRight } from '../api/answers.js';
import type { TextKey } from '../texts/en.js';

/** A view of the console. */
export interface Place {
  readonly name: string;
  readonly title: TextKey;
  /** The right without which it is not shown; absent: it is for every user. The gateway checks each call of it again. */
  readonly right?: TokenRight;
  /** The view that it is reached from; absent: from the navigation. */
  readonly within?: string;
}

/** The views, in the order of the navigation. */
export const PLACES = [
  { name: 'inbox', title: 'inbox', right: 'administration' },
  { name: 'payments', title: 'payments', right: 'read' },
  { name: 'payment', title: 'payment', right: 'read', within: 'payments' },
  { name: 'requests', title: 'requests', right: 'administration' },
  { name: 'users', title: 'users', right: 'users' },
  { name: 'audit', title: 'audit', right: 'users' },
  { name: 'account', title: 'account' },
] as const satisfies readonly Place[];

export type PlaceName = (typeof PLACES)[number]['name'];

/** Where the page is: a view, and the merchant or channel that it is about (undefined: all merchants). */
export interface Location {
  readonly place: PlaceName;
  readonly entityId: string | undefined;
  /** What the view is limited to, by name: no empty values. */
  readonly query: Readonly<Record<string, string>>;
}

/** The rights of the session for a merchant or channel; undefined: for all merchants. */
export function rightsAt({ entities, rights }: Session, entityId: string | undefined): readonly TokenRight[] {
  return entityId === undefined ? rights : (entities.find(({ id }) => id === entityId)?.rights ?? []);
}

/** The views that a session may see at a merchant or channel. */
export function placesFor(
  session: Session,
  entityId: string | undefined,
): readonly (typeof PLACES)[number][] {
  const rights = rightsAt(session, entityId);
  return PLACES.filter((place) => !('right' in place) || rights.includes(place.right));
}

/** Those of the navigation. */
export function navigationOf(
  session: Session,
  entityId: string | undefined,
): readonly (typeof PLACES)[number][] {
  return placesFor(session, entityId).filter((place) => !('within' in place));
}

/** The address of a view, behind `#`. */
export function hashOf({
  place,
  entityId,
  query = {},
}: Omit<Location, 'query'> & Partial<Pick<Location, 'query'>>): string {
  const parameters = new URLSearchParams({ ...(entityId !== undefined && { entity: entityId }), ...query });
  return `#/${place}${parameters.size === 0 ? '' : `?${parameters}`}`;
}

/** Where an address leads in a session: what it may not see, or does not know, becomes the first view that it may. */
export function locationOf(hash: string, session: Session): Location {
  const [, name = '', parameters = ''] = /^#\/([a-z]*)(?:\?(.*))?$/.exec(hash) ?? [];
  const { entity: wanted, ...query } = Object.fromEntries(
    [...new URLSearchParams(parameters)].filter(([, value]) => value !== ''),
  );
  const known = session.entities.find(({ id }) => id === wanted)?.id;
  const entityId = known ?? (session.user.isOperator ? undefined : session.entities[0]?.id);
  const places = placesFor(session, entityId);
  const place = places.find((each) => each.name === name);
  if (place) return { place: place.name, entityId, query };
  return { place: places[0]?.name ?? 'account', entityId, query: {} };
}
