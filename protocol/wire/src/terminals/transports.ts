/** How a terminal is plugged in. */
export const TRANSPORTS = ['serial', 'hid', 'tcp'] as const;
export type Transport = (typeof TRANSPORTS)[number];
