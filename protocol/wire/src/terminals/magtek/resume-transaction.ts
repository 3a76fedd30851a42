import { encodeTlv, findTemplate, type TlvNode, tlv } from '../../emv/tlv.js';
import { TerminalFormatError } from '../format-error.js';
import { parameter, readParameters } from './message.js';

const TAGS = { resumeCode: '81', arpc: '84' } as const;
const WAITING_FOR_ARPC = 0x00;
/** Container without a MAC; the device's serial number; generic data; the answer itself. */
const ARPC = { container: 'FF74', serial: 'DFDF25', generic: 'FA', answer: '70' } as const;

/** Longest script template, its tag and length among it. */
export const MAX_SCRIPT_BYTES = 128;

/** The issuer's answer on its way to the card. */
export interface ResumeParameters {
  /** The device's serial number as its request named it. */
  readonly serial: Uint8Array;
  /** 8A, 91, 71 and 72. */
  readonly objects: readonly TlvNode[];
}

/** Parameters of RESUME TRANSACTION. @throws TerminalFormatError when a script is too long */
export function encodeResume({ serial, objects }: ResumeParameters): Buffer {
  for (const object of objects) {
    const { length } = encodeTlv([object]);
    if ((object.tag === '71' || object.tag === '72') && length > MAX_SCRIPT_BYTES)
      throw new TerminalFormatError(
        `script ${object.tag}`,
        `has ${length} bytes, at most ${MAX_SCRIPT_BYTES}`,
      );
  }
  const answer = tlv(ARPC.container, [
    tlv(ARPC.serial, serial),
    tlv(ARPC.generic, [tlv(ARPC.answer, objects)]),
  ]);
  return encodeTlv([tlv(TAGS.resumeCode, Buffer.of(WAITING_FOR_ARPC)), tlv(TAGS.arpc, encodeTlv([answer]))]);
}

/** Reads the parameters as the device does. @throws TerminalFormatError */
export function decodeResume(parameters: Uint8Array): ResumeParameters {
  const nodes = readParameters(parameters);
  if (parameter(nodes, TAGS.resumeCode)?.[0] !== WAITING_FOR_ARPC)
    throw new TerminalFormatError('resume code', 'must be 0');
  const data = parameter(nodes, TAGS.arpc);
  const container = data && findTemplate(readParameters(data), ARPC.container);
  const serial = container && parameter(container, ARPC.serial);
  const generic = container && findTemplate(container, ARPC.generic);
  const objects = generic && findTemplate(generic, ARPC.answer);
  if (!serial || !objects)
    throw new TerminalFormatError('ARPC data', 'must have FF74 with DFDF25 and FA with 70');
  if (parameter(objects, '8A')?.length !== 2)
    throw new TerminalFormatError('ARPC data', 'must have 8A of two bytes');
  return { serial, objects };
}
