/** How a host sends a key: in a TR-31 block, or as TDES blocks under the zone transport key. */
export const KEY_FORMS = ['tr31', 'cryptogram'] as const;

export type KeyForm = (typeof KEY_FORMS)[number];
