import { createHash, verify, X509Certificate } from 'node:crypto';
import { ContentInfo, id_signedData, SignedData, type SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { type Certificate, Time } from '@peculiar/asn1-x509';
import { type AsnType, Constructed, fromBER } from 'asn1js';
import { equalConstantTime } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';

/** Extension that marks the certificate that signs tokens. */
const LEAF_OID = '1.2.840.113635.100.6.29';
/** Extension that marks the authority in between. */
const INTERMEDIATE_OID = '1.2.840.113635.100.6.2.14';
/** Attributes of a signer (RFC 5652 §11). */
const MESSAGE_DIGEST_OID = '1.2.840.113549.1.9.4';
const SIGNING_TIME_OID = '1.2.840.113549.1.9.5';

/** What a detached signature is judged against. */
interface SignatureTrust {
  /** Root certificates, DER. */
  readonly trustAnchors: readonly Uint8Array[];
  /** The time of judgement; without it nothing expires. */
  readonly nowMs: number | undefined;
}

/** Further data of a verified signature. */
interface VerifiedSignature {
  readonly signingTimeMs: number;
}

interface Cms {
  readonly certificates: readonly ParsedCertificate[];
  readonly signer: SignerInfo;
}

interface ParsedCertificate {
  readonly x509: X509Certificate;
  readonly asn1: Certificate;
}

/**
 * Verifies a detached CMS signature (RFC 5652) over `content`: certificates with the scheme's extensions, chained to an anchor and valid now, then the
 * digest and the signature of the leaf.
 * @throws CryptoError malformed, badChain, expiredKey, badSignature
 */
export function verifyAppleSignature(
  cms: Uint8Array,
  content: Uint8Array,
  trust: SignatureTrust,
): VerifiedSignature {
  const { certificates, signer } = parseCms(cms);
  const leaf = requireChain(certificates, trust);
  readable('signer', () => requireSigner(signer, leaf));
  const digest = requireAttribute(
    signer,
    MESSAGE_DIGEST_OID,
    (raw) => AsnConvert.parse(raw, OctetString).buffer,
  );
  const actual = createHash('sha256').update(content).digest();
  if (!equalConstantTime(actual, new Uint8Array(digest)))
    throw new CryptoError('badSignature', 'content digest');
  const signature = Buffer.from(signer.signature.buffer);
  const isSigned = readable('signature', () =>
    verify('sha256', signedAttributes(cms), leaf.x509.publicKey, signature),
  );
  if (!isSigned) throw new CryptoError('badSignature');
  const signingTime = requireAttribute(signer, SIGNING_TIME_OID, (raw) =>
    AsnConvert.parse(raw, Time).getTime(),
  );
  return { signingTimeMs: signingTime.getTime() };
}

function parseCms(cms: Uint8Array): Cms {
  return readable('signature', () => {
    const info = AsnConvert.parse(cms, ContentInfo);
    if (info.contentType !== id_signedData) throw new CryptoError('malformed', 'signature is no signed data');
    const data = AsnConvert.parse(info.content, SignedData);
    const certificates = (data.certificates ?? []).flatMap(({ certificate }) =>
      certificate === undefined ? [] : [parsedCertificate(certificate)],
    );
    const signer = data.signerInfos[0];
    if (data.signerInfos.length !== 1 || signer === undefined) {
      throw new CryptoError('malformed', 'signature has not one signer');
    }
    return { certificates, signer };
  });
}

/** What `read` finds; errors of the ASN.1 and X.509 libraries become ours. @throws CryptoError malformed, and those of `read` */
function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CryptoError) throw error;
    throw new CryptoError('malformed', `${what} cannot be read`);
  }
}

function parsedCertificate(asn1: Certificate): ParsedCertificate {
  return { asn1, x509: new X509Certificate(Buffer.from(AsnConvert.serialize(asn1))) };
}

function hasExtension({ asn1 }: ParsedCertificate, oid: string): boolean {
  return (asn1.tbsCertificate.extensions ?? []).some((extension) => extension.extnID === oid);
}

/** The leaf, after leaf ← intermediate ← anchor was checked, and then the validity of all three. */
function requireChain(certificates: readonly ParsedCertificate[], trust: SignatureTrust): ParsedCertificate {
  const leaf = certificates.find((certificate) => hasExtension(certificate, LEAF_OID));
  const intermediate = certificates.find((certificate) => hasExtension(certificate, INTERMEDIATE_OID));
  if (leaf === undefined || intermediate === undefined)
    throw new CryptoError('badChain', 'a marked certificate is missing');
  const anchors = trust.trustAnchors.map((der) => new X509Certificate(Buffer.from(der)));
  const anchor = anchors.find((candidate) => isIssuedBy(intermediate.x509, candidate));
  if (anchor === undefined || !isIssuedBy(leaf.x509, intermediate.x509)) throw new CryptoError('badChain');
  const { nowMs } = trust;
  if (nowMs === undefined) return leaf;
  for (const certificate of [leaf.x509, intermediate.x509, anchor]) requireValid(certificate, nowMs);
  return leaf;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return readable(
    'certificate',
    () => issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey),
  );
}

function requireValid(certificate: X509Certificate, nowMs: number): void {
  const isValid = Date.parse(certificate.validFrom) <= nowMs && nowMs <= Date.parse(certificate.validTo);
  if (!isValid) throw new CryptoError('expiredKey', 'a certificate is not valid now');
}

/** The signer must be the marked leaf: by issuer and serial, or by key identifier. */
function requireSigner(signer: SignerInfo, leaf: ParsedCertificate): void {
  const { issuerAndSerialNumber, subjectKeyIdentifier } = signer.sid;
  const { serialNumber, issuer, extensions } = leaf.asn1.tbsCertificate;
  if (issuerAndSerialNumber !== undefined) {
    const sameSerial = sameBytes(issuerAndSerialNumber.serialNumber, serialNumber);
    const sameIssuer = sameBytes(
      AsnConvert.serialize(issuerAndSerialNumber.issuer),
      AsnConvert.serialize(issuer),
    );
    if (sameSerial && sameIssuer) return;
  }
  if (subjectKeyIdentifier !== undefined) {
    const extension = extensions?.find(({ extnID }) => extnID === SUBJECT_KEY_IDENTIFIER_OID);
    if (extension !== undefined) {
      const own = AsnConvert.parse(extension.extnValue, OctetString);
      if (sameBytes(own.buffer, subjectKeyIdentifier.buffer)) return;
    }
  }
  throw new CryptoError('badSignature', 'the signer is not the marked certificate');
}

const SUBJECT_KEY_IDENTIFIER_OID = '2.5.29.14';

function sameBytes(a: ArrayBuffer, b: ArrayBuffer): boolean {
  return Buffer.from(a).equals(Buffer.from(b));
}

function requireAttribute<T>(signer: SignerInfo, oid: string, read: (raw: ArrayBuffer) => T): T {
  const attribute = signer.signedAttrs?.find(({ attrType }) => attrType === oid);
  const raw = attribute?.attrValues[0];
  if (raw === undefined) throw new CryptoError('malformed', `signature has no attribute ${oid}`);
  return readable(`attribute ${oid}`, () => read(raw));
}

/**
 * The attributes as they were received, which is as they were signed: with the tag of a SET OF in place of the implicit one (RFC 5652 §5.4).
 * Serialized anew they could be other bytes, or none.
 */
function signedAttributes(cms: Uint8Array): Buffer {
  const [, explicit] = partsOf(fromBER(cms).result);
  const [signedData] = partsOf(explicit);
  const [signer] = partsOf(partsOf(signedData).at(-1));
  const attributes = partsOf(signer)[SIGNED_ATTRIBUTES_AT];
  if (attributes?.idBlock.tagClass !== CONTEXT_CLASS || attributes.idBlock.tagNumber !== 0)
    throw new CryptoError('malformed', 'signature has no signed attributes');
  const received = Buffer.from(attributes.valueBeforeDecodeView);
  received[0] = SET_TAG;
  return received;
}

function partsOf(block: AsnType | undefined): readonly AsnType[] {
  return block instanceof Constructed ? block.valueBlock.value : [];
}

/** Behind version, signer identifier and digest algorithm. */
const SIGNED_ATTRIBUTES_AT = 3;
const CONTEXT_CLASS = 3;
const SET_TAG = 0x31;
