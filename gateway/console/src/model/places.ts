import type { Session, TokenRight } from '../api/answers.js';
import type { TextKey } from '../texts/en.js';

/** A view of the console. */
export interface Place {
  readonly name: string;
  readonly title: TextKey;
  /** The right without which it is not shown; absent: it is for every user. The gateway checks each call of it again. */
  readonly right?: TokenRight;
}

/** The views, in the order of the navigation. */
export const PLACES = [
  { name: 'users', title: 'users', right: 'users' },
  { name: 'audit', title: 'audit', right: 'users' },
  { name: 'account', title: 'account' },
] as const satisfies readonly Place[];

export type PlaceName = (typeof PLACES)[number]['name'];

/** Where the page is: a view, and the merchant or channel that it is about (undefined: all merchants). */
export interface Location {
  readonly place: PlaceName;
  readonly entityId: string | undefined;
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

/** The address of a view, behind `#`. */
export function hashOf({ place, entityId }: Location): string {
  return `#/${place}${entityId === undefined ? '' : `?entity=${entityId}`}`;
}

/** Where an address leads in a session: what it may not see, or does not know, becomes the first view that it may. */
export function locationOf(hash: string, session: Session): Location {
  const [, name = '', query = ''] = /^#\/([a-z]*)(?:\?(.*))?$/.exec(hash) ?? [];
  const wanted = new URLSearchParams(query).get('entity') ?? undefined;
  const known = session.entities.find(({ id }) => id === wanted)?.id;
  const entityId = known ?? (session.user.isOperator ? undefined : session.entities[0]?.id);
  const places = placesFor(session, entityId);
  const place = places.find((each) => each.name === name) ?? places[0];
  return { place: place?.name ?? 'account', entityId };
}
