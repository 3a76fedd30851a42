import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  X509Certificate,
} from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import type { Random } from '@tillbridge/wire/seams/random.js';

/** A certificate with its key, in PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** From when until when a certificate may be used. */
interface ValidTime {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whom a certificate names. */
export interface ServerNames {
  /** A client of TLS, not a server. */
  readonly isClient?: boolean;
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly addresses: readonly string[];
}

const ID_COMMON_NAME = '2.5.4.3';
/** ecdsa-with-SHA256 (RFC 5758 §3.2). */
const ID_ECDSA_SHA256 = '1.2.840.10045.4.3.2';
const SERIAL_BYTES = 16;

/** Makes a certification authority of one's own: an EC key of P-256, and the certificate that it signs itself. */
export function makeAuthority(commonName: string, valid: ValidTime, random: Random): KeyedCertificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
  const name = nameOf(commonName);
  const extensions = [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
    extension(id_ce_subjectKeyIdentifier, keyIdentifier(spki)),
  ];
  return { key, certificate: signed({ issuer: name, subject: name, spki, valid, extensions, random }, key) };
}

/** Has an authority issue a certificate for a TLS server, or for a client. @throws where the authority's own cannot be read */
export function issueCertificate(
  authority: KeyedCertificate,
  { commonName, dnsNames, addresses, isClient = false }: ServerNames,
  valid: ValidTime,
  random: Random,
): KeyedCertificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
  const issuer = AsnConvert.parse(new X509Certificate(authority.certificate).raw, Certificate);
  const issuerSpki = createPublicKey(authority.key).export({ type: 'spki', format: 'der' });
  const names = [
    ...addresses.map((iPAddress) => new GeneralName({ iPAddress })),
    ...dnsNames.map((dNSName) => new GeneralName({ dNSName })),
  ];
  const extensions = [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([isClient ? id_kp_clientAuth : id_kp_serverAuth])),
    extension(id_ce_subjectAltName, new SubjectAlternativeName(names)),
    extension(id_ce_subjectKeyIdentifier, keyIdentifier(spki)),
    extension(
      id_ce_authorityKeyIdentifier,
      new AuthorityKeyIdentifier({ keyIdentifier: keyIdentifier(issuerSpki) }),
    ),
  ];
  const about = {
    issuer: issuer.tbsCertificate.subject,
    subject: nameOf(commonName),
    spki,
    valid,
    extensions,
  };
  return { key, certificate: signed({ ...about, random }, authority.key) };
}

interface ToSign {
  readonly issuer: Name;
  readonly subject: Name;
  readonly spki: Uint8Array;
  readonly valid: ValidTime;
  readonly extensions: readonly Extension[];
  readonly random: Random;
}

function signed({ issuer, subject, spki, valid, extensions, random }: ToSign, issuerKey: string): string {
  const signature = new AlgorithmIdentifier({ algorithm: ID_ECDSA_SHA256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(random),
    signature,
    issuer,
    subject,
    validity: new Validity({ notBefore: new Date(valid.fromMs), notAfter: new Date(valid.toMs) }),
    subjectPublicKeyInfo: AsnConvert.parse(spki, SubjectPublicKeyInfo),
    extensions: new Extensions([...extensions]),
  });
  const bytes = Buffer.from(AsnConvert.serialize(tbsCertificate));
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: signature,
    signatureValue: bytesOf(sign('sha256', bytes, createPrivateKey(issuerKey))),
  });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString();
}

/** A positive integer (RFC 5280 §4.1.2.2). */
function serialNumber(random: Random): ArrayBuffer {
  const bytes = Uint8Array.from(random.bytes(SERIAL_BYTES));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytesOf(bytes);
}

function nameOf(commonName: string): Name {
  const value = new AttributeValue({ utf8String: commonName });
  return new Name([
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type: ID_COMMON_NAME, value })]),
  ]);
}

/** SHA-1 of the public key (RFC 5280 §4.2.1.2). */
function keyIdentifier(spki: Uint8Array): KeyIdentifier {
  const { subjectPublicKey } = AsnConvert.parse(spki, SubjectPublicKeyInfo);
  return new KeyIdentifier(bytesOf(createHash('sha1').update(new Uint8Array(subjectPublicKey)).digest()));
}

function extension(extnID: string, value: object, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function bytesOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
