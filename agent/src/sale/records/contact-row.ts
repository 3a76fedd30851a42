import type { JournalRow, JsonObject } from '../../journal/journal.js';
import type { KeptTime } from '../offline/time-floor.js';

/** Kind of the row that remembers a contact with the gateway across restarts. */
export const CONTACT_ROW = 'contact';

/** What the row says. What the wall clock said is the row's own time. */
export function contactRow({ contactMs, highestMs, correctedMs }: KeptTime): JsonObject {
  return { timeMs: contactMs, highestMs, ...(correctedMs !== undefined && { correctedMs }) };
}

/** What an earlier boot kept; `undefined` for a row that does not say it. */
export function keptTime({ data, atMs }: JournalRow): KeptTime | undefined {
  const { timeMs, highestMs, correctedMs } = data;
  if (typeof timeMs !== 'number' || typeof highestMs !== 'number') return undefined;
  return {
    contactMs: timeMs,
    contactWallMs: atMs,
    highestMs,
    ...(typeof correctedMs === 'number' && { correctedMs }),
  };
}
