import { createHash } from 'node:crypto';
import { ComponentType, HashAlgorithm } from '@cyclonedx/cyclonedx-library/Enums';
import {
  Bom,
  Component,
  LicenseExpression,
  Metadata,
  NamedLicense,
  SpdxLicense,
} from '@cyclonedx/cyclonedx-library/Models';
import { JSON as Json, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize';
import { isSupportedSpdxId } from '@cyclonedx/cyclonedx-library/SPDX';
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec';
import type { ThirdParty } from './third-party.js';

/** What a bill of materials is about. */
export interface BilledProgram {
  readonly name: string;
  readonly version: string;
  /** Such as `linux-x64`. */
  readonly platform: string;
  readonly time: Date;
}

/**
 * Bill of materials in CycloneDX 1.6, JSON. The same works give the same bytes: its serial number is made of them.
 * Source: https://cyclonedx.org/docs/1.6/json/
 */
export function billOfMaterials(program: BilledProgram, parties: readonly ThirdParty[]): string {
  const component = new Component(ComponentType.Application, program.name, {
    version: `${program.version}`,
    bomRef: program.name,
    purl: `pkg:generic/${program.name}@${program.version}?platform=${program.platform}`,
  });
  component.licenses.add(new SpdxLicense('Apache-2.0'));
  const bom = new Bom({ metadata: new Metadata({ component, timestamp: program.time }) });
  for (const party of parties) {
    const part = componentOf(party);
    bom.components.add(part);
    component.dependencies.add(part.bomRef);
  }
  const serializer = new JsonSerializer(new Json.Normalize.Factory(Spec1dot6));
  const write = () => serializer.serialize(bom, { sortLists: true, space: 2 });
  bom.serialNumber = `urn:uuid:${uuidOf(write())}`;
  return `${write()}\n`;
}

function componentOf({ name, version, license, purl, integrity }: ThirdParty): Component {
  const at = name.startsWith('@') ? name.indexOf('/') : -1;
  const component = new Component(ComponentType.Library, name.slice(at + 1), {
    ...(at > 0 && { group: name.slice(0, at) }),
    version,
    purl,
    bomRef: purl,
  });
  component.licenses.add(licenseOf(license));
  const digest = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
  if (digest) component.hashes.set(HashAlgorithm['SHA-512'], Buffer.from(digest, 'base64').toString('hex'));
  return component;
}

function licenseOf(license: string): SpdxLicense | LicenseExpression | NamedLicense {
  const expression = license.replaceAll(/ or /gi, ' OR ').replaceAll(/ and /gi, ' AND ');
  if (isSupportedSpdxId(license)) return new SpdxLicense(license);
  return / (OR|AND) /.test(expression) ? new LicenseExpression(expression) : new NamedLicense(expression);
}

/** A UUID of version 8 (RFC 9562): its bits are ours to make. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
