import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { type CapkRecord, capkHash, loadCapk, modulusBits } from '@tillbridge/wire/crypto/emv/capk.js';
import { verifyCombinedData, verifyDynamicData, verifyStaticData } from '@tillbridge/wire/crypto/emv/oda.js';
import {
  type IccCertificate,
  type IssuerCertificate,
  recoverIccKey,
  recoverIssuerKey,
} from '@tillbridge/wire/crypto/emv/oda-certificates.js';
import { testCapkRecord } from '@tillbridge/wire/crypto/emv/test-capks.js';
import type { Inputs, TopicOps } from './inputs.js';

function issuerKey(inputs: Inputs): IssuerCertificate {
  const { modulus, exponent } = inputs.object('capk') as unknown as CapkRecord;
  // The delivered hash is another topic; here a wrong key shows in what it recovers.
  const capk = { modulus: fromHex(modulus), exponent: fromHex(exponent) };
  return recoverIssuerKey(capk, {
    certificate: inputs.hex('issuerCert'),
    remainder: inputs.hex('issuerRemainder'),
    exponent: inputs.hex('issuerExponent'),
  });
}

interface CardKeys {
  readonly issuer: IssuerCertificate;
  readonly icc: IccCertificate;
}

function cardKeys(inputs: Inputs): CardKeys {
  const issuer = issuerKey(inputs);
  const certificate = {
    certificate: inputs.hex('iccCert'),
    remainder: inputs.hex('iccRemainder'),
    exponent: inputs.hex('iccExponent'),
  };
  return {
    issuer,
    icc: recoverIccKey(issuer, certificate, inputs.text('pan'), inputs.optionalHex('staticData')),
  };
}

function keyFields({ issuer, icc }: CardKeys): Readonly<Record<string, unknown>> {
  return {
    issuerModulus: toHex(issuer.modulus),
    iccModulus: toHex(icc.modulus),
    ...(icc.hashChecked && { iccCertHashOk: true }),
    // A wrong hash is an error, so what returns is right.
    sdadHashOk: true,
  };
}

function cda(inputs: Inputs): Readonly<Record<string, unknown>> {
  const keys = cardKeys(inputs);
  const genAcResponse = inputs.optionalHex('genAcResponseTlv');
  const transaction = genAcResponse && {
    pdolData: inputs.optionalHex('pdolData') ?? new Uint8Array(),
    cdolData: inputs.optionalHex('cdolData') ?? new Uint8Array(),
    genAcResponse,
  };
  const result = verifyCombinedData(
    keys.icc,
    inputs.hex('sdad'),
    inputs.hex('unpredictableNumber'),
    transaction,
  );
  return {
    ...keyFields(keys),
    iccDynamicData: toHex(result.iccDynamicData),
    iccDynamicNumber: toHex(result.iccDynamicNumber),
    cid: toHex(Buffer.from([result.cid])),
    applicationCryptogram: toHex(result.applicationCryptogram),
    transactionDataHashCode: toHex(result.transactionDataHashCode),
  };
}

/** Offline data authentication. */
export const EMV_ODA_OPS: TopicOps = {
  sda: (inputs) => {
    const issuer = issuerKey(inputs);
    const { dac, hashChecked } = verifyStaticData(
      issuer,
      inputs.hex('ssad'),
      inputs.optionalHex('staticData'),
    );
    return {
      issuerModulus: toHex(issuer.modulus),
      dac: toHex(dac),
      ...(hashChecked && { staticDataHashOk: true }),
    };
  },
  dda: (inputs) => {
    const keys = cardKeys(inputs);
    const result = verifyDynamicData(keys.icc, inputs.hex('sdad'), inputs.hex('ddolData'));
    return {
      ...keyFields(keys),
      iccDynamicData: toHex(result.iccDynamicData),
      iccDynamicNumber: toHex(result.iccDynamicNumber),
    };
  },
  cda,
};

/** Certification authority keys. The vectors carry no delivered hash: the one of the shipped table stands for it. */
export const EMV_CAPK_OPS: TopicOps = {
  checkCapk: (inputs) => {
    const fields = {
      rid: inputs.text('rid'),
      index: inputs.text('index'),
      modulus: inputs.text('modulus'),
      exponent: inputs.text('exponent'),
    };
    const computed = toHex(
      capkHash({
        rid: fromHex(fields.rid),
        index: fromHex(fields.index)[0] ?? 0,
        modulus: fromHex(fields.modulus),
        exponent: fromHex(fields.exponent),
      }),
    );
    const sha1 = testCapkRecord(fields.rid, fields.index)?.sha1 ?? computed;
    const key = loadCapk({ ...fields, sha1 });
    return { sha1: toHex(capkHash(key)), modulusBits: modulusBits(key.modulus) };
  },
};
