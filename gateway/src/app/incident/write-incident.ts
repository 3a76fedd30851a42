import { resolve } from 'node:path';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { createFile } from '@tillbridge/platform/write-file.js';
import { cardDataPlaces, encodeIncident, INCIDENT_LIMITS } from '@tillbridge/wire/incident/incident-file.js';
import { findingTexts, maskFindings } from '@tillbridge/wire/incident/mask-findings.js';
import { VERSION } from '../../kernel/data-folder/version.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { Store } from '../../kernel/store/store.js';
import { LEFT_OUT, readIncident } from './gateway-incident.js';

/** An incident file that was written. */
interface WrittenIncident {
  readonly path: string;
  readonly payments: number;
  readonly rows: number;
  /** What looked like card data and was masked, in sentences. */
  readonly masked: readonly string[];
}

/**
 * Writes what the database has of a payment into a new file, of mode 0600; the gateway may run.
 * @param output default: a name after the payment
 * @throws OperatorError, StoreUnavailableError
 */
export async function writeIncident(
  store: Pick<Store, 'get' | 'find' | 'findAfter'>,
  {
    paymentId,
    output,
    nowMs,
  }: { readonly paymentId: string; readonly output?: string; readonly nowMs: number },
): Promise<WrittenIncident> {
  const { content, findings } = maskFindings(await readIncident(store, paymentId));
  const masked = findingTexts(findings);
  const text = encodeIncident(
    {
      kind: 'gateway',
      writtenBy: `tillbridge-gateway/${VERSION}`,
      node: process.version,
      writtenAtMs: nowMs,
      leftOut: [...LEFT_OUT, ...masked],
    },
    content,
  );
  checkText(text);
  const path = resolve(output ?? `tillbridge-incident-${paymentId}.json`);
  try {
    createFile(path, text);
  } catch (error) {
    throw new OperatorError(`${path} cannot be written (${systemCode(error)}): give another --output`);
  }
  const lists = Object.values(content).filter((value) => typeof value !== 'string');
  const rows = lists.reduce((sum, list) => sum + list.length, 0);
  return { path, payments: content.payments.length, rows, masked };
}

/** @throws OperatorError */
function checkText(text: string): void {
  if (text.length > INCIDENT_LIMITS.maxCharacters)
    throw new OperatorError(
      `the file would have more than ${INCIDENT_LIMITS.maxCharacters} characters: the payment has too many that follow it`,
    );
  const places = cardDataPlaces(text);
  if (places !== undefined) throw new OperatorError(`not written, as it would carry card data:\n  ${places}`);
}
