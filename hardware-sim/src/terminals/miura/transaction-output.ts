import { padBit } from '@tillbridge/wire/crypto/ciphers/padding.js';
import { FINAL_CRYPTOGRAM_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodeTrack2, TRACK_2_TAG } from '@tillbridge/wire/terminals/miura/account-data.js';
import { maskedPan, maskTrack2 } from '@tillbridge/wire/terminals/miura/masked-track.js';
import { TAGS, TAP_CVM } from '@tillbridge/wire/terminals/miura/tags.js';
import type { TransactionData } from '../../kernel/transaction-data.js';
import { accountContainer } from '../core/account-tlv.js';
import type { CardAccount } from '../core/card-account.js';
import { chipObjects, DECISION_TAGS } from '../core/chip-objects.js';
import type { DukptDevice, EncipheredOnce } from '../core/dukpt-device.js';
import type { CardDecision, SaleInputs } from '../core/payment-core.js';
import { hostObjects, saleOf } from '../core/sale-inputs.js';
import { StatusError } from './status-error.js';

const IV = Buffer.alloc(8);

/** DFAE02 and DFAE03: the account under the next data key. @throws KeyErased, CryptoError counterExhausted, StateError */
export function sredObjects(key: DukptDevice, account: CardAccount): TlvNode[] {
  const { data, ksn } = key.encipherData(accountContainer(account), IV);
  return [tlv(TAGS.sredData, data), tlv(TAGS.sredKsn, ksn)];
}

/** The same of a magstripe: its second track as it is on the card. */
export function magstripeSredObjects(key: DukptDevice, { track2 = '' }: CardAccount): TlvNode[] {
  const clear = padBit(encodeTlv([tlv(TRACK_2_TAG, encodeTrack2(track2))]), key.blockBytes);
  const { data, ksn } = key.encipherData(clear, IV);
  return [tlv(TAGS.sredData, data), tlv(TAGS.sredKsn, ksn)];
}

/** DFAE04 and DFAE05. */
export function pinObjects({ data, ksn }: EncipheredOnce): TlvNode[] {
  return [tlv(TAGS.pinData, data), tlv(TAGS.pinKsn, ksn)];
}

/** What may be shown of an account in place of it. */
export function maskedObjects({ pan, track2 }: CardAccount, way: 'chip' | 'magstripe'): TlvNode[] {
  const tag = way === 'chip' ? TAGS.maskedChipTrack2 : TAGS.maskedMagstripeTrack2;
  return [
    tlv(TAGS.maskedPan, Buffer.from(maskedPan(pan), 'latin1')),
    ...(track2 === undefined ? [] : [tlv(tag, Buffer.from(maskTrack2(track2), 'latin1'))]),
  ];
}

/** The objects of E3, E4 and E5 for a chip or a tap. */
export function decisionObjects(
  data: TransactionData,
  account: CardAccount,
  key: DukptDevice,
  decision: Pick<CardDecision, 'pin'> | undefined,
): TlvNode[] {
  return [
    ...chipObjects(data, DECISION_TAGS),
    ...maskedObjects(account, 'chip'),
    ...sredObjects(key, account),
    ...(decision?.pin ? pinObjects(decision.pin) : []),
  ];
}

/** DF28 of a tap. */
export function tapVerification(way: 'none' | 'signature' | 'online-pin'): TlvNode {
  const value = way === 'online-pin' ? TAP_CVM.onlinePin : TAP_CVM[way];
  return tlv(TAGS.cardholderVerification, Buffer.of(value));
}

/** The objects of E3 and E5 at the end, script results among them. */
export function finalObjects(data: TransactionData, scriptResults: Uint8Array): TlvNode[] {
  return [
    ...chipObjects(data, FINAL_CRYPTOGRAM_TAGS),
    ...(scriptResults.length > 0 ? [tlv('9F5B', scriptResults)] : []),
  ];
}

/** The sale in E0 of a transaction command. @throws StatusError dataMissing */
export function saleInputs(nodes: readonly TlvNode[]): SaleInputs {
  const objects = hostObjects(
    (tag) => findTlv(nodes, tag),
    () => new StatusError('dataMissing'),
  );
  objects.need('5F2A');
  return saleOf(objects);
}
