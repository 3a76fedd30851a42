import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { AIP } from '@tillbridge/wire/emv/bit-fields.js';
import { setBit } from '@tillbridge/wire/emv/bits.js';
import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { ApplicationProfile, OdaMethod, RecordFile } from '../core/application-profile.js';
import { hexTlv } from '../core/application-profile.js';
import { odaKey } from './development-authority.js';
import { iccCertificate, issuerCertificate, signedStaticData } from './signatures.js';

/** Index of the development authority's keys, tag 8F. */
const CAPK_INDEX = 'D0';
/** The terminal gives its unpredictable number to INTERNAL AUTHENTICATE (tag 9F49). */
const DDOL = '9F3704';
/** The AIP is signed too (tag 9F4A). */
const SIGNED_TAGS = '82';
/** Data authentication code of the development issuer, tag 9F45. */
const DAC = 'DAC0';
/** File of the certificates; none of its records is signed. */
const CERTIFICATE_SFI = 3;
/** The file whose first record is signed: number, dates, usage, version. */
const SIGNED_SFI = 2;

const AIP_BITS = { sda: AIP.sda, dda: AIP.dda, cda: AIP.cda } as const;

/** What a forger did. */
type Forgery = 'static-data';

/**
 * A contact application with offline data authentication: certificates of the development authority in a separate file, AIP and locator to
 * match. A forged one was changed after it was signed.
 */
export function withOda(
  profile: ApplicationProfile,
  method: OdaMethod,
  forgery?: Forgery,
): ApplicationProfile {
  const aip = fromHex(profile.aip);
  setBit(aip, AIP_BITS[method]);
  // A card that combines its signature with the cryptogram can also sign alone.
  if (method === 'cda') setBit(aip, AIP.dda);
  const files = profile.files.map((file) => (file.sfi === SIGNED_SFI ? { ...file, signed: 1 } : file));
  const signedRecord = files.find(({ sfi }) => sfi === SIGNED_SFI)?.records[0] ?? [];
  const staticData = Buffer.concat([encodeTlv(signedRecord), aip]);
  const signed = forgery === 'static-data' ? Buffer.concat([staticData, Buffer.of(0)]) : staticData;
  const certificates: RecordFile = {
    sfi: CERTIFICATE_SFI,
    records: method === 'sda' ? staticRecords(profile.pan, signed) : dynamicRecords(profile.pan, signed),
  };
  return { ...profile, aip: toHex(aip), oda: method, files: [...files, certificates] };
}

function issuerObjects(pan: string): RecordFile['records'][number] {
  const [authority, issuer] = [odaKey('certificationAuthority'), odaKey('issuer')];
  const { certificate, remainder } = issuerCertificate(authority, issuer, pan);
  return [
    hexTlv('8F', CAPK_INDEX),
    tlv('90', certificate),
    ...(remainder.length > 0 ? [tlv('92', remainder)] : []),
    tlv('9F32', issuer.exponent),
  ];
}

function staticRecords(pan: string, staticData: Uint8Array): RecordFile['records'] {
  const ssad = signedStaticData(odaKey('issuer'), fromHex(DAC), staticData);
  return [issuerObjects(pan), [tlv('93', ssad), hexTlv('9F4A', SIGNED_TAGS)]];
}

function dynamicRecords(pan: string, staticData: Uint8Array): RecordFile['records'] {
  const icc = odaKey('icc');
  const { certificate, remainder } = iccCertificate(odaKey('issuer'), icc, pan, staticData);
  return [
    issuerObjects(pan),
    [
      tlv('9F46', certificate),
      tlv('9F47', icc.exponent),
      ...(remainder.length > 0 ? [tlv('9F48', remainder)] : []),
      hexTlv('9F49', DDOL),
      hexTlv('9F4A', SIGNED_TAGS),
    ],
  ];
}
