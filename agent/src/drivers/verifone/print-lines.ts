import { escapeHtml } from '@tillbridge/platform/http/post-page.js';
import { tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodeContainer } from '@tillbridge/wire/terminals/verifone/messages.js';
import { STATUSES } from '@tillbridge/wire/terminals/verifone/statuses.js';
import { TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import type { DeviceOutcome } from '../core/driver.js';
import { isFailed } from '../core/result.js';
import { PRINT_TIMEOUT_MS } from './limits.js';
import type { SdiLink } from './link.js';
import { ask, statusFailure } from './replies.js';

/** A device without a printer does not know the command. */
const NO_PRINTER: ReadonlySet<number> = new Set([
  STATUSES.unknownInstruction.code,
  STATUSES.unknownClass.code,
]);

/** Prints lines (PRINT HTML). */
export async function printLines(link: SdiLink, lines: readonly string[]): Promise<DeviceOutcome> {
  const html = `<html><body>${lines.map((line) => `<div>${escapeHtml(line)}</div>`).join('')}</body></html>`;
  const data = encodeContainer([tlv(TAGS.printData, Buffer.from(html, 'utf8'))]);
  const answer = await ask(link, 'printHtml', { data, timeoutMs: PRINT_TIMEOUT_MS });
  if (isFailed(answer)) return answer;
  if (NO_PRINTER.has(answer.sw)) return { kind: 'unavailable' };
  return answer.hint === 'ok' ? { kind: 'done' } : statusFailure('printHtml', answer);
}
