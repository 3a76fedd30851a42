import { isSensitiveTag } from '@tillbridge/wire/emv/tags.js';
import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodePanBlock, encodeTrackBlock } from '@tillbridge/wire/terminals/newland/account-data.js';
import {
  CLEAR,
  DATA_TYPES,
  type GetDataRequest,
  type GetTlvListRequest,
  type KernelData,
} from '@tillbridge/wire/terminals/newland/kernel-data.js';
import { encodeEncipheredPan } from '@tillbridge/wire/terminals/newland/masked-pan.js';
import type { DukptDevice } from '../core/dukpt-device.js';
import type { PaymentCore } from '../core/payment-core.js';
import { CommandError } from './l3-error.js';

/** What functions 24 and 26 read from. */
export interface KernelAnswerDeps {
  readonly core: PaymentCore;
  readonly dataKey: DukptDevice;
  readonly dataKeySlot: number;
  /** The card number was keyed in. */
  readonly keyedIn: () => boolean;
  /** Results of the issuer's scripts (tag 9F5B), once there are some. */
  readonly scriptResults: () => Uint8Array | undefined;
}

const IV = Buffer.alloc(8);
const ABSENT: KernelData = { kind: 'absent' };
const SCRIPT_RESULTS = '9F5B';
/** Account data: this device is set up to give them enciphered alone. */
const ACCOUNT: ReadonlySet<number> = new Set([
  DATA_TYPES.pan,
  DATA_TYPES.track1,
  DATA_TYPES.track2,
  DATA_TYPES.track3,
]);

/** GET DATA (function 24). @throws CommandError; KeyErased, CryptoError counterExhausted, StateError */
export function getData(deps: KernelAnswerDeps, request: GetDataRequest): KernelData {
  const { keySlot, type } = request;
  if (ACCOUNT.has(type)) return accountData(deps, request);
  if (keySlot !== CLEAR) throw new CommandError('only account data are enciphered');
  const account = deps.core.account;
  // A keyed-in number has no expiry until the dialog has requested it.
  if (type === DATA_TYPES.expiry) return text(deps.keyedIn() ? undefined : account?.expiry, request);
  if (type === DATA_TYPES.serviceCode) return text(account?.serviceCode, request);
  const tag = type.toString(16).toUpperCase().padStart(2, '0');
  return clear(isSensitiveTag(tag) ? undefined : deps.core.data?.get(tag), request);
}

function accountData(
  { core, dataKey, dataKeySlot }: KernelAnswerDeps,
  { keySlot, type, maxBytes }: GetDataRequest,
): KernelData {
  if (keySlot !== dataKeySlot)
    throw new CommandError('account data come enciphered under the data key alone');
  const { account } = core;
  const value = type === DATA_TYPES.pan ? account?.pan : type === DATA_TYPES.track2 && account?.track2;
  if (!account || !value) return ABSENT;
  const block = type === DATA_TYPES.pan ? encodePanBlock(value) : encodeTrackBlock(value);
  const cipher = dataKey.encipherData(block, IV).data;
  const data = type === DATA_TYPES.pan ? encodeEncipheredPan(cipher, account.pan) : cipher;
  return within(maxBytes, { kind: 'data', data, actualBytes: value.length });
}

function text(value: string | undefined, request: GetDataRequest): KernelData {
  return clear(value === undefined ? undefined : Buffer.from(value, 'latin1'), request);
}

function clear(value: Uint8Array | undefined, { maxBytes }: { readonly maxBytes: number }): KernelData {
  if (!value || value.length === 0) return ABSENT;
  return within(maxBytes, { kind: 'data', data: Buffer.from(value), actualBytes: value.length });
}

function within(maxBytes: number, answer: Extract<KernelData, { kind: 'data' }>): KernelData {
  if (answer.data.length > maxBytes) throw new CommandError('the answer is longer than the host allows');
  return answer;
}

/** GET TLV LIST (function 26): objects that hold card data are left out. @throws CommandError */
export function getTlvList(deps: KernelAnswerDeps, request: GetTlvListRequest): KernelData {
  if (request.keySlot !== CLEAR) throw new CommandError('lists come in clear alone');
  const nodes = request.tags.flatMap((tag) => {
    const value = tag === SCRIPT_RESULTS ? deps.scriptResults() : deps.core.data?.get(tag);
    return value && value.length > 0 && !isSensitiveTag(tag) ? [tlv(tag, value)] : [];
  });
  return clear(encodeTlv(nodes), request);
}
