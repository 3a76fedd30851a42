import { fromHex, toHex } from '../../bytes.js';
import { TerminalFormatError } from '../format-error.js';
import { decodeObjects, encodeObjects, type SecureObject } from './secure-tlv.js';

/** Applications that a device keeps at most. */
export const MAX_APPLICATIONS = 16;
const MIN_AID_BYTES = 5;
const MAX_AID_BYTES = 16;

/** Tags of an application's risk management, other than 9F1B (NEO 2 guide §8.4.5). */
const RISK_TAGS = {
  floorLimit: '9F1B',
  threshold: 'DF17',
  target: 'DF18',
  maxTarget: 'DF19',
} as const;

/** Terminal risk management of an application, amounts in minor units. */
export interface ApplicationRisk {
  readonly floorLimitMinor: number;
  readonly thresholdMinor: number;
  readonly targetPercent: number;
  readonly maxTargetPercent: number;
}

/** An application as SET APPLICATION DATA gives it. */
export interface ApplicationData {
  /** Hex. */
  readonly aid: string;
  readonly objects: readonly SecureObject[];
}

function counted(count: number): Buffer {
  return Buffer.of(count & 0xff, count >>> 8);
}

function count(field: string, bytes: Uint8Array): number {
  const [low, high] = bytes;
  if (low === undefined || high === undefined)
    throw new TerminalFormatError(field, 'must begin with two bytes of count');
  return (high << 8) | low;
}

function requireAid(aid: Uint8Array): string {
  if (aid.length < MIN_AID_BYTES || aid.length > MAX_AID_BYTES) {
    throw new TerminalFormatError('AID', `must have ${MIN_AID_BYTES} to ${MAX_AID_BYTES} bytes`);
  }
  return toHex(aid);
}

/** Data of RETRIEVE APPLICATION DATA (60-01): the AID alone. */
export function encodeAid(aid: string): Buffer {
  return fromHex(aid);
}

/** Reads the data of 60-01. @throws TerminalFormatError */
export function decodeAid(data: Uint8Array): string {
  return requireAid(data);
}

/** Answer of RETRIEVE AID LIST (60-07): how many, and each with its length, low bytes first. */
export function encodeAidList(aids: readonly string[]): Buffer {
  const blocks = aids.flatMap((aid) => [counted(aid.length / 2), fromHex(aid)]);
  return Buffer.concat([counted(aids.length), ...blocks]);
}

/** Reads the answer of 60-07. @throws TerminalFormatError */
export function decodeAidList(data: Uint8Array): string[] {
  const expected = count('AID list', data);
  const aids: string[] = [];
  for (let at = 2; at < data.length; ) {
    const length = count('AID list', data.subarray(at));
    const aid = data.subarray(at + 2, at + 2 + length);
    if (aid.length !== length) throw new TerminalFormatError('AID list', 'ends inside an AID');
    aids.push(requireAid(aid));
    at += 2 + length;
  }
  if (aids.length !== expected || expected > MAX_APPLICATIONS) {
    throw new TerminalFormatError('AID list', `holds ${aids.length} AIDs, its count is ${expected}`);
  }
  return aids;
}

/** Answer of 60-01: how many objects, and the objects; laid out as 60-04 takes them (from public sources incomplete). */
export function encodeApplicationObjects(objects: readonly SecureObject[]): Buffer {
  return Buffer.concat([counted(objects.length), encodeObjects(objects)]);
}

/** Reads the answer of 60-01. @throws TerminalFormatError */
export function decodeApplicationObjects(data: Uint8Array): SecureObject[] {
  const expected = count('application data', data);
  const objects = decodeObjects(data.subarray(2));
  if (objects.length !== expected) {
    throw new TerminalFormatError(
      'application data',
      `hold ${objects.length} objects, their count is ${expected}`,
    );
  }
  return objects;
}

/** Data of SET APPLICATION DATA (60-03). */
export function encodeApplicationData({ aid, objects }: ApplicationData): Buffer {
  return Buffer.concat([counted(aid.length / 2), fromHex(aid), encodeApplicationObjects(objects)]);
}

/** Reads the data of 60-03. @throws TerminalFormatError */
export function decodeApplicationData(data: Uint8Array): ApplicationData {
  const end = 2 + count('application data', data);
  const aid = requireAid(data.subarray(2, end));
  return { aid, objects: decodeApplicationObjects(data.subarray(end)) };
}

function bytes4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function riskObjects(risk: ApplicationRisk): readonly SecureObject[] {
  const values: readonly (readonly [string, Buffer])[] = [
    [RISK_TAGS.floorLimit, bytes4(risk.floorLimitMinor)],
    [RISK_TAGS.threshold, bytes4(risk.thresholdMinor)],
    [RISK_TAGS.target, Buffer.of(risk.targetPercent)],
    [RISK_TAGS.maxTarget, Buffer.of(risk.maxTargetPercent)],
  ];
  return values.map(([tag, value]) => ({ tag, disclosure: 'plain', value }));
}

/**
 * An application's objects with another risk management; what else is configured stays.
 * @throws RangeError for amounts of more than four bytes
 */
export function withRisk(objects: readonly SecureObject[], risk: ApplicationRisk): SecureObject[] {
  const replaced: ReadonlySet<string> = new Set(Object.values(RISK_TAGS));
  return [...objects.filter(({ tag }) => !replaced.has(tag)), ...riskObjects(risk)];
}

/** The risk management in an application's objects; what is missing is zero. */
export function riskOf(objects: readonly SecureObject[]): ApplicationRisk {
  const number = (tag: string): number => {
    const value = objects.find((object) => object.tag === tag)?.value ?? [];
    return [...value].reduce((sum, byte) => sum * 256 + byte, 0);
  };
  return {
    floorLimitMinor: number(RISK_TAGS.floorLimit),
    thresholdMinor: number(RISK_TAGS.threshold),
    targetPercent: number(RISK_TAGS.target),
    maxTargetPercent: number(RISK_TAGS.maxTarget),
  };
}
