import { rmSync } from 'node:fs';
import type { CardData, OnlineResult } from '@tillbridge/agent/drivers/core/driver.js';
import type { AccountData } from '@tillbridge/gateway/security/module/security-module.js';
import { SoftwareSecurityModule } from '@tillbridge/gateway/security/module/software-security-module.js';
import {
  openDevelopmentKeyStore,
  temporaryHome,
} from '@tillbridge/gateway/security/test-keys.test.support.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { decodeTlv, encodeTlv, findTlv, tlv } from '@tillbridge/wire/emv/tlv.js';

/** How the issuer answers. */
export type IssuerAnswer =
  | 'approve'
  | 'approve-wrong-arpc'
  | 'approve-with-script'
  | 'decline'
  | 'refer'
  | 'unable';

const RESPONSE_CODES = { approve: '00', decline: '05', refer: '01' } as const;
/** PVKI and PVV in track 2, behind expiry and service code. */
const PIN_VALUES = /^\d+[D=]\d{7}(\d)(\d{4})/;

/**
 * The far side of a sale: the gateway's security module with the development keys opens what the terminal enciphered and
 * answers the card as its issuer would.
 */
export class IssuerHost {
  readonly #home = temporaryHome();
  readonly #security = new SoftwareSecurityModule(openDevelopmentKeyStore(this.#home), systemRandom);

  /** Removes the keys. */
  close(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** The account that the terminal enciphered. @throws SecurityModuleError */
  async account(deviceType: string, card: CardData): Promise<AccountData> {
    if (!card.sred) throw new Error('the terminal gave no enciphered card data');
    const { facts } = card;
    return this.#security.decryptAccountData({
      profile: deviceType,
      ...card.sred,
      ...(facts.expiry !== undefined && { expiry: facts.expiry }),
    });
  }

  /** Whether the PIN that the terminal enciphered, apart or inside its card data, is the card's. @throws SecurityModuleError */
  async pinIsRight(card: CardData, { pan, track2 = '', pin: inside }: AccountData): Promise<boolean> {
    const block = card.pin ? { ksn: card.pin.ksn, pinBlock: card.pin.data } : inside;
    if (!block) throw new Error('the terminal gave no PIN block');
    const pin = await this.#security.translatePin({ ...block, pan });
    const [, pvki = '', pvv = ''] = PIN_VALUES.exec(track2) ?? [];
    return this.#security.verifyPin({ pin, pan, pvki, pvv });
  }

  /** The issuer's answer to a chip or magstripe. @throws Error when the chip's cryptogram is not true */
  async answer(card: CardData, account: AccountData, how: IssuerAnswer): Promise<OnlineResult> {
    if (how === 'unable') return { kind: 'unable-to-go-online' };
    const kind = how === 'decline' || how === 'refer' ? 'declined' : 'approved';
    const responseCode = RESPONSE_CODES[how === 'decline' || how === 'refer' ? how : 'approve'];
    if (card.iccData.length === 0) return { kind, responseCode, issuerData: Buffer.alloc(0) };
    const verdict = await this.#security.verifyArqcAndMakeArpc({
      pan: account.pan,
      panSequenceNumber: card.facts.panSequenceNumber ?? '00',
      iccData: card.iccData,
      responseCode,
    });
    if (!verdict.valid || !verdict.iccDataResponse)
      throw new Error(`the ARQC is not true: ${verdict.reason}`);
    return { kind, responseCode, issuerData: bend(verdict.iccDataResponse, how) };
  }
}

/** Block application without a true MAC: the card refuses it, as its script results show. */
const UNTRUE_SCRIPT = tlv('72', [
  tlv('9F18', Buffer.from('00000001', 'hex')),
  tlv('86', Buffer.from('841E0000080000000000000000', 'hex')),
]);

function bend(issuerData: Uint8Array, how: IssuerAnswer): Uint8Array {
  const nodes = decodeTlv(issuerData);
  if (how === 'approve-with-script') return encodeTlv([...nodes, UNTRUE_SCRIPT]);
  if (how !== 'approve-wrong-arpc') return issuerData;
  const wrong = Buffer.from(findTlv(nodes, '91') ?? []);
  wrong[0] = (wrong[0] ?? 0) ^ 0xff;
  return encodeTlv([tlv('91', wrong)]);
}
