import { toHex } from '@tillbridge/protocol/bytes.js';
import { encodeTlv } from '@tillbridge/protocol/emv/tlv.js';
import { commandOf, commandTitle } from '@tillbridge/protocol/terminals/magtek/commands.js';
import type {
  MmsNotification,
  MmsRequest,
  MmsResponse,
} from '@tillbridge/protocol/terminals/magtek/message.js';
import {
  HOST_ACTIONS,
  NOTIFICATIONS,
  OUTCOMES,
  readOutcome,
  readUpdate,
} from '@tillbridge/protocol/terminals/magtek/notifications.js';
import { decodeProperty } from '@tillbridge/protocol/terminals/magtek/properties.js';
import { statusOf, statusText } from '@tillbridge/protocol/terminals/magtek/statuses.js';
import {
  decodeTransactionObject,
  OBJECT_TAGS,
} from '@tillbridge/protocol/terminals/magtek/transaction-object.js';
import { swText } from '../../kernel/kernel-error.js';
import { decodedOr } from '../core/decoded.js';
import { tlvText } from '../core/tlv-text.js';

/** Values that frame logs never show. */
const HIDDEN: ReadonlySet<string> = new Set([
  OBJECT_TAGS.cipherText,
  OBJECT_TAGS.maskedChip,
  OBJECT_TAGS.maskedMagstripe,
]);

function parametersText(command: number, parameters: Uint8Array): string {
  const name = commandOf(command);
  if (parameters.length === 0) return '';
  if (name !== 'getProperty' && name !== 'setProperty') return tlvText(parameters, HIDDEN);
  return decodedOr(
    () => {
      const { name: property = 'unknown property', value } = decodeProperty(parameters);
      return `${property} ${toHex(value)}`.trimEnd();
    },
    ({ message }) => message,
  );
}

function title(command: number): string {
  const name = commandOf(command);
  return name ? commandTitle(name) : `command ${swText(command)}`;
}

/** A request in readable form. */
export function requestText({ command, parameters }: MmsRequest): string {
  return `${title(command)} ${parametersText(command, parameters)}`.trimEnd();
}

/** A response in readable form. */
export function responseText({ command, status, parameters }: Omit<MmsResponse, 'kind'>): string {
  const end = `${title(command)} ${statusText(status)} ${statusOf(status).meaning}`;
  return `${end} ${parametersText(command, parameters)}`.trimEnd();
}

/** A notification in readable form; `object` is the transaction's object within its payload. */
export function notificationText(
  { id, detail }: Pick<MmsNotification, 'id' | 'detail'>,
  object?: Uint8Array,
): string {
  const content = object ? ` ${tlvText(encodeTlv([...decodeTransactionObject(object).nodes]), HIDDEN)}` : '';
  return `notification ${swText(id)} ${detail}${meaning(id, detail)}${content}`;
}

function meaning(id: number, detail: string): string {
  if (id === NOTIFICATIONS.transactionUpdate) {
    const update = readUpdate(detail);
    return update ? ` ${update.technology} ${update.what}` : '';
  }
  if (id === NOTIFICATIONS.hostAction) return detail === HOST_ACTIONS.rightButton ? ' right button' : '';
  if (id !== NOTIFICATIONS.transactionComplete) return '';
  const end = readOutcome(detail);
  return end ? ` ${end.technology} ${OUTCOMES[end.outcome].meaning}` : '';
}
