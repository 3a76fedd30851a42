import { toHex } from '@tillbridge/wire/bytes.js';
import type { DescribedNode } from '@tillbridge/wire/emv/describe.js';
import { maskPan, maskText } from '@tillbridge/wire/mask/mask.js';
import { commandSpec } from '@tillbridge/wire/terminals/abecs/commands.js';
import { FIELDS, type FieldName, fieldName } from '@tillbridge/wire/terminals/abecs/fields.js';
import {
  type CommandMessage,
  decodeCommandMessage,
  decodeResponseMessage,
} from '@tillbridge/wire/terminals/abecs/message.js';
import { isNotification, notificationLines } from '@tillbridge/wire/terminals/abecs/notification.js';
import { decodeParameters, type Parameter } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { statusOf } from '@tillbridge/wire/terminals/abecs/statuses.js';
import { swText } from '../../kernel/kernel-error.js';
import { decodedOr } from '../core/decoded.js';
import { tlvText } from '../core/tlv-text.js';
import { namedValue, objectTree } from '../wire/object-tree.js';

/** Fields whose value identifies a card or a person. */
const HIDDEN: ReadonlySet<string> = new Set(['PP_TRK1INC', 'PP_TRK2INC', 'PP_TRK3INC', 'PP_CHNAME']);
const EMV_FIELDS: ReadonlySet<string> = new Set(['PP_EMVDATA', 'SPE_EMVDATA']);

/** A command in readable form, card data masked. */
export function commandText(data: Uint8Array): string {
  return orUndecodable(data, () => {
    const { id, blocks } = decodeCommandMessage(data);
    return `${id}${parametersText(id, blocks)}`;
  });
}

/** An answer or a notification in readable form, card data masked. */
export function answerText(data: Uint8Array): string {
  return orUndecodable(data, () => {
    const response = decodeResponseMessage(data);
    if (isNotification(response)) return maskText(`NTM ${notificationLines(response).join(' | ')}`);
    const { id, status, blocks } = response;
    const outcome = `${id} ${String(status).padStart(3, '0')} ${statusOf(status).name}`;
    return `${outcome}${parametersText(id, blocks)}`;
  });
}

/** The parameters of a command, card data masked. */
export function commandTree(data: Uint8Array): readonly DescribedNode[] {
  return decodedOr(
    () => parametersTree(decodeCommandMessage(data)),
    () => [],
  );
}

/** The parameters of an answer, card data masked. */
export function answerTree(data: Uint8Array): readonly DescribedNode[] {
  return decodedOr(
    () => {
      const response = decodeResponseMessage(data);
      return isNotification(response) ? [] : parametersTree(response);
    },
    () => [],
  );
}

function parametersTree({ id, blocks }: Pick<CommandMessage, 'id' | 'blocks'>): DescribedNode[] {
  if (commandSpec(id)?.style !== 'abecs') return [];
  return decodeParameters(blocks).map((parameter) => {
    const name = fieldName(parameter.id) ?? swText(parameter.id);
    if (EMV_FIELDS.has(name)) {
      const children = objectTree(parameter.value);
      return { tag: name, name: '', length: children.length, meaning: [], children };
    }
    return namedValue(name, parameter.value, parameterText(parameter).slice(name.length + 1));
  });
}

function orUndecodable(data: Uint8Array, decode: () => string): string {
  return decodedOr(decode, ({ message }) => `undecodable, ${data.length} bytes: ${message}`);
}

/** Classic commands carry PINs, PANs and table records without names: the text shows only their length. */
function parametersText(id: string, blocks: readonly Uint8Array[]): string {
  if (blocks.length === 0) return '';
  if (commandSpec(id)?.style !== 'abecs') {
    return ` (${blocks.reduce((sum, block) => sum + block.length, 0)} bytes)`;
  }
  return decodeParameters(blocks)
    .map((parameter) => ` ${parameterText(parameter)}`)
    .join('');
}

function parameterText({ id, value }: Parameter): string {
  const name = fieldName(id) ?? swText(id);
  if (HIDDEN.has(name)) return `${name}=***`;
  if (EMV_FIELDS.has(name)) return `${name}={${tlvText(value)}}`;
  const text = Buffer.from(value).toString('latin1');
  if (name === 'PP_PAN') return `${name}=${text.includes('*') ? text : maskPan(text)}`;
  const format = Object.hasOwn(FIELDS, name) ? FIELDS[name as FieldName].format : 'B';
  if (format === 'B') return `${name}=<${value.length} bytes>`;
  return `${name}=${format === 'X' ? toHex(value) : maskText(text.trimEnd())}`;
}
