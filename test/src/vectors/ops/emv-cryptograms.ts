import { toHex } from '@tillbridge/wire/bytes.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import {
  arpcMethod1,
  arpcMethod2,
  arqc,
  type CryptogramPadding,
} from '@tillbridge/wire/crypto/emv/cryptogram.js';
import {
  atcDiversifier,
  atcUnDiversifier,
  commonSessionKey,
  deriveIccMasterKey,
  type IccMasterKeyOption,
} from '@tillbridge/wire/crypto/emv/emv-keys.js';
import { emv2000SessionKey } from '@tillbridge/wire/crypto/emv/emv2000-tree.js';
import type { Inputs, TopicOps } from './inputs.js';

function sessionKey(inputs: Inputs, iccMk: Buffer): Buffer {
  const kind = inputs.text('sessionKey');
  if (kind === 'none') return iccMk;
  const given = inputs.optionalHex('r');
  if (given !== undefined) return commonSessionKey(iccMk, given);
  const r =
    kind === 'mastercardProprietary'
      ? atcUnDiversifier(inputs.hex('atc'), inputs.hex('un'))
      : atcDiversifier(inputs.hex('atc'));
  return commonSessionKey(iccMk, r);
}

function arpc(inputs: Inputs, key: Buffer, cryptogram: Buffer): Buffer | undefined {
  const method = inputs.optionalText('arpcMethod');
  if (method === 'method1') return arpcMethod1(key, cryptogram, inputs.hex('arc'));
  if (method === 'method2') {
    return arpcMethod2(key, cryptogram, inputs.hex('csu'), inputs.optionalHex('proprietaryAuthData'));
  }
  return undefined;
}

function arqcArpc(inputs: Inputs): Readonly<Record<string, unknown>> {
  const option = inputs.text<IccMasterKeyOption>('iccMkOption');
  const iccMk = deriveIccMasterKey(inputs.hex('imkAc'), inputs.text('pan'), inputs.text('psn'), option);
  const skAc = sessionKey(inputs, iccMk);
  const cryptogram = arqc(skAc, inputs.hex('acData'), inputs.text<CryptogramPadding>('padding'));
  const answer = arpc(inputs, inputs.optionalText('arpcKey') === 'iccMasterKey' ? iccMk : skAc, cryptogram);
  return {
    iccMk: toHex(iccMk),
    iccMkKcv: toHex(tdesKcv(iccMk)),
    skAc: toHex(skAc),
    skAcKcv: toHex(tdesKcv(skAc)),
    arqc: toHex(cryptogram),
    ...(answer !== undefined && { arpc: toHex(answer) }),
  };
}

/** EMV Book 2, issuer's side. */
export const EMV_ARQC_ARPC_OPS: TopicOps = {
  arqcArpc,
  deriveSessionKey: (inputs) => {
    const tree = { height: inputs.int('height'), branch: inputs.int('branch'), iv: inputs.hex('iv') };
    return { sk: toHex(emv2000SessionKey(inputs.hex('iccMk'), inputs.hex('atc').readUInt16BE(), tree)) };
  },
};
