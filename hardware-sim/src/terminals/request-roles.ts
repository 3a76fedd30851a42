import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';

/** What a request of the host means for a sale: it begins or ends a transaction, or only queries a state. */
export type RequestRole = 'begins' | 'ends' | 'polls';

/**
 * Requests by their role, as the codec of the maker writes them: a text that is one of these, or goes on with a blank. All others are steps of what
 * has begun. A line whose packets are enciphered shows none of them.
 */
const ROLES: Readonly<Record<DeviceType, Readonly<Record<RequestRole, readonly string[]>>>> = {
  GERTEC_PPC930: {
    begins: ['GCX', 'GCR'],
    ends: ['CLX', 'CLO'],
    polls: ['GIX SPE_IDLIST=<2 bytes>'],
  },
  IDTECH_VP6800: {
    begins: ['ACTIVATE TRANSACTION'],
    ends: ['CANCEL TRANSACTION'],
    polls: ['PING'],
  },
  MAGTEK_DYNAFLEX: {
    begins: ['START TRANSACTION'],
    ends: ['CANCEL TRANSACTION', 'RESET DEVICE'],
    polls: ['GET PROPERTY operationalStatus'],
  },
  MIURA_M020: {
    begins: ['START CONTACTLESS TRANSACTION', 'START TRANSACTION'],
    ends: ['ABORT', 'RESET DEVICE'],
    polls: ['P2PE STATUS'],
  },
  NEWLAND_P180: {
    begins: ['PERFORM TRANSACTION'],
    ends: ['TERMINATE TRANSACTION'],
    polls: ['STATUS', 'CARD PRESENCE'],
  },
  VERIFONE_P400: {
    begins: ['CTLS SETUP TRANSACTION', 'CT START TRANSACTION'],
    ends: ['CT END TRANSACTION', 'CTLS END TRANSACTION', 'REBOOT'],
    polls: ['GET PROPERTY F0{DFBC01=00000001}', 'GET STATUS'],
  },
};

/** The role of a request by its text; undefined for a step of a transaction or of a setup. */
export function requestRole(type: DeviceType, text: string): RequestRole | undefined {
  const roles = ROLES[type];
  return (['begins', 'ends', 'polls'] as const).find((role) =>
    roles[role].some((name) => text === name || text.startsWith(`${name} `)),
  );
}

/** The amount that a request gives: tag 9F02 in minor units, tag 5F2A where it names a currency (ISO 4217 numeric). */
export function requestedAmount(
  text: string,
): { readonly minor: number; readonly currency?: string } | undefined {
  const amount = /(?:9F02=|9F0206|SPE_AMOUNT=)(\d{12})/.exec(text)?.[1];
  if (amount === undefined) return undefined;
  const currency = /(?:5F2A=0?|5F2A020|SPE_TRNCURR=)(\d{3})/.exec(text)?.[1];
  return { minor: Number(amount), ...(currency !== undefined && { currency }) };
}
