import type { JournalRow, JsonObject } from '../../journal/journal.js';
import type { StoredTime } from '../offline/time-floor.js';

/** Kind of the row that remembers a contact with the gateway across restarts. */
export const CONTACT_ROW = 'contact';

/** Content of the row. */
export function contactRow(kept: StoredTime): JsonObject {
  const { contactMs, contactWallMs, contactGatewayMs, highestMs, correctedMs } = kept;
  return {
    timeMs: contactMs,
    wallMs: contactWallMs,
    highestMs,
    ...(contactGatewayMs !== undefined && { gatewayMs: contactGatewayMs }),
    ...(correctedMs !== undefined && { correctedMs }),
  };
}

/** What an earlier boot kept; `undefined` for a row without it. */
export function keptTime({ data }: Pick<JournalRow, 'data'>): StoredTime | undefined {
  const { timeMs, wallMs, highestMs, gatewayMs, correctedMs } = data;
  if (typeof timeMs !== 'number' || typeof wallMs !== 'number' || typeof highestMs !== 'number')
    return undefined;
  return {
    contactMs: timeMs,
    contactWallMs: wallMs,
    highestMs,
    ...(typeof gatewayMs === 'number' && { contactGatewayMs: gatewayMs }),
    ...(typeof correctedMs === 'number' && { correctedMs }),
  };
}
