import { toHex } from '@tillbridge/wire/bytes.js';
import type { DescribedNode } from '@tillbridge/wire/emv/describe.js';
import { encodeTlv } from '@tillbridge/wire/emv/tlv.js';
import { commandOf, commandTitle } from '@tillbridge/wire/terminals/magtek/commands.js';
import type {
  MmsMessage,
  MmsNotification,
  MmsRequest,
  MmsResponse,
} from '@tillbridge/wire/terminals/magtek/message.js';
import {
  DEVICE_UPDATES,
  HOST_ACTIONS,
  NOTIFICATIONS,
  OUTCOMES,
  payloadObject,
  readOutcome,
  readUpdate,
} from '@tillbridge/wire/terminals/magtek/notifications.js';
import { decodeProperty } from '@tillbridge/wire/terminals/magtek/properties.js';
import { statusOf, statusText } from '@tillbridge/wire/terminals/magtek/statuses.js';
import {
  decodeTransactionObject,
  OBJECT_TAGS,
} from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import { swText } from '../../kernel/kernel-error.js';
import { decoded, decodedOr } from '../core/decoded.js';
import { tlvText } from '../core/tlv-text.js';
import { objectTree } from '../wire/object-tree.js';

/** Values that are never shown. */
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

/** A message in readable form. */
export function messageText(message: MmsMessage): string {
  switch (message.kind) {
    case 'request':
      return requestText(message);
    case 'response':
      return responseText(message);
    case 'notification':
      return notificationText(message);
  }
}

/** The objects of a message, card data hidden. */
export function messageTree(message: MmsMessage): readonly DescribedNode[] {
  if (message.kind !== 'notification') {
    const name = commandOf(message.command);
    const isProperty = name === 'getProperty' || name === 'setProperty';
    return isProperty ? [] : objectTree(message.parameters, HIDDEN);
  }
  const object = objectOf(message);
  return object ? objectTree(objectContent(object), HIDDEN) : [];
}

/** A request in readable form. */
function requestText({ command, parameters }: MmsRequest): string {
  return `${title(command)} ${parametersText(command, parameters)}`.trimEnd();
}

/** A response in readable form. */
function responseText({ command, status, parameters }: Omit<MmsResponse, 'kind'>): string {
  const end = `${title(command)} ${statusText(status)} ${statusOf(status).meaning}`;
  return `${end} ${parametersText(command, parameters)}`.trimEnd();
}

/** A notification in readable form. */
function notificationText(notification: MmsNotification): string {
  const { id, detail, payload } = notification;
  const object = objectOf(notification);
  const content = object ? ` ${tlvText(objectContent(object), HIDDEN)}` : '';
  const soon = detail === DEVICE_UPDATES.resetSoon ? ` reset in ${payload[0] ?? 0} minutes` : '';
  return `notification ${swText(id)} ${detail}${meaning(id, detail)}${content}${soon}`;
}

function objectOf({ payload }: MmsNotification): Buffer | undefined {
  return decoded(() => payloadObject(payload));
}

function objectContent(object: Uint8Array): Buffer {
  return decoded(() => encodeTlv([...decodeTransactionObject(object).nodes])) ?? Buffer.alloc(0);
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
