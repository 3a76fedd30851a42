import { decodeTlv, findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { ONLINE_RESULT, TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import type { HostOutcome } from '../../kernel/contact-transaction.js';
import type { SaleInputs } from '../core/payment-core.js';
import { hostObjects, saleOf } from '../core/sale-inputs.js';
import { StatusError } from './status-error.js';

/** Response codes that the kernel takes for an approval: approved, with identification, partly. */
const POSITIVE: ReadonlySet<string> = new Set(['00', '10', '11']);

/** The sale of CT START and CTLS SETUP. @throws StatusError emvParameter when something mandatory is missing */
export function saleInputs(objects: readonly TlvNode[]): SaleInputs {
  return saleOf(
    hostObjects(
      (tag) => findTlv(objects, tag),
      () => new StatusError('emvParameter'),
    ),
  );
}

/** Whether an object of one byte is present and not zero. */
export function isSet(objects: readonly TlvNode[], tag: string): boolean {
  return (findTlv(objects, tag)?.[0] ?? 0) !== 0;
}

/** The outcome of the online request, from the host's objects. @throws StatusError emvParameter; TlvError */
export function hostOutcome(objects: readonly TlvNode[]): HostOutcome {
  const result = findTlv(objects, TAGS.onlineResult)?.[0];
  if (result === undefined) throw new StatusError('emvParameter');
  if (result === ONLINE_RESULT.failed) return { kind: 'unable-to-go-online' };
  const code = textOf(findTlv(objects, '8A'));
  if (code?.length !== 2) throw new StatusError('emvParameter');
  const positive = POSITIVE.has(code) || code === textOf(findTlv(objects, TAGS.positiveResponseCode));
  const parts = [TAGS.issuerAuthentication, TAGS.criticalScripts, TAGS.uncriticalScripts];
  const issuerObjects = parts.flatMap((tag) => decodeTlv(findTlv(objects, tag) ?? new Uint8Array()));
  return { kind: positive ? 'approved' : 'declined', responseCode: code, issuerObjects };
}

/** The number of critical scripts: their results have a separate tag. */
export function criticalScripts(objects: readonly TlvNode[]): number {
  const scripts = decodeTlv(findTlv(objects, TAGS.criticalScripts) ?? new Uint8Array());
  return scripts.filter(({ tag }) => tag === '71').length;
}

function textOf(value: Uint8Array | undefined): string | undefined {
  return value && Buffer.from(value).toString('latin1');
}
