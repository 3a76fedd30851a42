/** How a host sends a key: in a TR-31 block, or as TDES blocks under the zone transport key. */
export const KEY_FORMS = ['tr31', 'cryptogram'] as const;

/** How a host makes authentication codes under its zone MAC key. */
export type HostMacMethod = 'iso9797Algorithm1' | 'iso9797Algorithm3' | 'cmac';

export type KeyForm = (typeof KEY_FORMS)[number];
