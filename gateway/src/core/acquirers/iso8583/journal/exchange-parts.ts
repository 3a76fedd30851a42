import type { ExchangeRecord } from '../rules/exchange-record.js';
import { MAX_PARTS, mayHaveParts, partReference } from '../rules/parts.js';

/** All parts of an exchange in their order, itself first. */
export async function partsOf(
  find: (reference: string) => Promise<ExchangeRecord | undefined>,
  record: ExchangeRecord,
): Promise<readonly ExchangeRecord[]> {
  const parts = [record];
  if (!mayHaveParts(record)) return parts;
  while (parts.length < MAX_PARTS) {
    const next = await find(partReference(record.reference, parts.length));
    if (!next) break;
    parts.push(next);
  }
  return parts;
}
