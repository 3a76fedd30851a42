import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { arqc } from '@tillbridge/wire/crypto/emv/cryptogram.js';
import {
  acData,
  acSessionKey,
  CVN_PROFILES,
  type CvnName,
  iccKeys,
  profileArpc,
  scriptKeys,
} from '@tillbridge/wire/crypto/emv/cvn-profiles.js';
import { atcDiversifier, deriveIccMasterKey } from '@tillbridge/wire/crypto/emv/emv-keys.js';
import {
  encipherScriptPin,
  type PinScriptStyle,
  pinChangeCommand,
  type ScriptSessionKey,
  scriptMac,
  scriptPinBlock,
  scriptSessionKey,
} from '@tillbridge/wire/crypto/emv/issuer-scripts.js';
import type { Inputs, TopicOps } from './inputs.js';

/** Check values of this topic have two bytes. */
const KCV_BYTES = 2;

function masterKeys(inputs: Inputs) {
  return { imkAc: inputs.hex('imkAc'), imkSmi: inputs.hex('imkSmi'), imkSmc: inputs.hex('imkSmc') };
}

function cvnProfile(inputs: Inputs): Readonly<Record<string, unknown>> {
  const profile = CVN_PROFILES[inputs.text<CvnName>('cvn')];
  const tags = inputs.object('tags') as Readonly<Record<string, string>>;
  const lookup = (tag: string) => (tags[tag] === undefined ? undefined : fromHex(tags[tag]));
  const icc = iccKeys(profile, masterKeys(inputs), inputs.text('pan'), inputs.text('psn'));
  const [atc, un] = [fromHex(tags['9F36'] ?? ''), fromHex(tags['9F37'] ?? '')];
  const suffix = [fromHex(tags['9F10'] ?? inputs.optionalText('cvr') ?? ''), inputs.optionalHex('counters')];
  const skAc = acSessionKey(profile, icc.ac, atc, un);
  const cryptogram = arqc(
    skAc,
    acData(profile, lookup, Buffer.concat(suffix.filter((part) => part !== undefined))),
    profile.padding,
  );
  const { skSmi, skSmc } = scriptKeys(profile, icc, atc, cryptogram);
  const between =
    inputs.text('commandMacData') === 'headerAtcArqc' ? Buffer.concat([atc, cryptogram]) : new Uint8Array();
  const script = {
    style: profile.pinScript,
    newPin: inputs.text('newPin'),
    iccMkAc: icc.ac,
    ...(profile.newPinWithoutCurrent && { newPinWithoutCurrent: profile.newPinWithoutCurrent }),
    skSmi,
    skSmc,
    between,
  };
  const currentPin = inputs.optionalText('currentPin');
  const [arc, csu] = [inputs.optionalHex('arc'), inputs.optionalHex('csu')];
  const answer = profileArpc(profile, icc.ac, skAc, cryptogram, { ...(arc && { arc }), ...(csu && { csu }) });
  return {
    iccMkAcKcv: toHex(tdesKcv(icc.ac, KCV_BYTES)),
    iccMkSmiKcv: toHex(tdesKcv(icc.smi, KCV_BYTES)),
    iccMkSmcKcv: toHex(tdesKcv(icc.smc, KCV_BYTES)),
    arqc: toHex(cryptogram),
    arpc: toHex(answer),
    commandMac: toHex(scriptMac(skSmi, inputs.hex('commandHeader'), between, new Uint8Array())),
    pinChangeCommand: toHex(pinChangeCommand(script)),
    ...(currentPin !== undefined && {
      pinChangeCommandWithCurrent: toHex(pinChangeCommand({ ...script, currentPin })),
    }),
  };
}

/** The common session key takes eight bytes: a lone counter is filled up as EMV does (Book 2 A1.3). */
function diversifierOf(kind: ScriptSessionKey, given: Buffer): Buffer {
  return kind === 'emvCommonSessionKey' && given.length === 2 ? atcDiversifier(given) : given;
}

function pinChangeScript(inputs: Inputs): Readonly<Record<string, unknown>> {
  const keys = masterKeys(inputs);
  const iccKey = (imk: Uint8Array) =>
    deriveIccMasterKey(imk, inputs.text('pan'), inputs.text('psn'), 'optionA');
  const kind = inputs.text<ScriptSessionKey>('sessionKey');
  const diversifier = diversifierOf(kind, inputs.hex('diversifier'));
  const skSmi = scriptSessionKey(kind, iccKey(keys.imkSmi), diversifier);
  const skSmc = scriptSessionKey(kind, iccKey(keys.imkSmc), diversifier);
  const style = inputs.text<PinScriptStyle>('scriptStyle');
  const currentPin = inputs.optionalText('currentPin');
  const block = scriptPinBlock({
    style,
    newPin: inputs.text('newPin'),
    iccMkAc: iccKey(keys.imkAc),
    ...(currentPin !== undefined && { currentPin }),
  });
  const enciphered = encipherScriptPin(style, skSmc, block);
  return {
    skSmi: toHex(skSmi),
    skSmc: toHex(skSmc),
    pinBlock: toHex(block),
    encipheredData: toHex(enciphered),
    mac: toHex(scriptMac(skSmi, inputs.hex('commandHeader'), new Uint8Array(), enciphered)),
  };
}

/** Issuer's side per cryptogram version, and PIN change scripts. */
export const EMV_CVN_SCRIPTS_OPS: TopicOps = { cvnProfile, pinChangeScript };
